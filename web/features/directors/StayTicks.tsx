import { CATEGORIES, type Category } from '../../../shared/stays/terms.ts';
import { useSite } from '../../site.tsx';
import { type NamedStay, stayLabel } from '../../stays.ts';
import { TickedStays } from '../../ui/TickedStays.tsx';
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
  const { locale } = useSite();
  const typeOf = (stay: NamedStay) => sejours.find(({ stageId }) => stageId === stay.id)?.cat;
  const isTicked = (stay: NamedStay) => (typeOf(stay) !== undefined) !== changed.includes(stay.id);
  // Those directed come first, and stay there while ticks change.
  const ordered = [...stays.filter(typeOf), ...stays.filter((stay) => !typeOf(stay))];
  return (
    <TickedStays stays={ordered} count={stays.filter(isTicked).length} error={error}>
      {(shown) => (
        <ul className="max-h-96 overflow-y-auto rounded-[10px] border border-edge bg-card px-3 py-1">
          {shown.map((stay) => (
            <li key={stay.id} className="border-b border-mist last:border-b-0">
              <label className="flex min-h-12 items-center gap-3 py-1.5 wrap-anywhere">
                <input
                  type="checkbox"
                  className="size-5 shrink-0"
                  checked={isTicked(stay)}
                  onChange={() => onToggle(stay.id)}
                />
                <span className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-3">
                  {stayLabel(stay, locale)}
                  <Mark type={typeOf(stay)} isChanged={changed.includes(stay.id)} />
                </span>
              </label>
            </li>
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
