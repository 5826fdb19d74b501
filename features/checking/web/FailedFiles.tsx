import { FileX } from 'lucide-react';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_STATES } from '#features/photos/shared/states.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useAction } from '#platform/web/ui/useForm.ts';
import { useDecisions } from './decisions.tsx';

/** Files from which no photo, or no full version, could be made, each with its reason. */
export function FailedFiles({ photos }: { photos: readonly Photo[] }) {
  const { act } = useDecisions();
  const { isBusy, run } = useAction();
  const { say } = useNotices();
  const failed = photos.filter(({ statut, gestion }) => PHOTO_STATES[statut].isUnreadable || gestion?.refus);
  if (failed.length === 0) return null;
  const forget = (id: number) =>
    run(async () => {
      say((await act('POST /photos/supprimer', { body: { ids: [id] } })).message);
    }, 'Erreur lors de la suppression du fichier');
  return (
    <section aria-labelledby="illisibles">
      <h3 id="illisibles" className="flex items-center gap-2">
        <FileX className="size-5 shrink-0 text-coral" />
        Fichiers illisibles ({failed.length})
      </h3>
      <ul className="mt-2 max-h-80 divide-y divide-mist overflow-y-auto">
        {failed.map(({ id, statut, gestion }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
            <div className="min-w-0 flex-1 basis-52 wrap-anywhere">
              <p className="font-semibold">{gestion?.nom_envoye || `Photo n°\u00a0${id}`}</p>
              <p className="text-sm text-quiet">{gestion?.refus}</p>
            </div>
            {PHOTO_STATES[statut].isUnreadable && (
              <Button quiet aria-disabled={isBusy} onClick={() => forget(id)}>
                Supprimer<span className="sr-only"> {gestion?.nom_envoye}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
