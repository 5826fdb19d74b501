import type { ReactNode } from 'react';
import { Gallery } from '#features/photos/web/gallery/Gallery.tsx';
import { stateOf } from '#features/stays/web/stays.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import type { StaySession } from '#platform/web/session.ts';
import { useSite } from '#platform/web/site.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { PhotosPlace } from './PhotosPlace.tsx';

interface PhotosProps {
  stay: ReplyOf<'GET /stages/:id'>;
  /** None: staff look. */
  session: StaySession | undefined;
}

/** What a family may still expect of the photos: nothing is promised after their last day. */
export function Photos({ stay, session }: PhotosProps) {
  const { locale, today } = useSite();
  const lastDay = <strong>{dayOf(stay.photos_jusquau, locale, 'UTC')}</strong>;
  if (stay.photos_jusquau < today) {
    return (
      <div className="mx-auto w-full max-w-5xl px-4">
        <PhotosPlace title="Les photos ne sont plus visibles">
          <p>On pouvait les voir jusqu’au {lastDay}. Elles ne sont plus en ligne.</p>
        </PhotosPlace>
      </div>
    );
  }
  return (
    <Gallery
      stageId={stay.id}
      session={session}
      lastDay={stay.photos_jusquau}
      nothing={<NoPhotos isOver={stateOf(stay, today) === 'past'} lastDay={lastDay} />}
    />
  );
}

function NoPhotos({ isOver, lastDay }: { isOver: boolean; lastDay: ReactNode }) {
  return (
    <PhotosPlace title={isOver ? 'Les photos du séjour' : 'Les photos arriveront ici'}>
      <p>
        {isOver
          ? 'Le séjour est terminé. Les photos que son équipe a choisi de montrer se voient ici.'
          : 'L’équipe du séjour les envoie au fil des jours, et les regarde une à une avant de les montrer.'}
      </p>
      <p>Vous pourrez les voir jusqu’au {lastDay}. Elles seront ensuite effacées.</p>
    </PhotosPlace>
  );
}
