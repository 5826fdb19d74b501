import { ChevronDown, FileX } from 'lucide-react';
import { useRef } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { useSite } from '#platform/web/site.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { momentOf } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';
import { LargePhoto } from './CheckedPhoto.tsx';
import { useDecisions } from './decisions.tsx';

/* What families do not get to see: refused photos, and files from which no photo could be made. */

/** Refused photos, folded; each can be put back to be checked again. */
export function RefusedPhotos({ photos }: { photos: readonly Photo[] }) {
  const { locale } = useSite();
  const { decide } = useDecisions();
  const { isBusy, run } = useAction();
  const { say } = useNotices();
  const summary = useRef<HTMLElement>(null);
  const refused = photos.filter(({ statut }) => statut === 'refusee');
  if (refused.length === 0) return null;
  const checkAgain = (id: number) =>
    run(async () => {
      const message = await decide([id], { statut: 'a_verifier' });
      // The button that had the focus is gone.
      summary.current?.focus();
      if (message) say(message);
    }, 'Erreur lors de la remise à vérifier');
  return (
    <details className="group">
      <summary ref={summary} className="flex min-h-11 items-center gap-2 font-semibold">
        Photos refusées ({refused.length.toLocaleString(locale)})
        <ChevronDown aria-hidden="true" className="size-5 transition-transform group-open:rotate-180" />
      </summary>
      <ul className="mt-2 max-h-[70dvh] divide-y divide-mist overflow-y-auto">
        {refused.map((photo) => (
          <li key={photo.id} className="flex flex-wrap gap-3 py-3">
            <LargePhoto photo={photo} />
            <div className="flex min-w-0 flex-1 basis-44 flex-col items-start gap-2">
              <p className="text-sm first-letter:uppercase">
                {photo.legende && `${photo.legende}, `}prise le {momentOf(photo.prise_le, locale)}
              </p>
              {photo.motif && (
                <p className="text-sm wrap-anywhere">
                  Motif{'\u202f'}: {photo.motif}
                </p>
              )}
              <button
                type="button"
                className="button quiet px-3"
                aria-disabled={isBusy}
                onClick={() => checkAgain(photo.id)}
              >
                Remettre à vérifier
                <span className="sr-only"> la photo du {momentOf(photo.prise_le, locale)}</span>
              </button>
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Files from which no photo, or no full version, could be made, each with its reason. */
export function FailedFiles({ photos }: { photos: readonly Photo[] }) {
  const { erase } = useDecisions();
  const { isBusy, run } = useAction();
  const { say } = useNotices();
  const failed = photos.filter(({ statut, gestion }) => statut === 'illisible' || gestion?.refus);
  if (failed.length === 0) return null;
  const forget = (id: number) =>
    run(async () => say(await erase([id])), 'Erreur lors de la suppression du fichier');
  return (
    <section aria-labelledby="illisibles">
      <h3 id="illisibles" className="flex items-center gap-2">
        <FileX aria-hidden="true" className="size-5 shrink-0 text-coral" />
        Fichiers illisibles ({failed.length})
      </h3>
      <ul className="mt-2 max-h-80 divide-y divide-mist overflow-y-auto">
        {failed.map(({ id, statut, gestion }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
            <div className="min-w-0 flex-1 basis-52 wrap-anywhere">
              <p className="font-semibold">{gestion?.nom_envoye || `Photo n°\u00a0${id}`}</p>
              <p className="text-sm text-quiet">{gestion?.refus}</p>
            </div>
            {statut === 'illisible' && (
              <button
                type="button"
                className="button quiet"
                aria-disabled={isBusy}
                onClick={() => forget(id)}
              >
                Effacer<span className="sr-only"> {gestion?.nom_envoye}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
