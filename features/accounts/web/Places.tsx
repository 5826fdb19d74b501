import { type ReactNode, useRef, useState } from 'react';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import type { Wish } from '#platform/web/ui/dialogs.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { instantOf } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';

/** An open sign-in, or a device that an account knows, as the calls give them. */
interface Place {
  id: number | string;
  appareil: string;
  reseau: string;
  /** When the sign-in was opened; absent for a device. */
  created_at?: string;
  vu_le: string;
}

type Ending = () => Promise<{ message: string }>;

interface PlacesProps<T extends Place> {
  items: readonly T[];
  mark?(item: T): ReactNode;
  /** Ends one, or forgets a device; absent: it is the sign-in of this page. */
  endOne(item: T): Ending | undefined;
  /** Ends those that `count` counts; offered when there are several. */
  all?: { end: Ending; count: number; label: string; question: Wish };
  askAgain(): Promise<unknown>;
}

/** Places listed before a button shows the others. */
const FIRST = 10;

/** Where people are or were signed in, the last used first, with buttons to end one sign-in or all, or forget a device. */
export function Places<T extends Place>({ items, mark, endOne, all, askAgain }: PlacesProps<T>) {
  const { locale, timeZone } = useSite();
  const [isWhole, setWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const { isBusy, run } = useAction(askAgain);
  const { say } = useNotices();
  const shown = isWhole ? items : items.slice(0, FIRST);
  const end = (work: Ending, question?: Wish) =>
    run(
      async () => {
        say((await work()).message);
        // The button that had the focus is gone.
        list.current?.focus({ preventScroll: true });
      },
      'Erreur lors de la suppression',
      question,
    );
  return (
    <>
      <ul ref={list} tabIndex={-1} className="border-t border-mist">
        {shown.map((item) => {
          const device = item.appareil || 'Appareil inconnu';
          const network = item.reseau ? `réseau ${item.reseau}, ` : '';
          const since = item.created_at && instantOf(item.created_at, locale, timeZone);
          const last = instantOf(item.vu_le, locale, timeZone);
          const work = endOne(item);
          return (
            <li
              key={item.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-mist py-3"
            >
              <div className="min-w-0 flex-1 basis-60">
                <p className="flex flex-wrap items-center gap-x-3 font-semibold">
                  {device}
                  {mark?.(item)}
                </p>
                <p className="text-sm text-quiet">
                  {network}
                  {since ? `ouverte le ${since}, utilisée le ${last}` : `dernière connexion le ${last}`}
                </p>
              </div>
              {work && (
                <Button
                  quiet
                  aria-disabled={isBusy}
                  aria-label={
                    since
                      ? `Mettre fin à la connexion ${device} ouverte le ${since}`
                      : `Oublier l’appareil ${device}, dernière connexion le ${last}`
                  }
                  onClick={() => end(work)}
                >
                  {since ? 'Mettre fin' : 'Oublier'}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <p className="mt-4 flex flex-wrap gap-3">
        {shown.length < items.length && (
          <Button quiet onClick={() => setWhole(true)}>
            Afficher les {items.length - shown.length} autres
          </Button>
        )}
        {all && all.count > 1 && (
          <Button danger aria-disabled={isBusy} onClick={() => end(all.end, all.question)}>
            {all.label}
          </Button>
        )}
      </p>
    </>
  );
}
