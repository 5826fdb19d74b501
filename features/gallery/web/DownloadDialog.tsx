import { Download } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { countOf } from '#features/checking/web/texts.ts';
import type { Photo } from '#features/photos/calls.ts';
import { weightOf } from '#platform/shared/bytes.ts';
import { addressOf, weigh } from '#platform/web/api.ts';
import { groupBy } from '#platform/web/groupBy.ts';
import { useSite } from '#platform/web/site.tsx';
import { useModal } from '#platform/web/ui/dialogs.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { NOT_TO_PUBLISH } from './save.tsx';
import type { GalleryStay } from './useFeeds.ts';

/** A ZIP file of photos of one stay, or of one of its days. */
interface Archive {
  stay: GalleryStay;
  jour: string | undefined;
  address: string;
  count: number;
}

/** The ZIP files of these photos, one a stay; `jour`: all of them are of this day. */
export function archivesOf(
  photos: readonly Photo[],
  stayOf: (photo: Photo) => GalleryStay,
  jour?: string,
): Archive[] {
  return [...groupBy(photos, stayOf)].map(([stay, { length: count }]) => {
    const address = addressOf('GET /stages/:id/photos.zip', {
      params: { id: stay.stageId },
      query: jour ? { jour } : {},
    });
    return { stay, jour, address, count };
  });
}

interface DownloadDialogProps {
  whole: readonly Archive[];
  days?: readonly Archive[];
  onClose(): void;
}

/** Downloads photos as ZIP files, one a stay; shows their sizes, for people on a slow connection. */
export function DownloadDialog({ whole, days = [], onClose }: DownloadDialogProps) {
  const modal = useModal(onClose);
  const id = useId();
  const { locale } = useSite();
  const hasSeveral = whole.length > 1;
  return (
    <dialog {...modal} aria-labelledby={`${id}-title`} className="dialog max-w-lg">
      <h2 id={`${id}-title`} className="text-xl">
        Télécharger les photos
      </h2>
      <p className="mt-2">
        {hasSeveral ? 'Un fichier ZIP par séjour' : 'Un fichier ZIP'}, à ouvrir ensuite sur l’ordinateur ou le
        téléphone. Si la connexion se coupe, le téléchargement peut reprendre.
      </p>
      <ul className="mt-4 flex flex-col gap-2">
        {whole.map((archive) => (
          <li key={archive.address}>
            <WholeLink archive={archive} />
          </li>
        ))}
      </ul>
      <p className="mt-2 font-semibold">{NOT_TO_PUBLISH}</p>
      {days.length > 1 && (
        <>
          <h3 className="mt-5">Un seul jour</h3>
          <ul className="mt-1 max-h-[40dvh] divide-y divide-mist overflow-y-auto">
            {days.map(({ stay, jour = '', address, count }) => (
              <li key={address}>
                <a href={address} download className="flex min-h-11 items-center justify-between gap-4 py-1">
                  <span className="first-letter:uppercase wrap-anywhere">
                    {weekdayOf(jour, locale)}
                    {hasSeveral && ` · ${stay.name?.short}`}
                  </span>
                  <span className="shrink-0 text-quiet">{countOf(count)}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <button type="button" className="button quiet mt-5" onClick={onClose}>
        Fermer
      </button>
    </dialog>
  );
}

function WholeLink({ archive: { stay, jour, address, count } }: { archive: Archive }) {
  const weight = useWeight(address);
  const { locale } = useSite();
  const what = jour === undefined ? 'Tout télécharger' : weekdayOf(jour, locale);
  return (
    <a href={address} download className="button w-full wrap-anywhere">
      <Download aria-hidden="true" className="size-5 shrink-0" />
      <span>
        <span className="inline-block first-letter:uppercase">{stay.name?.whole ?? what}</span> (
        {countOf(count)}
        {weight !== undefined && `, ${weightOf(weight)}`})
      </span>
    </a>
  );
}

/** Size, in bytes, of the file at an address; undefined until it is known. */
function useWeight(address: string): number | undefined {
  const [weight, setWeight] = useState<number>();
  useEffect(() => {
    const controller = new AbortController();
    weigh(address, controller.signal).then(setWeight, () => {});
    return () => controller.abort();
  }, [address]);
  return weight;
}
