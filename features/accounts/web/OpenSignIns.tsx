import { type ReactNode, useRef, useState } from 'react';
import { useSite } from '#platform/web/site.tsx';
import type { Wish } from '#platform/web/ui/dialogs.tsx';
import { instantOf } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';

/** An open sign-in, as the calls give it. */
interface OpenSignIn {
  id: number;
  appareil: string;
  reseau: string;
  created_at: string;
  vu_le: string;
}

interface OpenSignInsProps<T extends OpenSignIn> {
  items: readonly T[];
  /** Shown beside the device. */
  mark?(item: T): ReactNode;
  /** Ends one; absent: it is the one of this page. */
  endOne(item: T): (() => Promise<void>) | undefined;
  /** Ends those that `all` counts; offered when there are several. */
  endAll(): Promise<void>;
  all: number;
  /** Label of the button that ends all, and the question asked before. */
  allLabel: string;
  allQuestion: Wish;
  /** Reads the list again. */
  askAgain(): Promise<unknown>;
}

/** Sign-ins listed before a button shows the others. */
const FIRST = 10;

/** Open sign-ins, the last used first, with buttons to end one or all. */
export function OpenSignIns<T extends OpenSignIn>(props: OpenSignInsProps<T>) {
  const { items, mark, endOne, endAll, all, allLabel, allQuestion, askAgain } = props;
  const { locale, timeZone } = useSite();
  const [isWhole, setWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const { isBusy, run } = useAction(askAgain);
  const shown = isWhole ? items : items.slice(0, FIRST);
  const end = (work: () => Promise<void>, question?: Wish) =>
    run(
      async () => {
        await work();
        // The button that had the focus is gone.
        list.current?.focus({ preventScroll: true });
      },
      'Erreur lors de la fin de la connexion',
      question,
    );
  return (
    <>
      <ul ref={list} tabIndex={-1} className="border-t border-mist">
        {shown.map((item) => {
          const device = item.appareil || 'Appareil inconnu';
          const network = item.reseau ? `réseau ${item.reseau}, ` : '';
          const since = instantOf(item.created_at, locale, timeZone);
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
                  {network}ouverte le {since}, utilisée le {instantOf(item.vu_le, locale, timeZone)}
                </p>
              </div>
              {work && (
                <button
                  type="button"
                  className="button quiet"
                  aria-disabled={isBusy}
                  aria-label={`Mettre fin à la connexion ${device} ouverte le ${since}`}
                  onClick={() => end(work)}
                >
                  Mettre fin
                </button>
              )}
            </li>
          );
        })}
      </ul>
      <p className="mt-4 flex flex-wrap gap-3">
        {shown.length < items.length && (
          <button type="button" className="button quiet" onClick={() => setWhole(true)}>
            Afficher les {items.length - shown.length} autres
          </button>
        )}
        {all > 1 && (
          <button
            type="button"
            className="button danger"
            aria-disabled={isBusy}
            onClick={() => end(endAll, allQuestion)}
          >
            {allLabel}
          </button>
        )}
      </p>
    </>
  );
}
