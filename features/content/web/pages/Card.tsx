import { MapPin } from 'lucide-react';
import { type ComponentType, type ReactNode, ViewTransition } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import type { Illustration } from '#platform/shared/pictures.ts';
import { useSite } from '#platform/web/site.tsx';
import { CardDrawing } from '#platform/web/ui/Drawing.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { illustrationOf, Picture } from '#platform/web/ui/Picture.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { Day, Moment } from '#platform/web/ui/Time.tsx';
import { excerpt, monthOf } from '#platform/web/ui/texts.ts';
import { EVENT_FOLDER, FOLDER } from './questions.ts';

interface CardProps {
  id: number;
  title: string;
  /** Heading level of the title: that of a page's list, or one lower inside a section. */
  level?: 'h2' | 'h3';
  illustration: Illustration | undefined;
  folder: string;
  to: string;
  /** When true, the picture is a link of its own that opens a new tab. */
  opensTab?: boolean;
  sizes: string;
  /** CSS classes that set the picture's aspect ratio. */
  shape?: string;
  /** True for the page's main picture, which is fetched first. */
  isFirst?: boolean;
  /** When false, the picture is not fetched yet. */
  isNear?: boolean;
  corner?: ReactNode;
  /** One line above the title, such as a date. */
  above: ReactNode;
  children: ReactNode;
}

/** An item in a list: its picture, its title, a few lines, and one link, which a press anywhere on the card follows. */
function Card(props: CardProps) {
  const { id, title, level: Heading = 'h2', illustration, folder, to, opensTab = false, sizes } = props;
  const { shape = 'aspect-3/2', isFirst = false, isNear = true, corner, above, children } = props;
  return (
    <article className="card item-card">
      <ViewTransition name={pictureName(to)} default="none" share="picture">
        <div className="relative overflow-hidden">
          {illustration && isNear && (
            <Picture
              illustration={illustration}
              folder={folder}
              sizes={sizes}
              isFirst={isFirst}
              className={`${shape} w-full`}
            />
          )}
          {illustration && !isNear && <div className={`${shape} w-full bg-mist`} />}
          {!illustration && <CardDrawing id={id} title={title} className={`${shape} w-full`} />}
          {corner}
          {opensTab && (
            <a href={to} target="_blank" rel="noopener" className="absolute inset-0 z-1 -outline-offset-4">
              <span className="sr-only">{title} (nouvel onglet)</span>
            </a>
          )}
        </div>
      </ViewTransition>
      <div className="flex grow flex-col gap-2 p-5">
        <p className="text-sm text-quiet first-letter:uppercase">{above}</p>
        <Heading className="card-title">{title}</Heading>
        {children}
        <p className="mt-auto pt-2">
          <Link to={to} className="button quiet card-open" aria-label={`En savoir plus\u202f: ${title}`}>
            En savoir plus
          </Link>
        </p>
      </div>
    </article>
  );
}

/** Names the picture of the item at an address, which grows from its card in a list into the title of its page. */
export function pictureName(address: string): string {
  return `picture-${address.replace(/\W+/g, '-')}`;
}

const GRID_SIZES =
  '(min-width: 1152px) 358px, (min-width: 1024px) calc(33vw - 2rem), (min-width: 640px) calc(50vw - 2rem), calc(100vw - 2rem)';

interface CardsProps<T> {
  items: readonly T[];
  Card: ComponentType<CardOf<T>>;
  level?: 'h2' | 'h3';
}

/** A list of cards: the main one of its page, or one inside a section. */
export function Cards<T extends { id: number }>({ items, Card, level = 'h2' }: CardsProps<T>) {
  return (
    <ul className="grid grid-cols-1 gap-6 sm:grid-cols-2 lg:grid-cols-3">
      {items.map((item, index) => (
        <li key={item.id}>
          <Card item={item} level={level} isFirst={level === 'h2' && index === 0} />
        </li>
      ))}
    </ul>
  );
}

/** Cards of other items, in place of one that is gone; nothing where there is none. */
export function Instead<T extends { id: number }>({ title, ...cards }: CardsProps<T> & { title: string }) {
  if (cards.items.length === 0) return null;
  return (
    <Section id="a-la-place" title={title} className="mt-6 border-t border-mist pt-8" look="mb-5">
      <Cards {...cards} level="h3" />
    </Section>
  );
}

/* Cards by what they show; in a grid unless said otherwise. */

interface CardOf<T> extends Pick<CardProps, 'level' | 'isFirst'> {
  item: T;
}

interface ArticleCardProps
  extends Pick<CardProps, 'level' | 'to' | 'opensTab' | 'shape' | 'isFirst' | 'isNear' | 'corner'>,
    Partial<Pick<CardProps, 'sizes'>> {
  item: {
    id: number;
    titre: string;
    date_publication: string;
    image_url: string | null;
    illustrations: readonly Illustration[];
  };
  /** Light Markdown, of which the first lines are shown. */
  text: string;
  lines?: 2 | 3;
}

/** An item with a title, a day and a picture: of news, of À la Une, a benefit. */
export function ArticleCard({ item, text, lines = 3, ...rest }: ArticleCardProps) {
  const { id, titre, date_publication, image_url, illustrations } = item;
  return (
    <Card
      id={id}
      title={titre}
      illustration={illustrationOf(image_url, illustrations)}
      folder={FOLDER}
      sizes={GRID_SIZES}
      above={
        <>
          Publié le <Day value={date_publication} />
        </>
      }
      {...rest}
    >
      <Lines text={text} most={lines} />
    </Card>
  );
}

export function NewsCard({ item, ...rest }: CardOf<ReplyOf<'GET /actualites'>[number]>) {
  return <ArticleCard item={item} to={`/?actualite=${item.id}`} text={item.description} {...rest} />;
}

export function FeaturedCard({ item, ...rest }: CardOf<ReplyOf<'GET /alaune'>[number]>) {
  return <ArticleCard item={item} to={`/une-details/${item.id}`} text={item.resume} {...rest} />;
}

export function BenefitCard({ item, ...rest }: CardOf<ReplyOf<'GET /avantage'>[number]>) {
  return (
    <ArticleCard
      item={item}
      to={`/avantage-detail/${item.id}`}
      text={item.resume}
      opensTab
      corner={item.economie && <p className="saving absolute bottom-3 left-3 mr-3">{item.economie}</p>}
      {...rest}
    />
  );
}

export function EventCard({ item, ...rest }: CardOf<ReplyOf<'GET /events'>[number]>) {
  const { id, title, date, fin, location, summary, image_url, illustrations } = item;
  return (
    <Card
      id={id}
      title={title}
      illustration={illustrationOf(image_url, illustrations)}
      folder={EVENT_FOLDER}
      to={`/event-detail/${id}`}
      sizes={GRID_SIZES}
      corner={<CalendarLeaf date={date} className="absolute top-3 left-3" />}
      above={<Moment value={date} end={fin} />}
      {...rest}
    >
      <Lines text={summary} />
      <p className="flex items-start gap-2 text-quiet">
        <MapPin className="mt-1 size-4 shrink-0" />
        <span className="line-clamp-2 wrap-anywhere">{location}</span>
      </p>
    </Card>
  );
}

function Lines({ text, most = 3 }: { text: string; most?: 2 | 3 }) {
  return <p className={`${most === 2 ? 'line-clamp-2' : 'line-clamp-3'} wrap-anywhere`}>{excerpt(text)}</p>;
}

/** Day and month at a glance; the date in words always stands beside it. */
export function CalendarLeaf({ date, className = '' }: { date: string; className?: string }) {
  const { locale } = useSite();
  const day = Number(date.slice(8, 10));
  if (!day) return null;
  return (
    <div className={`leaf ${className}`} aria-hidden="true">
      <span className="leaf-month" suppressHydrationWarning>
        {monthOf(date, locale)}
      </span>
      <span className="leaf-day">{day}</span>
    </div>
  );
}
