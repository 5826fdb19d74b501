import { ChevronDown } from 'lucide-react';
import type { ChartNode } from '#features/members/calls.ts';
import { PersonCard } from './PersonCard.tsx';
import { anchorOf, type Chart, nameOf } from './useChart.ts';

interface TeamProps {
  people: readonly ChartNode[];
  /** 0 at the top of the chart. */
  level: number;
  chart: Chart;
  onToggle(id: number, button: HTMLElement): void;
}

/** Most people of a column, and most columns, of a flat team. */
const COLUMN = 6;
const COLUMNS = 6;

/** People of one level, each with the team below. */
export function People({ people, level, chart, onToggle }: TeamProps) {
  return people.map((person) => (
    <li key={person.id}>
      <div id={anchorOf(person)} className={`card person ${chart.current === person.id ? 'current' : ''}`}>
        <PersonCard person={person} asked={chart.asked} />
        {person.children.length > 0 && <TeamButton person={person} chart={chart} onToggle={onToggle} />}
      </div>
      {person.children.length > 0 && (
        <ul
          id={teamOf(person)}
          className={`team ${isFlat(person.children) ? 'flat' : ''} ${chart.folded.has(person.id) ? 'folded' : ''}`}
          style={{ '--level': level, '--columns': columnsOf(person) } as React.CSSProperties}
        >
          <People people={person.children} level={level + 1} chart={chart} onToggle={onToggle} />
        </ul>
      )}
    </li>
  ));
}

function TeamButton({
  person,
  chart,
  onToggle,
}: { person: ChartNode } & Pick<TeamProps, 'chart' | 'onToggle'>) {
  const isFolded = chart.folded.has(person.id);
  const size = person.children.length;
  return (
    <button
      type="button"
      className="-mx-1 -mb-1 flex min-h-11 items-center justify-between gap-2 rounded-[10px] px-1 text-left text-sm font-semibold text-pine hover:bg-mist noscript:hidden print:hidden"
      aria-expanded={!isFolded}
      aria-controls={teamOf(person)}
      onClick={({ currentTarget }) => onToggle(person.id, currentTarget)}
    >
      <span>
        <span className="sr-only">Équipe de {nameOf(person)}, </span>
        {size} {size > 1 ? 'personnes' : 'personne'}
      </span>
      <ChevronDown
        aria-hidden="true"
        className={`size-5 shrink-0 transition-transform ${isFolded ? '-rotate-90' : ''}`}
      />
    </button>
  );
}

function teamOf({ id }: ChartNode): string {
  return `equipe-${id}`;
}

/** True when nobody of a level leads others: such people stand in columns, however many they are. */
export function isFlat(people: readonly ChartNode[]): boolean {
  return people.every((one) => one.children.length === 0);
}

function columnsOf({ children }: ChartNode): number {
  return Math.min(COLUMNS, Math.ceil(children.length / COLUMN));
}
