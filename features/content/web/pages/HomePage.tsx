import type { UseQueryResult } from '@tanstack/react-query';
import { ArrowLeft, ArrowRight, FileText, Gift, Images, Mail } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { CallKey, ReplyOf } from '#platform/shared/call.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { PauseButton, useAutoplay } from '#platform/web/ui/autoplay.tsx';
import { RoundButton } from '#platform/web/ui/Button.tsx';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { useIsAlive } from '#platform/web/ui/inBrowser.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { illustrationOf, Picture } from '#platform/web/ui/Picture.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { Moment } from '#platform/web/ui/Time.tsx';
import { ArticleCard, CalendarLeaf } from './Card.tsx';
import { FOLDER, HOME_QUESTIONS, isUpcoming } from './questions.ts';

/** The home page: lists that are loaded separately, so that one that fails never hides the others. */
export function HomePage() {
  const { organisation } = useSite();
  const featured = useQuestion(HOME_QUESTIONS.featured, {
    failure: 'Erreur lors de la récupération des éléments À la Une:',
  });
  const news = useQuestion(HOME_QUESTIONS.news, {
    failure: 'Erreur lors de la récupération des actualités:',
  });
  const events = useQuestion(HOME_QUESTIONS.events);
  const partners = useQuestion(HOME_QUESTIONS.partners, {
    failure: 'Erreur lors de la récupération des logos:',
  });
  return (
    <>
      <div className="home-banner">
        <Drawing name="horizon" />
      </div>
      <div className="page pt-2">
        <h1 className="mb-2 text-[1.5rem]">
          {organisation ? `${organisation}\u202f: nos` : 'Nos'} colonies{' '}
          <span className="max-sm:hidden">de vacances </span>et votre comité social et économique
        </h1>
        <Doors />
        <div className="home-columns">
          <Section id="a-la-une" title="À la Une" look="mb-2 text-2xl">
            <FeaturedList query={featured} />
          </Section>
          <Section id="actualite" title="L’Actualité" look="mb-2 text-2xl">
            <NewsList query={news} />
          </Section>
          <Section id="a-venir" title="Prochains événements" look="mb-2 text-2xl">
            <NextEvents query={events} />
          </Section>
          <Section id="partenaires" title="Partenaires" look="mb-2 text-2xl">
            <PartnerList query={partners} />
          </Section>
        </div>
      </div>
    </>
  );
}

/** Where people go who do not come for the news. */
const DOORS = [
  // A family that is signed in is led on to its photos.
  { to: '/connexion#photos', label: 'Photos des séjours', help: 'Familles et directeurs', Icon: Images },
  { to: '/avantages', label: 'Avantages', help: 'Vos réductions', Icon: Gift },
  { to: '/compte-rendus', label: 'Compte rendus', help: 'Réunions du CSE', Icon: FileText },
  { to: '/contact', label: 'Contact', help: 'Écrire au CSE', Icon: Mail },
];

function Doors() {
  return (
    <nav aria-label="Accès directs">
      <ul className="doors">
        {DOORS.map(({ to, label, help, Icon }) => (
          <li key={to}>
            <Link to={to} className="door">
              <Icon className="size-6 shrink-0 text-pine" />
              <span className="min-w-0">
                <span className="block leading-tight font-semibold">{label}</span>
                <span className="door-help">{help}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function SeeAll({ to, children }: { to: string; children: string }) {
  return (
    <p className="see-all">
      <Link to={to} className="inline-flex min-h-11 items-center font-semibold">
        {children}
      </Link>
    </p>
  );
}

interface ListProps<K extends CallKey> {
  query: UseQueryResult<ReplyOf<K>>;
}

function NextEvents({ query }: ListProps<'GET /events'>) {
  const { today } = useSite();
  const none = 'Pas d’événement à venir pour le moment.';
  return (
    <ListState
      query={query}
      failed="Les événements n’ont pas pu être chargés."
      empty={none}
      drawing="campfire"
    >
      {(events) => (
        <>
          {events.every((event) => !isUpcoming(event, today)) && <p className="well">{none}</p>}
          <ul className="flex flex-col gap-3">
            {events
              .filter((event) => isUpcoming(event, today))
              .map(({ id, title, date, fin, location }) => (
                <li key={id} className="next-event">
                  <CalendarLeaf date={date} className="shrink-0" />
                  <div className="min-w-0">
                    <h3 className="card-title">
                      <Link to={`/event-detail/${id}`} className="row-open">
                        {title}
                      </Link>
                    </h3>
                    <p className="text-sm text-quiet first-letter:uppercase">
                      <Moment value={date} end={fin} />
                      {location !== '' && ` · ${location}`}
                    </p>
                  </div>
                </li>
              ))}
          </ul>
          <SeeAll to="/Evenements">Tous les événements</SeeAll>
        </>
      )}
    </ListState>
  );
}

function PartnerList({ query }: ListProps<'GET /logos'>) {
  return (
    <ListState
      query={query}
      failed="Les partenaires n’ont pas pu être chargés."
      empty="Pas encore de partenaire."
      drawing="clothesline"
    >
      {(items) => (
        <Carousel items={items} label="Partenaires" perView={4} gap={10} every={3000}>
          {({ nom, url_site, image, illustrations }, { isNear, isSeen }) => {
            const illustration = illustrationOf(image, illustrations);
            return (
              <a
                href={url_site}
                target="_blank"
                rel="noopener noreferrer"
                tabIndex={isSeen ? undefined : -1}
                className="partner"
              >
                {illustration && isNear && (
                  <Picture
                    illustration={illustration}
                    folder={FOLDER}
                    sizes="160px"
                    alt={nom}
                    fit="contain"
                    className="h-12 w-full"
                  />
                )}
                <span className="sr-only"> (nouvel onglet)</span>
                {!(illustration && isNear) && (
                  <span className={illustration ? 'sr-only' : 'line-clamp-3 text-sm leading-tight'}>
                    {nom}
                  </span>
                )}
              </a>
            );
          }}
        </Carousel>
      )}
    </ListState>
  );
}

function FeaturedList({ query }: ListProps<'GET /alaune'>) {
  return (
    <ListState
      query={query}
      failed="Les éléments À la Une n’ont pas pu être chargés."
      empty="Rien à la une pour le moment."
      drawing="campfire"
    >
      {(items) => (
        <>
          <Carousel items={items} label="À la Une" perView={1} gap={20}>
            {(item, { isFirst, isNear }) => (
              <ArticleCard
                item={item}
                to={`/une-details/${item.id}`}
                sizes="(min-width: 1152px) 424px, (min-width: 1024px) 37vw, calc(100vw - 2rem)"
                isFirst={isFirst}
                isNear={isNear}
                text={item.resume}
                {...SLIDE}
              />
            )}
          </Carousel>
          <SeeAll to="/?unes=1">Toutes les unes</SeeAll>
        </>
      )}
    </ListState>
  );
}

const SLIDE = { level: 'h3', shape: 'aspect-5/2', lines: 2 } as const;

function NewsList({ query }: ListProps<'GET /actualites'>) {
  return (
    <ListState
      query={query}
      failed="Les actualités n’ont pas pu être chargées."
      empty="Pas d’actualité pour le moment."
    >
      {(items) => (
        <>
          <Carousel items={items} label="Actualités" perView={1} gap={20}>
            {(item, { isNear }) => (
              <ArticleCard
                item={item}
                to={`/?actualite=${item.id}`}
                sizes="(min-width: 1152px) 656px, (min-width: 1024px) 57vw, calc(100vw - 2rem)"
                isNear={isNear}
                text={item.description}
                {...SLIDE}
              />
            )}
          </Carousel>
          <SeeAll to="/?actualites=1">Toutes les actualités</SeeAll>
        </>
      )}
    </ListState>
  );
}

interface CarouselProps<T extends { id: number }> {
  items: readonly T[];
  label: string;
  perView: number;
  gap: number;
  /** Time, in ms, after which it advances by itself. */
  every?: number;
  /**
   * `isNear`: shown or about to be; other slides need not fetch their pictures. `isSeen`: shown; what is not takes no focus.
   */
  children(item: T, place: { isFirst: boolean; isNear: boolean; isSeen: boolean }): ReactNode;
}

const ARROW = 28;
/** Time, in ms, without scrolling after which a track stands still. */
const STILL_MS = 150;

/**
 * Slides that the browser itself scrolls and snaps: they move by touch, wheel or key, and can be read before any
 * script has run. The arrows and autoplay only scroll the track.
 */
function Carousel<T extends { id: number; titre?: string }>(props: CarouselProps<T>) {
  const { items, label, perView, gap, every, children } = props;
  const track = useRef<HTMLUListElement>(null);
  const [index, setIndex] = useState(0);
  // Slides out of sight are reached without script by scrolling.
  const isAlive = useIsAlive();
  /** Where the track is being scrolled to, from which the next step counts. */
  const aimed = useRef<number>(undefined);
  const stillTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hasMore = items.length > perView;

  /** `wraps`: after the last comes the first, without passing all of them. */
  function step(by: 1 | -1, wraps = false): void {
    const { current: list } = track;
    if (!list) return;
    const from = aimed.current ?? list.scrollLeft;
    const stops = stopsOf(list);
    const to = by > 0 ? stops.find((stop) => stop > from + 1) : stops.findLast((stop) => stop < from - 1);
    if (to === undefined && !wraps) return;
    aimed.current = to ?? 0;
    list.scrollTo({ left: to ?? 0, behavior: to === undefined ? 'instant' : 'auto' });
  }
  /** Whether a slide is in sight when `first` is the first that is. */
  const isSeen = (place: number, first: number) => place >= first && place < first + perView;
  const clock = useAutoplay(hasMore ? every : undefined, () => {
    // Not while the keyboard focus is inside: it would be scrolled away.
    if (!track.current?.querySelector(':focus-visible')) step(1, true);
  });
  const visit = `${useLocation().key} ${label}`;
  useLayoutEffect(() => {
    const { current: list } = track;
    if (!list) return;
    const left = scrolled.get(visit);
    if (left !== undefined) list.scrollTo({ left, behavior: 'instant' });
    // It may have been scrolled before this script ran.
    setIndex(nearest(list));
  }, [visit]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: slides are no fields of a form
    <div role="group" aria-roledescription="carrousel" aria-label={label}>
      {hasMore && (
        <div className="carousel-tools">
          <RoundButton label="Précédent" isAtEnd={index === 0} onClick={() => step(-1)}>
            <ArrowLeft size={ARROW} />
          </RoundButton>
          {every !== undefined ? (
            <PauseButton clock={clock} />
          ) : (
            <p className="min-w-16 text-center text-sm text-quiet" role="status">
              {index + 1} sur {items.length}
              <span className="sr-only">, {items[index]?.titre}</span>
            </p>
          )}
          <RoundButton label="Suivant" isAtEnd={index >= items.length - perView} onClick={() => step(1)}>
            <ArrowRight size={ARROW} />
          </RoundButton>
        </div>
      )}
      <ul
        ref={track}
        className={`carousel ${perView > 1 ? 'in-rows' : ''}`}
        style={{ '--per-view': perView, '--gap': `${gap}px` } as React.CSSProperties}
        tabIndex={-1}
        onScroll={({ currentTarget: list }) => {
          const first = nearest(list);
          const focused = [...list.children].findIndex((slide) => slide.contains(document.activeElement));
          // Its slide is about to leave, and would take the focus with it.
          if (focused >= 0 && !isSeen(focused, first)) list.focus({ preventScroll: true });
          setIndex(first);
          scrolled.set(visit, list.scrollLeft);
          // Once still, the target has been reached, or touch or wheel has scrolled elsewhere. Safari before 26.2 does not say so.
          clearTimeout(stillTimer.current);
          stillTimer.current = setTimeout(() => {
            aimed.current = undefined;
          }, STILL_MS);
        }}
      >
        {items.map((item, place) => {
          const isAway = isAlive && !isSeen(place, index);
          return (
            // Not where slides move by themselves: a screen reader may be reading one.
            <li key={item.id} inert={isAway && every === undefined}>
              {children(item, {
                isFirst: place === 0,
                // At first only what is in sight: what is beside it would hold up the pictures that are seen.
                isNear: place >= index - perView && place < index + (isAlive ? 2 : 1) * perView,
                isSeen: !isAway,
              })}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** How far each carousel was scrolled, by visit of a page and name: found again on Back. */
const scrolled = new Map<string, number>();

/** Distances in pixels to which a track can be scrolled so that a slide stands at its left edge. */
function stopsOf(track: HTMLElement): number[] {
  const end = track.scrollWidth - track.clientWidth;
  const lefts = [...track.children].map((slide) => (slide as HTMLElement).offsetLeft);
  return [...new Set(lefts.map((left) => Math.min(left - (lefts[0] ?? 0), end)))];
}

/** Index of the slide whose left edge is nearest to that of the track. */
function nearest(track: HTMLElement): number {
  const distances = [...track.children].map((slide) =>
    Math.abs((slide as HTMLElement).offsetLeft - track.scrollLeft),
  );
  return distances.indexOf(Math.min(...distances));
}
