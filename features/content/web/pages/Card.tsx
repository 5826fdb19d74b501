import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Illustration } from '#platform/shared/pictures.ts';
import { CardDrawing } from '#platform/web/ui/Drawing.tsx';
import { Picture } from '#platform/web/ui/Picture.tsx';

interface CardProps {
  id: number;
  title: string;
  illustration: Illustration | undefined;
  folder: string;
  /** Address that the picture links to. */
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
  /** Shown over a corner of the picture. */
  corner?: ReactNode;
  /** The title and a few lines. */
  children: ReactNode;
}

/** A picture over a title and a few lines. */
export function Card(props: CardProps) {
  const { id, title, illustration, folder, to, opensTab = false, sizes, children } = props;
  const { shape = 'aspect-3/2', isFirst = false, isNear = true, corner } = props;
  return (
    <article className="card h-full">
      <div className="relative">
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
        {opensTab ? (
          <a
            href={to}
            target="_blank"
            rel="noopener"
            className="absolute inset-0 rounded-t-[13px] -outline-offset-4"
          >
            <span className="sr-only">{title} (nouvel onglet)</span>
          </a>
        ) : (
          // Over the picture, not around it: keyboards and screen readers use the same link in the text.
          <Link to={to} tabIndex={-1} aria-hidden="true" className="absolute inset-0" />
        )}
      </div>
      <div className="flex grow flex-col gap-2 p-5">{children}</div>
    </article>
  );
}

/** The `sizes` attribute of a card's picture in a grid. */
export const GRID_SIZES =
  '(min-width: 1152px) 358px, (min-width: 1024px) calc(33vw - 2rem), (min-width: 640px) calc(50vw - 2rem), calc(100vw - 2rem)';

/** Cards in one, two or three columns, by the width of the window. */
export function CardGrid({ children }: { children: ReactNode }) {
  return <ul className="grid grid-cols-1 gap-6 sm:grid-cols-2 lg:grid-cols-3">{children}</ul>;
}
