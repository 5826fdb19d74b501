import { ChevronDown, FoldVertical, Mail, Minus, Phone, Plus, Printer, UnfoldVertical } from 'lucide-react';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ChartNode } from '#features/members/calls.ts';
import { addressOfFolder } from '#platform/shared/pictures.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { illustrationOf, Picture } from '#platform/web/ui/Picture.tsx';
import { Marked } from '#platform/web/ui/SearchBox.tsx';
import { telephoneAddress } from '#platform/web/ui/texts.ts';
import { anchorOf, CHART_QUESTION, type Chart, nameOf, useChart } from './useChart.ts';

/** The page of the org chart. */
export function OrgChartPage() {
  const query = useQuestion(CHART_QUESTION, 'Erreur lors de la récupération de l’organigramme:');
  return (
    <div className="@container">
      <div className="page">
        <h1 className="mb-5">Notre équipe</h1>
        <ListState
          query={query}
          failed="L’organigramme n’a pas pu être chargé."
          empty={<p>L’organigramme n’est pas encore en ligne.</p>}
          drawing="campfire"
        >
          {(people) => <OrgChart people={people} />}
        </ListState>
      </div>
    </div>
  );
}

/** The chart: nested lists, which wide screens draw as a tree. */
function OrgChart({ people }: { people: readonly ChartNode[] }) {
  const chart = useChart(people);
  const [zoom, setZoom] = useState(100);
  const area = useRef<HTMLElement>(null);
  useEffect(() => {
    // With one person at the top, start in the middle of a tree that is wider than the screen.
    if (!area.current || people.length > 1) return;
    area.current.scrollLeft = (area.current.scrollWidth - area.current.clientWidth) / 2;
  }, [people.length]);
  const keep = (change: () => void) => area.current && keepMiddle(area.current, change);
  return (
    <>
      <ChartSearch chart={chart} />
      <ChartTools
        zoom={zoom}
        onZoom={(wanted) => keep(() => setZoom(wanted))}
        onUnfoldAll={() => keep(chart.unfoldAll)}
        onFoldAll={() => keep(chart.foldAll)}
      />
      <section
        ref={area}
        aria-label="Organigramme"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        className="chart-area"
        {...panning}
      >
        <ul
          className={`chart ${isFlat(people) ? 'flat' : ''}`}
          style={{ '--zoom': zoom / 100 } as React.CSSProperties}
        >
          <People
            people={people}
            level={0}
            chart={chart}
            onToggle={(id, button) =>
              area.current && keepInPlace(area.current, button, () => chart.toggle(id))
            }
          />
        </ul>
      </section>
    </>
  );
}

/** Lets a mouse drag the tree by its background; text in the cards can still be selected. */
const panning = {
  onPointerDown(event: PointerEvent<HTMLElement>) {
    const { target, currentTarget: area, pointerType, button, pointerId, clientY } = event;
    const isOnBar = clientY - area.getBoundingClientRect().top > area.clientHeight;
    if (pointerType !== 'mouse' || button !== 0 || isOnBar || (target as Element).closest('.person')) return;
    event.preventDefault();
    area.setPointerCapture(pointerId);
  },
  onPointerMove({ currentTarget: area, pointerId, movementX, movementY }: PointerEvent<HTMLElement>) {
    if (!area.hasPointerCapture(pointerId)) return;
    area.scrollBy(-movementX, 0);
    window.scrollBy(0, -movementY);
  },
};

/*
 * The tree is as wide as its unfolded teams. These functions apply a change and scroll the area, so that what people
 * are reading stays in view.
 */

/** Applies a change, keeping an element of the area at its place on screen. */
function keepInPlace(area: HTMLElement, element: HTMLElement, change: () => void): void {
  const before = element.getBoundingClientRect().left;
  flushSync(change);
  area.scrollLeft += element.getBoundingClientRect().left - before;
}

/** Applies a change, keeping the middle of the area in the middle. */
function keepMiddle(area: HTMLElement, change: () => void): void {
  const middle = (area.scrollLeft + area.clientWidth / 2) / area.scrollWidth;
  flushSync(change);
  area.scrollLeft = middle * area.scrollWidth - area.clientWidth / 2;
}

/** Search field for people by name or post, with a button to the next one found. */
function ChartSearch({ chart }: { chart: Chart }) {
  const { search, found, lookFor, goToNext } = chart;
  return (
    <search
      className={`chart-search block noscript:hidden print:hidden ${search.trim() === '' ? '' : 'stays'}`}
    >
      <form
        className="flex flex-wrap items-center gap-x-3 gap-y-2"
        onSubmit={(event) => {
          event.preventDefault();
          goToNext();
        }}
      >
        <input
          type="search"
          name="recherche"
          aria-label="Chercher un nom ou un poste"
          placeholder="Chercher un nom ou un poste"
          autoComplete="off"
          maxLength={100}
          className="input min-w-0 flex-1 md:max-w-sm"
          value={search}
          onChange={({ target }) => lookFor(target.value)}
          onKeyDown={({ key }) => key === 'Escape' && lookFor('')}
        />
        {found.length > 0 && (
          <button type="submit" className="button">
            Suivant
          </button>
        )}
        <p role="status" className="min-w-0 text-sm wrap-anywhere text-quiet max-md:basis-full">
          {saidOf(chart)}
        </p>
      </form>
    </search>
  );
}

function saidOf({ search, asked, found, at }: Chart): string {
  const pointed = found[at];
  if (pointed) return `${at + 1} sur ${found.length}\u202f: ${nameOf(pointed.person)}`;
  if (asked.length === 0) return '';
  if (found.length === 0) return `Personne ne correspond à «\u00a0${search.trim()}\u00a0».`;
  return found.length > 1 ? `${found.length} personnes trouvées` : '1 personne trouvée';
}

/** Zoom levels, in percent. */
const SMALLEST = 60;
const LARGEST = 160;
const STEP = 20;

interface ChartToolsProps {
  zoom: number;
  onZoom(zoom: number): void;
  onUnfoldAll(): void;
  onFoldAll(): void;
}

function ChartTools({ zoom, onZoom, onUnfoldAll, onFoldAll }: ChartToolsProps) {
  return (
    <div className="mt-1 flex flex-wrap items-center gap-2 noscript:hidden print:hidden">
      <button type="button" className="button quiet" onClick={onUnfoldAll}>
        <UnfoldVertical aria-hidden="true" className="size-5" />
        Tout déplier
      </button>
      <button type="button" className="button quiet" onClick={onFoldAll}>
        <FoldVertical aria-hidden="true" className="size-5" />
        Tout replier
      </button>
      <button type="button" className="button quiet" onClick={() => window.print()}>
        <Printer aria-hidden="true" className="size-5" />
        Imprimer
      </button>
      <div className="hidden items-center gap-1 md:flex">
        <ZoomButton label="Réduire" isAtEnd={zoom <= SMALLEST} onClick={() => onZoom(zoom - STEP)}>
          <Minus aria-hidden="true" />
        </ZoomButton>
        <button type="button" className="button quiet min-w-20" onClick={() => onZoom(100)}>
          <span aria-hidden="true">{zoom}&nbsp;%</span>
          <span className="sr-only">Revenir à 100&nbsp;%</span>
        </button>
        <ZoomButton label="Agrandir" isAtEnd={zoom >= LARGEST} onClick={() => onZoom(zoom + STEP)}>
          <Plus aria-hidden="true" />
        </ZoomButton>
        <p role="status" className="sr-only">
          Taille{'\u202f'}: {zoom}
          {'\u00a0'}%
        </p>
      </div>
    </div>
  );
}

interface ZoomButtonProps {
  label: string;
  isAtEnd: boolean;
  onClick(): void;
  children: React.ReactNode;
}

function ZoomButton({ label, isAtEnd, onClick, children }: ZoomButtonProps) {
  // Not `disabled`: a button that becomes disabled loses the keyboard’s focus.
  return (
    <button
      type="button"
      className="round-button"
      aria-disabled={isAtEnd}
      onClick={() => isAtEnd || onClick()}
    >
      {children}
      <span className="sr-only">{label}</span>
    </button>
  );
}

interface TeamProps {
  people: readonly ChartNode[];
  /** 0 at the top of the chart. */
  level: number;
  chart: Chart;
  onToggle(id: number, button: HTMLElement): void;
}

/** Maximum number of people in a column, and of columns, of a flat team. */
const COLUMN = 6;
const COLUMNS = 6;

/** The people of one team, each with their own team below. */
function People({ people, level, chart, onToggle }: TeamProps) {
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

/** True when nobody of a team leads others: such people are shown in columns, however many they are. */
function isFlat(people: readonly ChartNode[]): boolean {
  return people.every((one) => one.children.length === 0);
}

function columnsOf({ children }: ChartNode): number {
  return Math.min(COLUMNS, Math.ceil(children.length / COLUMN));
}

const CONTACT = 'flex min-h-11 items-center gap-2 text-sm print:min-h-0';

/** A person's name and post, and the contact details that visitors may see. */
function PersonCard({ person, asked }: { person: ChartNode; asked: readonly string[] }) {
  const { poste, role, email, telephone } = person;
  return (
    <>
      <div className="flex items-center gap-3">
        <Portrait person={person} />
        <div className="min-w-0 leading-snug wrap-anywhere">
          <p className="font-title text-lg leading-tight font-semibold">
            <Marked text={nameOf(person)} asked={asked} />
          </p>
          <p className="mt-1 text-sm">
            <Marked text={poste} asked={asked} />
          </p>
          {role === 'Responsable' && <p className="mt-1 text-xs font-semibold text-quiet">Responsable</p>}
        </div>
      </div>
      {(email || telephone) && (
        <div className="mt-1 print:flex print:flex-wrap print:gap-x-6">
          {email && (
            <a href={`mailto:${email}`} className={CONTACT}>
              <Mail aria-hidden="true" className="size-4 shrink-0" />
              <span className="min-w-0 wrap-anywhere">{email}</span>
            </a>
          )}
          {telephone && <Telephone text={telephone} />}
        </div>
      )}
    </>
  );
}

function Telephone({ text }: { text: string }) {
  const shown = (
    <>
      <Phone aria-hidden="true" className="size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </>
  );
  const address = telephoneAddress(text);
  if (!address) return <p className={CONTACT}>{shown}</p>;
  return (
    <a href={address} className={CONTACT}>
      {shown}
    </a>
  );
}

const COLOURS = ['bg-pine text-on-pine', 'bg-sun text-on-sun', 'bg-lake text-card', 'bg-mist text-pine'];
const SHAPE = 'size-16 shrink-0 rounded-full print:size-10';

function Portrait({ person }: { person: ChartNode }) {
  const { id, prenom, nom, photo, illustrations, cadrage_x, cadrage_y } = person;
  const illustration = illustrationOf(photo, illustrations);
  if (illustration) {
    return (
      <Picture
        illustration={illustration}
        folder={addressOfFolder('images_stages')}
        sizes="64px"
        position={`${cadrage_x}% ${cadrage_y}%`}
        className={SHAPE}
      />
    );
  }
  return (
    <span
      aria-hidden="true"
      className={`flex items-center justify-center font-title text-xl font-semibold uppercase print:border print:text-base print:text-ink ${SHAPE} ${COLOURS[id % COLOURS.length]}`}
    >
      {[...prenom].slice(0, 1)}
      {[...nom].slice(0, 1)}
    </span>
  );
}
