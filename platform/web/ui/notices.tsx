import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import type { CallError } from '#platform/web/api.ts';

/** What is said to a person after an action, wherever it was started and wherever they are now. */
interface Notice {
  id: number;
  kind: 'done' | 'failed';
  text: string;
  /** The reason of a failure, in the server's words. */
  detail: string | undefined;
  action: NoticeAction | undefined;
  /** Changes of page that it outlives. */
  pagesLeft: number;
  /** It fills the time until the next page is there. */
  isPassing: boolean;
}

interface NoticeAction {
  label: string;
  run(): void;
}

interface Notices {
  say(text: string, action?: NoticeAction): void;
  /** Said while another page is on its way; gone once that one calls `arrive`. */
  sayLeaving(text: string): void;
  arrive(): void;
  warn(text: string, detail?: string): void;
  clear(): void;
}

const NoticesContext = createContext<Notices | undefined>(undefined);
const NoticeContext = createContext<Notice | undefined>(undefined);

export function useNotices(): Notices {
  const notices = useContext(NoticesContext);
  if (!notices) throw new Error('no NoticesProvider above');
  return notices;
}

/** Said when what failed is the page itself. */
export const UNFORESEEN = 'Une erreur inattendue est survenue dans cette page\u202f: rechargez-la.';

/** An ended session of the portal has a dialog of its own, which says it all. */
export function isTakenOver(error: CallError): boolean {
  return error.endsPortal;
}

let lastId = 0;

export function NoticesProvider({ children }: { children: ReactNode }) {
  const [notice, setNotice] = useState<Notice>();
  const { pathname, search } = useLocation();
  const [place, setPlace] = useState(pathname + search);
  if (place !== pathname + search) {
    setPlace(pathname + search);
    // One redirection follows most actions; the page after that is about something else.
    if (notice) setNotice(notice.pagesLeft > 0 ? { ...notice, pagesLeft: notice.pagesLeft - 1 } : undefined);
  }
  const notices = useMemo<Notices>(() => {
    const show = (notice: Pick<Notice, 'kind' | 'text'> & Partial<Notice>) => {
      setNotice({
        detail: undefined,
        action: undefined,
        pagesLeft: 1,
        isPassing: false,
        ...notice,
        id: ++lastId,
      });
    };
    return {
      say: (text, action) => show({ kind: 'done', text, action }),
      sayLeaving: (text) => show({ kind: 'done', text, isPassing: true }),
      arrive: () => setNotice((notice) => (notice?.isPassing ? undefined : notice)),
      warn: (text, detail) => show({ kind: 'failed', text, detail }),
      clear: () => setNotice(undefined),
    };
  }, []);
  const isDone = notice?.kind === 'done';
  useEffect(() => {
    if (!isDone) return;
    // Whoever types has seen it, and is busy with something else.
    document.addEventListener('input', notices.clear);
    return () => document.removeEventListener('input', notices.clear);
  }, [isDone, notices]);
  return (
    <NoticesContext value={notices}>
      <NoticeContext value={notice}>{children}</NoticeContext>
    </NoticesContext>
  );
}

/** Where notices are said: under the bar, pushing the page down rather than covering a button of it. */
export function NoticeRegion() {
  const notice = useContext(NoticeContext);
  const { clear } = useNotices();
  const close = () => {
    clear();
    // The button that had the focus is gone.
    document.getElementById('contenu')?.focus({ preventScroll: true });
  };
  const card = notice && <NoticeCard key={notice.id} notice={notice} onClose={close} />;
  // Both regions are there before anything is said in them, or screen readers would miss it.
  return (
    <div className="notices">
      <div role="status">{notice?.kind === 'done' && card}</div>
      <div role="alert">{notice?.kind === 'failed' && card}</div>
    </div>
  );
}

function NoticeCard({ notice, onClose }: { notice: Notice; onClose(): void }) {
  const { kind, text, detail, action } = notice;
  const Icon = kind === 'done' ? CircleCheck : CircleAlert;
  return (
    <div className={`notice ${kind}`}>
      <Icon aria-hidden="true" className="mt-2.5 size-6 shrink-0" />
      <div className="min-w-0 grow py-2">
        <p className="font-semibold">{text}</p>
        {detail && <p className="text-sm">{detail}</p>}
        {action && (
          <button
            type="button"
            className="-ml-2 min-h-11 px-2 font-semibold underline underline-offset-3"
            onClick={() => {
              onClose();
              action.run();
            }}
          >
            {action.label}
          </button>
        )}
      </div>
      <button type="button" className="round-button text-inherit!" onClick={onClose}>
        <X aria-hidden="true" />
        <span className="sr-only">Fermer le message</span>
      </button>
    </div>
  );
}
