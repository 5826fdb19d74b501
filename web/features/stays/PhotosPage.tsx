import { Link, useParams } from 'react-router';
import { rangeOf } from '../../../shared/dates.ts';
import { panelAddress } from '../../panelAddress.ts';
import { useThing } from '../../questions.ts';
import { useSite } from '../../site.tsx';
import { Drawing } from '../../ui/Drawing.tsx';
import { LoadState } from '../../ui/LoadState.tsx';
import { dayOf } from '../../ui/texts.ts';
import { familyViewAddress, type ManagedStay, stayQuestion } from './questions.ts';

/** The photos of one stay, for staff: `/photos-modify/{id}`. */
export function PhotosPage() {
  const { id = '' } = useParams();
  const query = useThing(stayQuestion(id), 'Erreur lors de la récupération du séjour:');
  return (
    <div className="max-w-2xl">
      <h1 className="mb-6">Photos du séjour</h1>
      <LoadState query={query} failed="Le séjour n’a pas pu être chargé.">
        {(stay) =>
          stay ? (
            <StayPhotos stay={stay as ManagedStay} />
          ) : (
            <p className="well">Ce séjour n’existe pas ou n’existe plus.</p>
          )
        }
      </LoadState>
      <p className="mt-6">
        <Link className="button quiet" to={panelAddress('photos')}>
          Choisir un autre séjour
        </Link>
      </p>
    </div>
  );
}

function StayPhotos({ stay }: { stay: ManagedStay }) {
  const { nom_stage, date_debut, date_fin, photos_jusquau } = stay;
  const { locale, today } = useSite();
  const areGone = photos_jusquau < today;
  const lastDay = dayOf(photos_jusquau, locale, 'UTC');
  return (
    <>
      <h2 className="wrap-anywhere">{nom_stage}</h2>
      <p className="text-quiet">
        <span className="inline-block first-letter:uppercase">{rangeOf(date_debut, date_fin, locale)}</span>
      </p>
      <p className="mt-4">
        {areGone
          ? `Ses photos ne sont plus visibles des familles\u202f: elles l’étaient jusqu’au ${lastDay} inclus.`
          : `Ses photos sont visibles des familles jusqu’au ${lastDay} inclus.`}
      </p>
      <p className="mt-2">
        <Link className="inline-flex min-h-11 items-center" to={familyViewAddress(stay.id)}>
          Voir comme une famille
        </Link>
      </p>
      {!areGone && (
        <div className="well mt-6 flex flex-wrap items-center gap-x-6 gap-y-2">
          <Drawing name="clothesline" className="h-28 w-40" />
          <p className="flex-1 basis-40">Les photos de ce séjour seront ici.</p>
        </div>
      )}
    </>
  );
}
