import { Download } from 'lucide-react';
import { countOf } from '#features/photos/web/checking/texts.ts';
import { addressOf } from '#platform/web/api.ts';
import type { Day } from './days.ts';
import { useGivenTicks } from './useTicks.ts';

interface DayBarProps {
  stageId: number;
  day: Day;
  title: string;
  /** False: other photos of the day are hidden, and the file would hold them. */
  isWhole: boolean;
}

/** Beside the heading of a day: all its photos as one file, or ticked at once. */
export function DayBar({ stageId, day: { jour, photos }, title, isWhole }: DayBarProps) {
  const { isTicking, ticked, tick } = useGivenTicks();
  if (photos.length === 0) return null;
  if (isTicking) {
    const areAllTicked = photos.every(({ id }) => ticked.has(id));
    return (
      <button
        type="button"
        className="button quiet mr-2 shrink-0 md:mr-0"
        onClick={() =>
          tick(
            photos.map(({ id }) => id),
            !areAllTicked,
          )
        }
      >
        {areAllTicked ? 'Ne rien choisir' : 'Tout choisir'}
        <span className="sr-only">, {title}</span>
      </button>
    );
  }
  if (!isWhole) return null;
  return (
    <a
      href={addressOf('GET /stages/:id/photos.zip', { params: { id: stageId }, query: { jour } })}
      download
      className="round-button"
      title="Télécharger ce jour"
    >
      <Download aria-hidden="true" className="size-5" />
      <span className="sr-only">
        Télécharger {countOf(photos.length)} du {title}
      </span>
    </a>
  );
}
