import type { ReplyOf } from '../../../shared/api.ts';
import { useSite } from '../../site.tsx';
import { stateOf } from '../../stays.ts';
import { dayOf } from '../../ui/texts.ts';
import { PhotosPlace } from './PhotosPlace.tsx';

/** What a family may still expect of the photos: nothing is promised after their last day. */
export function Photos({ stay }: { stay: ReplyOf<'GET /stages/:id'> }) {
  const { locale, today } = useSite();
  const lastDay = <strong>{dayOf(stay.photos_jusquau, locale, 'UTC')}</strong>;
  if (stay.photos_jusquau < today) {
    return (
      <PhotosPlace title="Les photos ne sont plus visibles">
        <p>On pouvait les voir jusqu’au {lastDay}. Elles sont effacées.</p>
      </PhotosPlace>
    );
  }
  const isOver = stateOf(stay, today) === 'past';
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
