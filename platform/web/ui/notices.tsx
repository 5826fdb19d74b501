import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import { type CallError, wasAlreadyMade } from '#platform/web/api.ts';
import { createNeeded } from '#platform/web/needed.ts';
import { RoundButton } from './Button.tsx';
import { focusContent } from './dialogs.tsx';
import { follow } from './inBrowser.tsx';

/** A notice shown after an action, on whichever page the person is by then. */
interface Notice {
  id: number;
  kind: 'done' | 'failed';
  text: string;
  /** The reason of a failure, in the server's words; of a success, what else to know of it. */
  detail: string | undefined;
  action: NoticeAction | undefined;
  /** Number of page changes after which it is still shown. */
  pagesLeft: number;
  /** True when it is shown only until the next page has loaded. */
  isPassing: boolean;
}

interface NoticeAction {
  label: string;
  run(): void;
}

interface Notices {
  say(text: string, action?: NoticeAction, detail?: string): void;
  /** Shows a notice while another page loads, until that page calls `arrive`. */
  sayLeaving(text: string): void;
  arrive(): void;
  warn(text: string, detail?: string): void;
  clear(): void;
}

const [NoticesContext, useNotices] = createNeeded<Notices>('NoticesProvider');
const NoticeContext = createContext<Notice | undefined>(undefined);

export { useNotices };

/** Message for a failure of the page's own code. */
export const UNFORESEEN = 'Une erreur inattendue est survenue dans cette page\u202f: rechargez-la.';

/** Whether no notice is needed: an ended portal session has its own dialog. */
export function isTakenOver(error: CallError): boolean {
  return error.endsPortal;
}

/** Said where what was created had been already, by a request whose answer was lost. */
const ALREADY = 'C’était déjà fait\u202f: rien n’a été fait en double.';

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
      say: (text, action, detail) =>
        show({ kind: 'done', text, action, detail: wasAlreadyMade() ? ALREADY : detail }),
      sayLeaving: (text) => show({ kind: 'done', text, isPassing: true }),
      arrive: () => setNotice((notice) => (notice?.isPassing ? undefined : notice)),
      warn: (text, detail) => show({ kind: 'failed', text, detail }),
      clear: () => setNotice(undefined),
    };
  }, []);
  const isDone = notice?.kind === 'done';
  useEffect(() => {
    if (!isDone) return;
    // A person who types has seen the notice and is busy with something else.
    return follow(document, { input: notices.clear });
  }, [isDone, notices]);
  return (
    <NoticesContext value={notices}>
      <NoticeContext value={notice}>{children}</NoticeContext>
    </NoticesContext>
  );
}

/** Shows the notices under the bar, pushing the page down rather than covering its buttons; on wide screens of the portal over its bar. */
export function NoticeRegion() {
  const notice = useContext(NoticeContext);
  const { clear } = useNotices();
  const close = () => {
    clear();
    // The close button, which had the focus, is gone.
    focusContent();
  };
  const card = notice && <NoticeCard key={notice.id} notice={notice} onClose={close} />;
  // Both live regions exist before any notice, or screen readers would miss the first one.
  return (
    <div className="notices">
      <div role="status">{notice?.kind === 'done' && card}</div>
      <div role="alert" aria-live="assertive">
        {notice?.kind === 'failed' && card}
      </div>
    </div>
  );
}

function NoticeCard({ notice, onClose }: { notice: Notice; onClose(): void }) {
  const { kind, text, detail, action } = notice;
  const Icon = kind === 'done' ? CircleCheck : CircleAlert;
  return (
    <div className={`notice ${kind}`}>
      <Icon className="mt-2.5 size-6 shrink-0" />
      <div className="min-w-0 grow">
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
      <RoundButton label="Fermer le message" className="text-inherit!" onClick={onClose}>
        <X />
      </RoundButton>
    </div>
  );
}
