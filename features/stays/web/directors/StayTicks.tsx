import { CATEGORIES, type Category } from '#features/stays/shared/terms.ts';
import type { NamedStay } from '#features/stays/web/stays.ts';
import { TickedStay, TickedStays } from '#features/stays/web/TickedStays.tsx';
import type { DirectedStay } from './directors.ts';

interface StayTicksProps {
  stays: readonly NamedStay[];
  /** Those directed now. */
  sejours: readonly DirectedStay[];
  /** Ids of those that are about to be added or taken off. */
  changed: readonly number[];
  onToggle(id: number): void;
  error: string | undefined;
}

/** All stays, ticked where they are directed, each with what saving would make of it. */
export function StayTicks({ stays, sejours, changed, onToggle, error }: StayTicksProps) {
  const typeOf = (stay: NamedStay) => sejours.find(({ stageId }) => stageId === stay.id)?.cat;
  const isTicked = (stay: NamedStay) => (typeOf(stay) !== undefined) !== changed.includes(stay.id);
  // Those directed come first, and stay there while ticks change.
  const ordered = [...stays.filter(typeOf), ...stays.filter((stay) => !typeOf(stay))];
  return (
    <TickedStays stays={ordered} count={stays.filter(isTicked).length} error={error}>
      {(shown) => (
        <ul className="max-h-96 overflow-y-auto rounded-[10px] border border-edge bg-card px-3 py-1">
          {shown.map((stay) => (
            <TickedStay key={stay.id} stay={stay} isTicked={isTicked(stay)} onTick={() => onToggle(stay.id)}>
              <Mark type={typeOf(stay)} isChanged={changed.includes(stay.id)} />
            </TickedStay>
          ))}
        </ul>
      )}
    </TickedStays>
  );
}

/** The type of a stay that is kept, or what saving does to it. */
function Mark({ type, isChanged }: { type: Category | undefined; isChanged: boolean }) {
  if (isChanged) {
    return (
      <span className={`text-sm font-semibold ${type ? 'text-coral' : 'text-pine'}`}>
        {type ? 'à retirer' : 'à ajouter'}
      </span>
    );
  }
  return type && <span className="rounded-full bg-mist px-3 text-sm font-semibold">{CATEGORIES[type]}</span>;
}
