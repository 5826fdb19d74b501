import { CircleCheck, ListChecks } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import type { Tracking } from '#features/photos/web/useStayPhotos.ts';
import type { Tally } from '#features/sending/shared/sending.ts';
import type { NamedStay } from '#features/stays/web/stays.ts';
import { WordLink } from './DayWords.tsx';

interface NextStepProps {
  stay: NamedStay;
  tally: Tally;
  tracking: Tracking;
  isChecking: boolean;
  onCheck(): void;
}

/** What a director does with photos that have arrived: check them, then write the word of the day. */
export function NextStep({ stay, tally, tracking, isChecking, onCheck }: NextStepProps) {
  const { a_verifier: toCheck = 0, recue: inPreparation = 0 } = tracking.par_statut;
  const { total, ready, left } = tally;
  /** True from the opening of the checking screen until it has been left with nothing to check. */
  const hasChecked = useRef(false);
  useEffect(() => {
    if (isChecking) hasChecked.current = true;
  }, [isChecking]);
  if (ready === 0) return null;
  if (toCheck === 0) {
    const isDone = left === 0 && inPreparation === 0;
    return isDone && <AllChecked stay={stay} isChecking={isChecking} hasChecked={hasChecked} />;
  }
  const isLarge = left === 0;
  return (
    <div className="flex flex-col items-start gap-3">
      {isLarge && <p>{unseenText(toCheck, total)}</p>}
      <button
        type="button"
        className={`button ${isLarge ? 'min-h-14 px-6 text-lg max-sm:w-full' : ''}`}
        onClick={onCheck}
      >
        <ListChecks aria-hidden="true" className={isLarge ? 'size-6' : 'size-5'} />
        Vérifier et publier ({toCheck})
      </button>
    </div>
  );
}

function unseenText(toCheck: number, total: number): string {
  if (toCheck >= total) {
    return `Les familles ne ${total === 1 ? 'la' : 'les'} voient pas encore.`;
  }
  return toCheck === 1
    ? 'Les familles ne voient pas encore la photo qui reste à vérifier.'
    : `Les familles ne voient pas encore les ${toCheck} photos qui restent à vérifier.`;
}

interface AllCheckedProps extends Pick<NextStepProps, 'stay' | 'isChecking'> {
  hasChecked: RefObject<boolean>;
}

function AllChecked({ stay, isChecking, hasChecked }: AllCheckedProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChecking || !hasChecked.current) return;
    hasChecked.current = false;
    // The button that opened the checking screen, to which the focus would go back, is gone.
    const places = [document.body, document.getElementById('contenu')];
    if (places.some((place) => place === document.activeElement)) box.current?.focus();
  }, [isChecking, hasChecked]);
  return (
    <div ref={box} tabIndex={-1} className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="flex items-center gap-2">
        <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-moss" />
        Tout est vérifié.
      </p>
      <WordLink stay={stay} className="button" />
    </div>
  );
}
