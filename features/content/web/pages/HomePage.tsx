import { ArrowLeft, ArrowRight } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Illustration } from '#platform/shared/pictures.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { PauseButton, useAutoplay } from '#platform/web/ui/autoplay.tsx';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { illustrationOf, Picture } from '#platform/web/ui/Picture.tsx';
import { Day } from '#platform/web/ui/Time.tsx';
import { excerpt } from '#platform/web/ui/texts.ts';
import { Card } from './Card.tsx';
import { FOLDER, HOME_QUESTIONS } from './questions.ts';

/** The home page: three lists, loaded separately so that one that fails never hides the others. */
export function HomePage() {
  return (
    <>
      <Drawing name="horizon" className="h-[clamp(8.5rem,21.9vw,26rem)] w-full" />
      <div className="page pt-6">
        <h1 className="sr-only">Accueil du portail CSE</h1>
        <div className="home-columns grid grid-cols-1 gap-10 lg:grid-cols-5">
          <section aria-labelledby="a-la-une" className="min-w-0 lg:order-2 lg:col-span-2">
            <h2 id="a-la-une" className="mb-4">
              À la Une
            </h2>
            <FeaturedList />
          </section>
          <div className="flex min-w-0 flex-col gap-10 lg:order-1 lg:col-span-3">
            <section aria-labelledby="actualite">
              <h2 id="actualite" className="mb-4">
                L’Actualité
              </h2>
              <NewsList />
            </section>
            <section aria-labelledby="partenaires">
              <h2 id="partenaires" className="mb-4">
                Partenaires
              </h2>
              <PartnerList />
            </section>
          </div>
        </div>
      </div>
    </>
  );
}

function PartnerList() {
  const query = useQuestion(HOME_QUESTIONS.partners, 'Erreur lors de la récupération des logos:');
  return (
    <ListState
      query={query}
      failed="Les partenaires n’ont pas pu être chargés."
      empty="Pas encore de partenaire."
      drawing="clothesline"
    >
      {(items) => (
        <Carousel items={items} label="Partenaires" perView={4} gap={10} every={3000}>
          {({ nom, url_site, image, illustrations }, { isNear }) => {
            const illustration = illustrationOf(image, illustrations);
            return (
              <a href={url_site} target="_blank" rel="noopener noreferrer" className="partner">
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

function FeaturedList() {
  const query = useQuestion(HOME_QUESTIONS.featured, 'Erreur lors de la récupération des éléments À la Une:');
  return (
    <ListState
      query={query}
      failed="Les éléments À la Une n’ont pas pu être chargés."
      empty="Rien à la une pour le moment."
      drawing="campfire"
    >
      {(items) => (
        <Carousel items={items} label="À la Une" perView={1} gap={20}>
          {(item, place) => (
            <HomeCard
              item={item}
              to={`/une-details/${item.id}`}
              sizes="(min-width: 1152px) 424px, (min-width: 1024px) 37vw, calc(100vw - 2rem)"
              {...place}
            >
              <p className="text-sm text-quiet">
                Publié le <Day value={item.date_publication} />
              </p>
              <p className="line-clamp-4 wrap-anywhere">{excerpt(item.resume)}</p>
              <p className="mt-auto pt-2">
                <Link
                  className="button"
                  to={`/une-details/${item.id}`}
                  aria-label={`En savoir plus\u202f: ${item.titre}`}
                >
                  En savoir plus
                </Link>
              </p>
            </HomeCard>
          )}
        </Carousel>
      )}
    </ListState>
  );
}

function NewsList() {
  const query = useQuestion(HOME_QUESTIONS.news, 'Erreur lors de la récupération des actualités:');
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
              <HomeCard
                item={item}
                to={`/?actualite=${item.id}`}
                sizes="(min-width: 1152px) 656px, (min-width: 1024px) 57vw, calc(100vw - 2rem)"
                isNear={isNear}
              >
                <p className="line-clamp-4 wrap-anywhere">{excerpt(item.description)}</p>
                <p className="mt-auto pt-2">
                  <Link
                    to={`/?actualite=${item.id}`}
                    className="inline-flex min-h-11 items-center font-semibold"
                    aria-label={`Lire la suite\u202f: ${item.titre}`}
                  >
                    Lire la suite
                  </Link>
                </p>
              </HomeCard>
            )}
          </Carousel>
          <p className="mt-2 text-center">
            <Link to="/?actualites=1" className="inline-flex min-h-11 items-center font-semibold">
              Toutes les actualités
            </Link>
          </p>
        </>
      )}
    </ListState>
  );
}

interface HomeCardProps {
  item: { id: number; titre: string; image_url: string | null; illustrations: Illustration[] };
  to: string;
  sizes: string;
  isFirst?: boolean;
  isNear: boolean;
  children: ReactNode;
}

/** A slide of the home page. */
function HomeCard({ item, children, ...rest }: HomeCardProps) {
  const { id, titre, image_url, illustrations } = item;
  return (
    <Card
      id={id}
      title={titre}
      illustration={illustrationOf(image_url, illustrations)}
      folder={FOLDER}
      // Flatter on tablets, where a card is wide.
      shape="aspect-3/2 sm:max-lg:aspect-2/1"
      {...rest}
    >
      <h3 className="line-clamp-3">{titre}</h3>
      {children}
    </Card>
  );
}

interface CarouselProps<T extends { id: number }> {
  items: readonly T[];
  /** Accessible name: what the carousel shows. */
  label: string;
  perView: number;
  /** Pixels between two slides. */
  gap: number;
  /** Time, in ms, after which it advances by itself. */
  every?: number;
  /** `isNear`: shown or about to be; other slides need not fetch their pictures. */
  children(item: T, place: { isFirst: boolean; isNear: boolean }): ReactNode;
}

/** Size of the arrows, in pixels. */
const ARROW = 28;

/**
 * Slides that the browser itself scrolls and snaps: they move by touch, wheel or key, and can be read before any
 * script has run. The arrows and autoplay only scroll the track.
 */
function Carousel<T extends { id: number }>(props: CarouselProps<T>) {
  const { items, label, perView, gap, every, children } = props;
  const track = useRef<HTMLUListElement>(null);
  const [index, setIndex] = useState(0);
  const last = Math.max(0, items.length - perView);
  /** Index of the slide being scrolled to, from which the next step counts. */
  const aimed = useRef<number>(undefined);
  const current = () => aimed.current ?? index;
  const step = (by: number) => goTo(Math.min(last, Math.max(0, current() + by)));
  const goTo = (target: number) => {
    aimed.current = target;
    const slide = track.current?.children[target];
    if (slide instanceof HTMLElement) track.current?.scrollTo({ left: slide.offsetLeft });
  };
  const clock = useAutoplay(last > 0 ? every : undefined, () => {
    // Not while the keyboard focus is inside: it would be scrolled away.
    if (!track.current?.querySelector(':focus-visible')) goTo(current() >= last ? 0 : current() + 1);
  });

  return (
    // biome-ignore lint/a11y/useSemanticElements: slides are no fields of a form
    <div role="group" aria-roledescription="carrousel" aria-label={label}>
      <ul
        ref={track}
        className="carousel"
        style={{ '--per-view': perView, '--gap': `${gap}px` } as React.CSSProperties}
        onScroll={({ currentTarget }) => setIndex(nearest(currentTarget))}
        // The target has been reached, or touch or wheel has scrolled elsewhere.
        onScrollEnd={() => {
          aimed.current = undefined;
        }}
      >
        {items.map((item, place) => (
          <li key={item.id}>
            {children(item, {
              isFirst: place === 0,
              isNear: place >= index - 1 && place <= index + perView,
            })}
          </li>
        ))}
      </ul>
      {last > 0 && (
        <div className="mt-2 flex items-center justify-center gap-1">
          <Arrow side="previous" isAtEnd={index === 0} onClick={() => step(-1)} />
          {every !== undefined ? (
            <PauseButton clock={clock} />
          ) : (
            <p className="min-w-16 text-center text-sm text-quiet" aria-live="polite">
              {index + 1} sur {items.length}
            </p>
          )}
          <Arrow side="next" isAtEnd={index >= last} onClick={() => step(1)} />
        </div>
      )}
    </div>
  );
}

function Arrow({ side, isAtEnd, onClick }: { side: 'previous' | 'next'; isAtEnd: boolean; onClick(): void }) {
  const Icon = side === 'previous' ? ArrowLeft : ArrowRight;
  // Not `disabled`: a disabled button would lose the keyboard focus.
  return (
    <button
      type="button"
      className="round-button"
      aria-disabled={isAtEnd}
      onClick={() => isAtEnd || onClick()}
    >
      <Icon aria-hidden="true" size={ARROW} />
      <span className="sr-only">{side === 'previous' ? 'Précédent' : 'Suivant'}</span>
    </button>
  );
}

/** Index of the slide whose left edge is nearest to that of the track. */
function nearest(track: HTMLElement): number {
  const distances = [...track.children].map((slide) =>
    Math.abs((slide as HTMLElement).offsetLeft - track.scrollLeft),
  );
  return distances.indexOf(Math.min(...distances));
}
