import { useStayPhotos } from '#features/photos/web/useStayPhotos.ts';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { WholeDialog } from '#platform/web/ui/WholeDialog.tsx';
import { CheckingRound } from './CheckingRound.tsx';
import { useDecisions } from './decisions.tsx';

/** The photos that wait for a decision, one at a time over the whole window. */
export function CheckingScreen({ onClose }: { onClose(): void }) {
  const { stageId, as } = useDecisions();
  const query = useStayPhotos(stageId, as);
  return (
    <WholeDialog title="Vérifier les photos" onClose={onClose}>
      {(close) => (
        <LoadState
          query={query}
          failed="Les photos n’ont pas pu être chargées."
          frame={(state) => <div className="p-4">{state}</div>}
        >
          {({ photos, isWhole }) =>
            isWhole ? (
              <CheckingRound photos={photos} onClose={close} />
            ) : (
              <p className="well m-4">Chargement…</p>
            )
          }
        </LoadState>
      )}
    </WholeDialog>
  );
}
