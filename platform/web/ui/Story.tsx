import type { UseQueryResult } from '@tanstack/react-query';
import { ArrowLeft, ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Illustration } from '#platform/shared/pictures.ts';
import { CardDrawing } from './Drawing.tsx';
import { LoadState } from './LoadState.tsx';
import { MarkdownText } from './MarkdownText.tsx';
import { Picture } from './Picture.tsx';

interface StoryPageProps<T> {
  query: UseQueryResult<T | null>;
  /** Where the page is come from. */
  back: { to: string; label: string };
  /** Said when it cannot be loaded. */
  failed: string;
  /** Said when it does not exist, or no longer. */
  absent: string;
  children(thing: T): ReactNode;
}

/** The page of one thing, and the way back. */
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
  /** Over the title. */
  above?: ReactNode;
  illustration: Illustration | undefined;
  folder: string;
  /** The picture is but a veil behind the title: the page shows it as it is further on. */
  isBlurred?: boolean;
  children: ReactNode;
}

/** A thing in full, its title over its picture. */
export function Story({ id, title, above, illustration, folder, isBlurred = false, children }: StoryProps) {
  return (
    <article>
      <header className={`cover ${isBlurred ? 'low' : ''}`}>
        {illustration ? (
          <Picture
            illustration={illustration}
            folder={folder}
            // Nobody sees more of a blurred picture than its smallest size holds.
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

/** The picture itself, where the title stands over a blurred one; nothing when there is none. */
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

/** The few lines before the whole text. */
export function Summary({ children }: { children: string }) {
  return <p className="max-w-[65ch] text-xl font-semibold whitespace-pre-line wrap-anywhere">{children}</p>;
}

/** The whole text, under a title of its own. */
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

/** The article elsewhere that a thing is about; nothing when there is none. */
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
