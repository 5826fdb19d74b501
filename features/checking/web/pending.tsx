import { FileX } from 'lucide-react';
import { useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_STATES } from '#features/photos/shared/states.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { momentOf } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';
import { LargePhoto } from './CheckedPhoto.tsx';
import { AnswerDialog, type Change, useDeciding, useDecisions } from './decisions.tsx';
import { ageOf } from './texts.ts';

/** Photos with a removal request that awaits a decision, the oldest request first. */
export function removalsIn(photos: readonly Photo[]): Photo[] {
  const since = ({ gestion }: Photo) => gestion?.demandes[0]?.created_at ?? '';
  return photos
    .filter(({ statut, gestion }) => PHOTO_STATES[statut].isAsked || (gestion?.demandes.length ?? 0) > 0)
    .sort((one, other) => (since(one) < since(other) ? -1 : 1));
}

/** Number of requests shown at first: requests for a whole stay's photos must not hide the rest of the page. */
const SHOWN = 4;

export function RemovalRequests({ photos }: { photos: readonly Photo[] }) {
  const [isWhole, setWhole] = useState(false);
  const { answer, remove, isBusy } = useAnswers();
  const shown = isWhole ? photos : photos.slice(0, SHOWN);
  return (
    <div className="flex flex-col gap-3">
      {photos.length > 1 && (
        <p>
          <Button quiet aria-disabled={isBusy} onClick={() => answer(photos, { statut: 'publiee' })}>
            Remettre les {photos.length} en ligne
          </Button>
        </p>
      )}
      <ul className="flex flex-col gap-3">
        {shown.map((photo) => (
          <Request key={photo.id} photo={photo} isBusy={isBusy} onAnswer={answer} onRemove={remove} />
        ))}
      </ul>
      {photos.length > SHOWN && (
        <p>
          <Button quiet onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'En montrer moins' : `Voir les ${photos.length} demandes`}
          </Button>
        </p>
      )}
    </div>
  );
}

function useAnswers() {
  const { isBusy, change, remove } = useDeciding();
  return {
    isBusy,
    answer(photos: readonly Photo[], wanted: Change): void {
      // Photos that a family asked for are asked about by `decide`, in the words of the family.
      const isMany = photos.length > 1 && photos.every(({ gestion }) => gestion?.demandes.length === 0);
      const ids = photos.map(({ id }) => id);
      const wish = {
        question: `Remettre ${photos.length} photos en ligne\u202f?`,
        consequence: 'Les familles les verront de nouveau, et les demandes seront closes.',
        yes: 'Remettre en ligne',
      };
      change(ids, wanted, 'Erreur lors de la réponse à la demande', isMany ? wish : undefined);
    },
    remove: ({ id }: Photo) => remove([id], 'Erreur lors de la suppression de la photo'),
  };
}

interface RequestProps {
  photo: Photo;
  isBusy: boolean;
  onAnswer(photos: readonly Photo[], change: Change): void;
  onRemove(photo: Photo): void;
}

function Request({ photo, isBusy, onAnswer, onRemove }: RequestProps) {
  const { locale } = useSite();
  const [now] = useState(Date.now);
  const demandes = photo.gestion?.demandes ?? [];
  const isSeen = PHOTO_STATES[photo.statut].isPublic;
  const [isHiding, setHiding] = useState(false);
  const hide = (reponse = '') => onAnswer([photo], { statut: 'refusee', reponse: reponse || undefined });
  return (
    <li className="flex flex-wrap gap-3 border-mist max-sm:border-t max-sm:pt-3 sm:rounded-control sm:border sm:p-3">
      <LargePhoto photo={photo} />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <p className="text-sm font-semibold">
          {isSeen ? 'Encore visible des familles' : 'Cachée aux familles'}
          {demandes.length > 1 && `, ${demandes.length} demandes`}
        </p>
        <p className="text-sm first-letter:uppercase">
          {photo.legende && `${photo.legende}, `}prise le {momentOf(photo.prise_le, locale)}
        </p>
        <ul className="flex flex-col gap-1">
          {demandes.map(({ mot, created_at }) => (
            <li key={created_at} className="wrap-anywhere">
              <span className="text-sm text-quiet">Demandé {ageOf(created_at, now)}</span>
              <Words mot={mot} />
            </li>
          ))}
        </ul>
      </div>
      <div className="flex basis-full flex-wrap gap-2">
        <Button
          quiet
          className="px-3"
          aria-disabled={isBusy}
          onClick={() => onAnswer([photo], { statut: 'publiee' })}
        >
          {isSeen ? 'Laisser en ligne' : 'Remettre en ligne'}
        </Button>
        <Button
          quiet
          className="px-3"
          aria-disabled={isBusy}
          // No family reads the answer where staff took the photo down.
          onClick={() => (demandes.length > 0 ? setHiding(true) : hide())}
        >
          {isSeen ? 'Cacher' : 'Garder cachée'}
        </Button>
        <Button danger className="px-3" aria-disabled={isBusy} onClick={() => onRemove(photo)}>
          Mettre à la corbeille
        </Button>
      </div>
      {isHiding && (
        <AnswerDialog
          question={isSeen ? 'Cacher cette photo\u202f?' : 'Garder cette photo cachée\u202f?'}
          help="La famille qui l’a demandé lira sur sa page que la photo a été retirée, et cette réponse. Ne nommez pas d’enfant."
          yes={isSeen ? 'Cacher' : 'Garder cachée'}
          answer={(reponse) => {
            setHiding(false);
            if (reponse !== undefined) hide(reponse);
          }}
        />
      )}
    </li>
  );
}

export function Words({ mot }: { mot: string }) {
  return mot && <span className="block whitespace-pre-line">{`«\u00a0${mot}\u00a0»`}</span>;
}

/** Files from which no photo, or no full version, could be made, each with its reason. */
export const failedIn = (photos: readonly Photo[]) =>
  photos.filter(({ statut, gestion }) => PHOTO_STATES[statut].isUnreadable || gestion?.refus);

export function FailedFiles({ photos }: { photos: readonly Photo[] }) {
  const { act } = useDecisions();
  const { isBusy, run } = useAction();
  const { say } = useNotices();
  const failed = failedIn(photos);
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
