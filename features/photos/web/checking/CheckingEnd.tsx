import { Undo2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSite } from '#platform/web/site.tsx';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import type { Change } from './decisions.tsx';
import { countOf, decidedText } from './texts.ts';
import type { Step } from './useChecking.ts';

interface CheckingEndProps {
  /** What was decided here. */
  steps: readonly Step[];
  /** Photos whose sizes are being made. */
  preparing: number;
  onUndo(): void;
  onClose(): void;
  children: ReactNode;
}

/** Nothing is left to check: what was done, and what may still come. */
export function CheckingEnd({ steps, preparing, onUndo, onClose, children }: CheckingEndProps) {
  const button = useRef<HTMLButtonElement>(null);
  // The buttons that had the focus are gone.
  useEffect(() => button.current?.focus(), []);
  const site = useSite();
  const done = doneIn(steps).map(({ count, change }) => decidedText(count, change, site));
  return (
    <div className="m-auto flex max-w-lg flex-col items-center gap-4 p-6 text-center">
      {children}
      <Drawing name="campfire" className="h-36 w-52" />
      <h3 className="text-2xl text-pine">
        {done.length > 0 ? 'C’est fait, merci\u202f!' : 'Rien à vérifier'}
      </h3>
      <p>{done.length > 0 ? `${done.join(', ')}.` : 'Toutes les photos arrivées ont déjà été vérifiées.'}</p>
      <p className="text-quiet">
        {preparing > 0
          ? `${countOf(preparing)} encore en préparation\u202f: la suite s’affichera ici d’elle-même.`
          : 'Celles qui arriveront s’afficheront ici d’elles-mêmes.'}
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <button ref={button} type="button" className="button" onClick={onClose}>
          Terminer
        </button>
        {steps.length > 0 && (
          <button type="button" className="button quiet" onClick={onUndo}>
            <Undo2 aria-hidden="true" className="size-5" />
            Annuler la dernière décision
          </button>
        )}
      </div>
    </div>
  );
}

/** How many photos each decision was made of: what is published first, what is for later by its hour, then what is refused. */
function doneIn(steps: readonly Step[]) {
  const done = new Map<string, { count: number; change: Change }>();
  for (const { ids, change } of steps) {
    const key = `${change.statut} ${change.publiee_le ?? ''}`;
    done.set(key, { count: (done.get(key)?.count ?? 0) + ids.length, change });
  }
  return [...done].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}
