import { Link, useParams } from 'react-router';
import { DecisionsProvider } from '#features/photos/web/checking/decisions.tsx';
import { type ManagedStay, stayQuestion } from '#features/stays/web/questions.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { useThing } from '#platform/web/questions.ts';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { StayPhotos } from './StayPhotos.tsx';

/** The photos of one stay, for staff: `/photos-modify/{id}`. */
export function PhotosPage() {
  const { id = '' } = useParams();
  const query = useThing(stayQuestion(id), 'Erreur lors de la récupération du séjour:');
  return (
    <>
      <p className="mb-2">
        <Link className="inline-flex min-h-11 items-center" to={panelAddress('photos')}>
          Choisir un autre séjour
        </Link>
      </p>
      <h1 className="mb-6">Photos du séjour</h1>
      <LoadState query={query} failed="Le séjour n’a pas pu être chargé.">
        {(stay) =>
          stay ? (
            <DecisionsProvider key={stay.id} stageId={stay.id} as="portal">
              <StayPhotos stay={stay as ManagedStay} />
            </DecisionsProvider>
          ) : (
            <p className="well">Ce séjour n’existe pas ou n’existe plus.</p>
          )
        }
      </LoadState>
    </>
  );
}
