import type { ReactNode } from 'react';
import type { Illustration } from '#platform/shared/pictures.ts';
import { Card } from '#platform/web/ui/Card.tsx';
import { illustrationOf } from '#platform/web/ui/Picture.tsx';
import { FOLDER } from './questions.ts';

interface HomeCardProps {
  item: { id: number; titre: string; image_url: string | null; illustrations: Illustration[] };
  to: string;
  sizes: string;
  isFirst?: boolean;
  isNear: boolean;
  children: ReactNode;
}

/** A slide of the home page. */
export function HomeCard({ item, children, ...rest }: HomeCardProps) {
  const { id, titre, image_url, illustrations } = item;
  return (
    <Card
      id={id}
      title={titre}
      illustration={illustrationOf(image_url, illustrations)}
      folder={FOLDER}
      // Flatter where a card is as wide as a tablet.
      shape="aspect-3/2 sm:max-lg:aspect-2/1"
      {...rest}
    >
      <h3 className="line-clamp-3">{titre}</h3>
      {children}
    </Card>
  );
}
