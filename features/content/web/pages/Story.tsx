import type { UseQueryResult } from '@tanstack/react-query';
import { ArrowLeft, ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Illustration } from '#platform/shared/pictures.ts';
import { CardDrawing } from '#platform/web/ui/Drawing.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { MarkdownText } from '#platform/web/ui/MarkdownText.tsx';
import { Picture } from '#platform/web/ui/Picture.tsx';

interface StoryPageProps<T> {
  query: UseQueryResult<T | null>;
  /** Link back to the page that leads here. */
  back: { to: string; label: string };
  /** Message shown when loading fails. */
  failed: string;
  /** Message shown when the item does not exist, or no longer. */
  absent: string;
  children(thing: T): ReactNode;
}

/** The page of one item, with a link back. */
export function StoryPage<T>({ query, back, failed, absent, children }: StoryPageProps<T>) {
  return (
    <div className="page max-w-4xl pt-4">
      <p className="mb-2">
        <Link to={back.to} className="inline-flex min-h-11 items-center gap-2">
          <ArrowLeft aria-hidden="true" className="size-5" />
          {back.label}
        </Link>
      </p>
      <LoadState query={query} failed={failed}>
        {(thing) => (thing ? children(thing) : <h1 className="well text-xl">{absent}</h1>)}
      </LoadState>
    </div>
  );
}

interface StoryProps {
  id: number;
  title: string;
  /** Shown above the title. */
  above?: ReactNode;
  illustration: Illustration | undefined;
  folder: string;
  /** When true, the picture behind the title is blurred: the page shows it sharp further down. */
  isBlurred?: boolean;
  children: ReactNode;
}

/** An item in full, its title over its picture. */
export function Story({ id, title, above, illustration, folder, isBlurred = false, children }: StoryProps) {
  return (
    <article>
      <header className={`cover ${isBlurred ? 'low' : ''}`}>
        {illustration ? (
          <Picture
            illustration={illustration}
            folder={folder}
            // The smallest size is enough for a blurred picture.
            sizes={isBlurred ? '100px' : SIZES}
            isFirst={!isBlurred}
            {...(isBlurred && { alt: '' })}
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
      isFirst
      className="h-auto max-h-[70vh] w-full rounded-[14px]"
    />
  );
}

/** The summary before the whole text. */
export function Summary({ children }: { children: string }) {
  return <p className="max-w-[65ch] text-xl font-semibold whitespace-pre-line wrap-anywhere">{children}</p>;
}

/** The whole text, under its own heading. */
export function Details({ text }: { text: string }) {
  return (
    <section aria-labelledby="details">
      <h2 id="details" className="mb-3">
        Détails
      </h2>
      <MarkdownText text={text} className="text-lg" />
    </section>
  );
}

/** The link to an item's article on another site; nothing when the address is blank. */
export function ArticleLink({ address }: { address: string }) {
  if (!address) return null;
  return (
    <p>
      <a className="button" href={address} target="_blank" rel="noopener noreferrer">
        En savoir plus
        <ExternalLink aria-hidden="true" className="size-5" />
        <span className="sr-only"> (nouvel onglet)</span>
      </a>
    </p>
  );
}
