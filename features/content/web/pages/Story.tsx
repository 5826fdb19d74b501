import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, ExternalLink, Share2 } from 'lucide-react';
import { type ReactNode, ViewTransition } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import type { Illustration } from '#platform/shared/pictures.ts';
import { opensElsewhere, useCameFrom } from '#platform/web/history.tsx';
import { useQuestion } from '#platform/web/questions.ts';
import { useTitle } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { CardDrawing, Drawing } from '#platform/web/ui/Drawing.tsx';
import { useIsAlive } from '#platform/web/ui/inBrowser.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { MarkdownText } from '#platform/web/ui/MarkdownText.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Picture } from '#platform/web/ui/Picture.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { siteOf } from '#platform/web/ui/texts.ts';
import { useCopy } from '#platform/web/ui/useCopy.ts';
import { pictureName } from './Card.tsx';
import { neighboursQuestion } from './questions.ts';

interface StoryPageProps<T> {
  query: UseQueryResult<T | null>;
  /** The title of what was found, for that of the page. */
  title: string | undefined;
  back: { to: string; label: string };
  /** The list that leads here, by the path of its calls. */
  list: Parameters<typeof neighboursQuestion>[0];
  id: string;
  /** Start of the addresses of its items, before the id. */
  at: string;
  failed: string;
  absent: string;
  /** What is near it, shown in its place. */
  instead: ReactNode;
  children(thing: T): ReactNode;
}

export function StoryPage<T>(props: StoryPageProps<T>) {
  const { query, title, back, failed, absent, instead, children } = props;
  useTitle(title);
  const { pathname, search } = useLocation();
  return (
    <div className="page max-w-4xl pt-4">
      <BackLink {...back} />
      <LoadState query={query} failed={failed}>
        {(thing) =>
          thing ? (
            <>
              {children(thing)}
              <div className="mt-10 flex flex-col gap-4 sm:px-8 print:hidden">
                <ShareButton key={pathname + search} />
                <Neighbours {...props} />
              </div>
            </>
          ) : (
            <>
              <Absent>{absent}</Absent>
              {instead}
            </>
          )
        }
      </LoadState>
    </div>
  );
}

/**
 * The item as the list shows it that led here, if any: enough to begin with while the whole of it is fetched. Its long text
 * is cut there, and waits.
 */
export function useFromList<K extends 'GET /actualites' | 'GET /alaune' | 'GET /avantage' | 'GET /events'>(
  list: K,
  id: string,
): ReplyOf<K>[number] | undefined {
  const lists = useQueryClient().getQueriesData<ReplyOf<K>>({
    predicate: ({ queryKey: [name] }) => name === list || String(name).startsWith(`${list} `),
  });
  return lists
    .flatMap(([, items = []]) => items as ReplyOf<K>[number][])
    .find((item) => String(item.id) === id);
}

/** Leads back to where one came from on this site, else to `to`. */
function BackLink({ to, label }: StoryPageProps<unknown>['back']) {
  const from = useCameFrom();
  const navigate = useNavigate();
  return (
    <p className="mb-2 print:hidden">
      <Link
        to={from ?? to}
        className="inline-flex min-h-11 items-center gap-2"
        onClick={(event) => {
          if (from === undefined || opensElsewhere(event)) return;
          event.preventDefault();
          navigate(-1);
        }}
      >
        <ArrowLeft className="size-5" />
        {from === undefined || from === to ? label : 'Retour'}
      </Link>
    </p>
  );
}

function Absent({ children }: { children: string }) {
  return (
    <div className="flex flex-col items-center gap-4 py-6 text-center">
      <Drawing name="lostTent" className="h-auto w-72" />
      <h1 className="text-2xl">{children}</h1>
      <p>
        <Link to="/" className="button quiet">
          Retour à l’accueil
        </Link>
      </p>
    </div>
  );
}

/** Shares the address of the page by the browser’s own sheet; where there is none, copies it. */
function ShareButton() {
  const { warn } = useNotices();
  const refused = () => warn('Le lien n’a pas pu être partagé.', 'Copiez-le dans la barre d’adresse.');
  const copying = useCopy(refused);
  const isAlive = useIsAlive();
  const hasSheet = isAlive && navigator.share !== undefined;
  async function share(): Promise<void> {
    const { href } = window.location;
    if (!hasSheet) return copying.copy(href);
    try {
      await navigator.share?.({ title: document.title, url: href });
    } catch (error) {
      // Neither closing the sheet nor asking for it twice is a failure.
      if (!['AbortError', 'InvalidStateError'].includes((error as Error).name)) refused();
    }
  }
  return (
    // Its place is kept for it, so that nothing moves once scripts run.
    <p className="min-h-11">
      {isAlive && (
        <Button quiet onClick={share}>
          <Share2 className="size-5" />
          <span aria-live="polite">
            {hasSheet ? 'Partager' : copying.isCopied ? 'Lien copié' : 'Copier le lien'}
          </span>
        </Button>
      )}
    </p>
  );
}

function Neighbours({ list, id, at }: Pick<StoryPageProps<never>, 'list' | 'id' | 'at'>) {
  const { data } = useQuestion(neighboursQuestion(list, id));
  const { precedent, suivant } = data ?? {};
  if (!precedent && !suivant) return null;
  return (
    <nav aria-label="Précédent et suivant" className="grid gap-3 border-t border-mist pt-4 sm:grid-cols-2">
      {[
        { item: precedent, label: 'Précédent', className: '' },
        { item: suivant, label: 'Suivant', className: 'sm:col-start-2 sm:text-right' },
      ].map(
        ({ item, label, className }) =>
          item && (
            // In place of this page, so that Back still leads to the list.
            <Link key={label} to={at + item.id} replace className={`neighbour ${className}`}>
              <span className="block text-sm text-quiet">{label}</span>
              <span className="font-semibold wrap-anywhere">{item.titre}</span>
            </Link>
          ),
      )}
    </nav>
  );
}

interface StoryProps {
  id: number;
  title: string;
  above?: ReactNode;
  illustration: Illustration | undefined;
  folder: string;
  /** When true, the picture behind the title is low and blurred: the page shows it sharp further down. */
  isBlurred?: boolean;
  children: ReactNode;
}

/** An item in full, its title over its picture. */
export function Story({ id, title, above, illustration, folder, isBlurred = false, children }: StoryProps) {
  const { pathname, search } = useLocation();
  return (
    <article>
      <ViewTransition name={pictureName(pathname + search)} default="none" share="picture">
        <header className={`cover ${isBlurred ? 'low' : ''}`}>
          {illustration ? (
            <Picture
              illustration={illustration}
              folder={folder}
              // The smallest size is enough for a blurred picture.
              sizes={isBlurred ? '100px' : SIZES}
              isFirst
              alt={isBlurred ? '' : undefined}
              className={`cover-picture ${isBlurred ? 'blurred' : ''}`}
            />
          ) : (
            <CardDrawing id={id} title={title} className="cover-picture" />
          )}
          <div className="cover-text">
            {above}
            <h1>{title}</h1>
          </div>
        </header>
      </ViewTransition>
      <div className="rise flex flex-col gap-6 pt-6 sm:px-8">{children}</div>
    </article>
  );
}

const SIZES = '(min-width: 896px) 864px, calc(100vw - 2rem)';

/** The sharp picture, for a `Story` whose title picture is blurred; nothing without a picture. */
export function StoryPicture({ illustration, folder }: Pick<StoryProps, 'illustration' | 'folder'>) {
  if (!illustration) return null;
  return (
    <Picture
      illustration={illustration}
      folder={folder}
      sizes={SIZES}
      // After a short text it stands on the first screen.
      isFirst
      className="h-auto max-h-[70vh] w-full rounded-card"
    />
  );
}

export function Summary({ children }: { children: string }) {
  return <p className="max-w-[65ch] text-xl font-semibold whitespace-pre-line wrap-anywhere">{children}</p>;
}

export function Details({ text }: { text: string }) {
  return (
    <Section id="details" title="Détails" look="mb-3">
      <MarkdownText text={text} className="text-lg" />
    </Section>
  );
}

/** Ends the words of a link that leaves the site: where it leads, in a new tab. */
export function ToSite({ address }: { address: string }) {
  const site = siteOf(address);
  return (
    <>
      {site && <span className="font-normal wrap-anywhere"> sur {site}</span>}
      <ExternalLink className="size-5 shrink-0" />
      <span className="sr-only"> (nouvel onglet)</span>
    </>
  );
}

export function ArticleLink({ address }: { address: string }) {
  if (!address) return null;
  return (
    <p>
      <a className="button" href={address} target="_blank" rel="noopener noreferrer">
        En savoir plus
        <ToSite address={address} />
      </a>
    </p>
  );
}
