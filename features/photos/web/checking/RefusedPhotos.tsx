import { ChevronDown } from 'lucide-react';
import { useRef } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { useSite } from '#platform/web/site.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { momentOf } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';
import { LargePhoto } from './CheckedPhoto.tsx';
import { useDecisions } from './decisions.tsx';

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
