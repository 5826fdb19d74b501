import { useId } from 'react';
import { type CountedStay, groupedStays } from '#features/stays/web/stays.ts';
import { TickedStay, TickedStays } from '#features/stays/web/TickedStays.tsx';
import type { PasswordType } from '#platform/shared/roles.ts';
import { useSite } from '#platform/web/site.tsx';
import { countOf } from './mailings.ts';

interface StaysFieldProps {
  stays: readonly CountedStay[];
  /** Who is counted beside each. */
  type: PasswordType;
  ticked: readonly number[];
  onTick(ids: readonly number[], isTicked: boolean): void;
  error: string | undefined;
}

/** The stays to tick, by where they stand, one by one or all that are shown. */
export function StaysField({ stays, type, ticked, onTick, error }: StaysFieldProps) {
  const { today } = useSite();
  return (
    <TickedStays stays={stays} count={ticked.length} error={error}>
      {(shown) => (
        <div
          className={`flex max-h-112 flex-col gap-4 overflow-y-auto rounded-[10px] border bg-card px-3 py-2 ${error ? 'border-coral' : 'border-edge'}`}
        >
          {groupedStays(shown, today).map((group) => (
            <Group key={group.title} {...group} {...{ type, ticked, onTick }} isWrong={error !== undefined} />
          ))}
          {shown.length === 0 && <p className="py-2 text-quiet">Aucun séjour ne correspond.</p>}
        </div>
      )}
    </TickedStays>
  );
}

type GroupProps = Pick<StaysFieldProps, 'stays' | 'type' | 'ticked' | 'onTick'> & {
  title: string;
  isWrong: boolean;
};

function Group({ title, stays, type, ticked, onTick, isWrong }: GroupProps) {
  const id = useId();
  const ids = stays.map((stay) => stay.id);
  const areAllTicked = ids.every((one) => ticked.includes(one));
  return (
    <section aria-labelledby={id}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-b border-mist">
        <p id={id} className="font-semibold">
          {title}
        </p>
        <button
          type="button"
          className="min-h-11 px-2 text-sm text-lake underline underline-offset-3"
          aria-describedby={id}
          onClick={() => onTick(ids, !areAllTicked)}
        >
          {areAllTicked ? 'Tout décocher' : 'Tout cocher'}
        </button>
      </div>
      <ul>
        {stays.map((stay) => (
          <TickedStay
            key={stay.id}
            stay={stay}
            isTicked={ticked.includes(stay.id)}
            onTick={(isTicked) => onTick([stay.id], isTicked)}
            isWrong={isWrong}
          >
            <span className="text-sm text-quiet">{peopleIn(stay, type)}</span>
          </TickedStay>
        ))}
      </ul>
    </section>
  );
}

function peopleIn({ familles, directeurs }: CountedStay, type: PasswordType): string {
  if (type === 'stagiaire') return familles === 0 ? 'aucun enfant' : countOf(familles, 'enfant');
  return directeurs === 0 ? 'aucun directeur' : countOf(directeurs, 'directeur');
}
