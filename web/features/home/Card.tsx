import type { ReactNode } from 'react';
import type { Illustration } from '../../../shared/content/kind.ts';
import { Drawing } from '../../ui/Drawing.tsx';
import { Picture } from '../../ui/Picture.tsx';

interface CardProps {
  item: { id: number; titre: string; image_url: string | null; illustrations: Illustration[] };
  sizes: string;
  isFirst?: boolean;
  children: ReactNode;
}

const SHAPE = 'aspect-3/2 w-full';

/** A picture over a title and a few lines. */
export function Card({ item, sizes, isFirst, children }: CardProps) {
  const illustration = item.illustrations.find((one) => one.nom === item.image_url);
  return (
    <article className="card">
      {illustration ? (
        <Picture
          illustration={illustration}
          folder="/api/images_stages/"
          sizes={sizes}
          isFirst={isFirst}
          className={SHAPE}
        />
      ) : (
        <Drawing seed={item.id} className={SHAPE} />
      )}
      <div className="flex grow flex-col gap-2 p-4">
        <h3>{item.titre}</h3>
        {children}
      </div>
    </article>
  );
}
