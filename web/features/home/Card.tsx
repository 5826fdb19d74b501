import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Illustration } from '../../../shared/content/kind.ts';
import { CardDrawing } from '../../ui/Drawing.tsx';
import { Picture } from '../../ui/Picture.tsx';

interface CardProps {
  item: { id: number; titre: string; image_url: string | null; illustrations: Illustration[] };
  /** Where the picture leads. */
  to: string;
  sizes: string;
  /** True for the one picture that a page is waited for. */
  isFirst?: boolean;
  /** False: the picture is not fetched yet. */
  isNear: boolean;
  children: ReactNode;
}

/** Flatter where a card is as wide as a tablet. */
const SHAPE = 'aspect-3/2 w-full sm:max-lg:aspect-2/1';

/** A picture over a title and a few lines. The picture leads where the text's own link does. */
export function Card({ item, to, sizes, isFirst, isNear, children }: CardProps) {
  const illustration = item.illustrations.find((one) => one.nom === item.image_url);
  return (
    <article className="card h-full">
      <div className="relative">
        {illustration && isNear && (
          <Picture
            illustration={illustration}
            folder="/api/images_stages/"
            sizes={sizes}
            isFirst={isFirst}
            className={SHAPE}
          />
        )}
        {illustration && !isNear && <div className={`${SHAPE} bg-mist`} />}
        {/* The newest of both lists often have one id, and stand side by side. */}
        {!illustration && <CardDrawing seed={item.id + item.titre.length} className={SHAPE} />}
        {/* Over the picture, not around it: the link is there twice for a mouse only, the picture for everybody. */}
        <Link to={to} tabIndex={-1} aria-hidden="true" className="absolute inset-0" />
      </div>
      <div className="flex grow flex-col gap-2 p-5">
        <h3 className="line-clamp-3">{item.titre}</h3>
        {children}
      </div>
    </article>
  );
}
