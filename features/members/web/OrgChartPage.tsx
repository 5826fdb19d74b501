import {
  ChevronDown,
  ChevronUp,
  FoldVertical,
  Mail,
  Minus,
  Network,
  Phone,
  Plus,
  Printer,
  Rows3,
  Scan,
  UnfoldVertical,
} from 'lucide-react';
import { type PointerEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { longDay } from '#platform/shared/dates.ts';
import { ofName } from '#platform/shared/elision.ts';
import { addressOfFolder } from '#platform/shared/pictures.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button, RoundButton } from '#platform/web/ui/Button.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { Marked } from '#platform/web/ui/Marked.tsx';
import { illustrationOf, Picture } from '#platform/web/ui/Picture.tsx';
import { telephoneAddress } from '#platform/web/ui/texts.ts';
import type { ChartNode } from '../calls.ts';
import { anchorOf, type Chart, nameOf, useChart } from './useChart.ts';
import { columnsOf, isDrawn, LARGEST, LEAST_ON_PAPER, paperZoom, SMALLEST, useFit } from './useFit.ts';

export function OrgChartPage() {
  const { organisation, today } = useSite();
  const query = useQuestion(
    { key: 'GET /employe/orgchart' },
    { failure: 'Erreur lors de la récupération de l’organigramme:' },
  );
  return (
    <div className="chart-page @container">
      <div className="page">
        <h1 className="mb-5 print:mb-1">Notre équipe</h1>
        <p className="mb-4 hidden print:block">
          {organisation || 'Portail CSE'} · organigramme du {longDay(today)}
        </p>
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

/** The two ways to show the chart; until somebody chooses, the width of the page does. */
type View = 'as-list' | 'as-drawing';

/** The chart: nested lists, which are drawn as a tree where there is room. */
function OrgChart({ people }: { people: readonly ChartNode[] }) {
  const chart = useChart(people);
  const [view, setView] = useState<View>();
  const fit = useFit(chart);
  const { area, zoom } = fit;
  const [a4, a3] = [paperZoom(people, 'a4'), paperZoom(people, 'a3')];
  const mayFit = chart.folded.size === 0;
  const fitsA4 = mayFit && a4 >= LEAST_ON_PAPER;
  const fitsA3 = mayFit && a3 >= LEAST_ON_PAPER;
  return (
    <>
      <ChartSearch chart={chart} />
      <div
        className={`chart-view ${view ?? ''} ${fitsA4 ? 'on-a4' : ''} ${fitsA3 ? 'on-a3' : ''}`}
        style={{ '--a4': a4, '--a3': a3 } as React.CSSProperties}
      >
        <div className="text-base">
          <ChartTools
            chart={chart}
            fit={fit}
            hasTeams={people.some(({ children }) => children.length > 0)}
            isForA3={fitsA3 && !fitsA4}
            onView={() => {
              setView(area.current && isDrawn(area.current) ? 'as-list' : 'as-drawing');
              fit.fitAgain();
            }}
          />
          <section
            ref={area}
            aria-label="Organigramme"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
            tabIndex={0}
            className="chart-area"
            {...panning(fit.holdPlace)}
            {...fit.heldBy}
          >
            <ul
              className={`chart ${isFlat(people, chart) ? 'flat' : ''}`}
              style={{ '--zoom': zoom / 100 } as React.CSSProperties}
            >
              <People
                people={people}
                level={0}
                isAlone={people.length === 1}
                chart={chart}
                onToggle={(id, button) => {
                  fit.holdPlace();
                  fit.holdTeams();
                  keepInPlace(area.current, button, () => chart.toggle(id));
                }}
              />
            </ul>
          </section>
        </div>
      </div>
    </>
  );
}

/** Lets a mouse drag the tree by its background; text in the cards can still be selected. */
const panning = (onDragged: () => void) => ({
  onPointerDown(event: PointerEvent<HTMLElement>) {
    const { target, currentTarget: area, pointerType, button, pointerId, clientY } = event;
    const isOnBar = clientY - area.getBoundingClientRect().top > area.clientHeight;
    if (pointerType !== 'mouse' || button !== 0 || isOnBar || (target as Element).closest('.person')) return;
    event.preventDefault();
    area.setPointerCapture(pointerId);
  },
  onPointerMove({ currentTarget: area, pointerId, movementX, movementY }: PointerEvent<HTMLElement>) {
    if (!area.hasPointerCapture(pointerId)) return;
    onDragged();
    area.scrollBy(-movementX, 0);
    window.scrollBy(0, -movementY);
  },
});

/*
 * The tree is as wide as its unfolded teams. These functions apply a change and scroll the area, so that what people
 * are reading stays in view.
 */

function keepInPlace(area: HTMLElement | null, element: HTMLElement, change: () => void): void {
  const before = element.getBoundingClientRect();
  flushSync(change);
  const after = element.getBoundingClientRect();
  area?.scrollBy(after.left - before.left, 0);
  window.scrollBy({ top: after.top - before.top, behavior: 'instant' });
}

function keepMiddle(area: HTMLElement | null, change: () => void): void {
  if (!area) return;
  const middle = (area.scrollLeft + area.clientWidth / 2) / area.scrollWidth;
  flushSync(change);
  area.scrollLeft = middle * area.scrollWidth - area.clientWidth / 2;
}

/** Search field for people by name or post: goes to the first while one types, then to the others. */
function ChartSearch({ chart }: { chart: Chart }) {
  const { search, found, lookFor, goOn } = chart;
  return (
    <search className={`chart-search ${search.trim() === '' ? '' : 'stays'}`}>
      <form
        className="flex flex-wrap items-center gap-x-3 gap-y-1"
        onSubmit={(event) => {
          event.preventDefault();
          goOn(1);
        }}
      >
        <input
          type="search"
          name="recherche"
          aria-label="Chercher un nom ou un poste"
          placeholder="Chercher un nom ou un poste"
          autoComplete="off"
          enterKeyHint="next"
          maxLength={100}
          className="input min-w-0 flex-1 md:max-w-sm"
          value={search}
          onChange={({ target }) => lookFor(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') lookFor('');
            if (event.key !== 'Enter' || !event.shiftKey) return;
            event.preventDefault();
            goOn(-1);
          }}
        />
        {found.length > 1 && (
          <div className="flex">
            <RoundButton label="Précédent" onClick={() => goOn(-1)}>
              <ChevronUp />
            </RoundButton>
            <RoundButton label="Suivant" type="submit">
              <ChevronDown />
            </RoundButton>
          </div>
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
  return `Personne ne correspond à «\u00a0${search.trim()}\u00a0».`;
}

const STEP = 20;

interface ChartToolsProps {
  chart: Chart;
  fit: ReturnType<typeof useFit>;
  hasTeams: boolean;
  /** True when the drawing fits on a page of A3 and on none of A4. */
  isForA3: boolean;
  onView(): void;
}

function ChartTools({ chart, fit, hasTeams, isForA3, onView }: ChartToolsProps) {
  const { area, zoom } = fit;
  const zoomTo = (wanted: number) => keepMiddle(area.current, () => fit.zoomTo(wanted));
  const andFit = (work: () => void) => () => {
    work();
    fit.fitAgain();
  };
  return (
    <div className="chart-tools">
      <Button quiet onClick={onView}>
        {/* Which of the two is shown depends on the width, which styles know before any script has run. */}
        <Rows3 className="when-drawn size-5" />
        <span className="when-drawn">Voir la liste</span>
        <Network className="when-listed size-5" />
        <span className="when-listed">Voir l’organigramme</span>
      </Button>
      {hasTeams && (
        <>
          <Button quiet onClick={andFit(chart.unfoldAll)}>
            <UnfoldVertical className="size-5" />
            Tout déplier
          </Button>
          <Button quiet onClick={andFit(chart.foldAll)}>
            <FoldVertical className="size-5" />
            Tout replier
          </Button>
        </>
      )}
      <Button quiet onClick={() => window.print()}>
        <Printer className="size-5" />
        Imprimer
      </Button>
      <div className="when-drawn">
        <div className="flex items-center gap-1">
          <RoundButton
            label="Réduire"
            isAtEnd={zoom <= SMALLEST}
            onClick={() => zoomTo(Math.ceil(zoom / STEP - 1) * STEP)}
          >
            <Minus />
          </RoundButton>
          <Button quiet className="min-w-20" onClick={() => zoomTo(100)}>
            <span aria-hidden="true">{zoom}&nbsp;%</span>
            <span className="sr-only">Revenir à 100&nbsp;%</span>
          </Button>
          <RoundButton
            label="Agrandir"
            isAtEnd={zoom >= LARGEST}
            onClick={() => zoomTo(Math.floor(zoom / STEP + 1) * STEP)}
          >
            <Plus />
          </RoundButton>
          <RoundButton label="Ajuster à la page" onClick={fit.fitAgain}>
            <Scan className="size-5" />
          </RoundButton>
          <p role="status" className="sr-only">
            Taille{'\u202f'}: {zoom}
            {'\u00a0'}%
          </p>
        </div>
      </div>
      {isForA3 && (
        <p className="text-sm text-quiet">
          Sur papier, il est dessiné sur une page A3, ou en liste sur des pages A4.
        </p>
      )}
    </div>
  );
}

interface TeamProps {
  people: readonly ChartNode[];
  /** 0 at the top of the chart. */
  level: number;
  /** True when nobody else is at the level of whoever leads them. */
  isAlone: boolean;
  chart: Chart;
  onToggle(id: number, button: HTMLElement): void;
}

const NOTHING: readonly string[] = [];

function People({ people, level, isAlone, chart, onToggle }: TeamProps) {
  return people.map((person) => (
    <li key={person.id}>
      <div id={anchorOf(person)} className={`card person ${chart.current === person.id ? 'current' : ''}`}>
        <PersonCard person={person} asked={chart.isFound(person) ? chart.asked : NOTHING} />
        {person.children.length > 0 && <TeamButton person={person} chart={chart} onToggle={onToggle} />}
      </div>
      {person.children.length > 0 && (
        <ul
          id={teamOf(person)}
          className={`team ${isFlat(person.children, chart) ? 'flat' : ''} ${chart.folded.has(person.id) ? 'folded' : ''}`}
          style={
            {
              '--level': level,
              '--columns': columnsOf(person.children.length, isAlone),
            } as React.CSSProperties
          }
        >
          <People
            people={person.children}
            level={level + 1}
            isAlone={isAlone && person.children.length === 1}
            chart={chart}
            onToggle={onToggle}
          />
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
      className="team-button"
      aria-expanded={!isFolded}
      aria-controls={teamOf(person)}
      onClick={({ currentTarget }) => onToggle(person.id, currentTarget)}
    >
      <span>
        <span className="sr-only">Équipe {ofName(nameOf(person))}, </span>
        {size} {size > 1 ? 'personnes' : 'personne'}
      </span>
      <ChevronDown className={`size-5 shrink-0 transition-transform ${isFolded ? '-rotate-90' : ''}`} />
    </button>
  );
}

function teamOf({ id }: ChartNode): string {
  return `equipe-${id}`;
}

/** True when nobody of a team has people below: they are shown in columns, however many they are. */
function isFlat(people: readonly ChartNode[], { folded }: Chart): boolean {
  return people.every(({ id, children }) => children.length === 0 || folded.has(id));
}

const CONTACT = 'flex min-h-11 items-center gap-2 text-sm print:min-h-0';

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
          {role === 'Responsable' && (
            <p className="mt-1 text-note font-semibold text-quiet print:text-sm">Responsable</p>
          )}
        </div>
      </div>
      {(email || telephone) && (
        <div className="mt-1 print:flex print:flex-wrap print:gap-x-6">
          {email && (
            <a href={`mailto:${email}`} className={CONTACT}>
              <Mail className="size-4 shrink-0" />
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
      <Phone className="size-4 shrink-0" />
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
      className={`initials print:border print:bg-transparent print:text-base print:text-ink ${SHAPE} ${COLOURS[id % COLOURS.length]}`}
    >
      {[...prenom].slice(0, 1)}
      {[...nom].slice(0, 1)}
    </span>
  );
}
