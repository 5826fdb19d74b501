import { Printer } from 'lucide-react';
import { useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { CallError } from '#platform/web/api.ts';
import { useAction } from '#platform/web/ui/useForm.ts';
import { printPhoto, printSheets, sheetsOf } from './print.ts';

/** Prints the open photo. It says by itself why it could not: a notice of the page would lie behind the photo. */
export function PrintPhotoButton({ photo }: { photo: Photo }) {
  const [state, setState] = useState({ photo: photo.id, isBusy: false, failure: '' });
  // The state holds for this photo only.
  const { isBusy, failure } = state.photo === photo.id ? state : { isBusy: false, failure: '' };
  const say = (change: { isBusy?: boolean; failure?: string }) =>
    setState({ photo: photo.id, isBusy: false, failure: '', ...change });
  const onPrint = async () => {
    if (isBusy) return;
    say({ isBusy: true });
    try {
      await printPhoto(photo);
      say({});
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      say({ failure: error.message });
    }
  };
  return (
    <>
      <button type="button" className="photo-lightbox-button" aria-disabled={isBusy} onClick={onPrint}>
        <Printer aria-hidden="true" className="size-6" />
        {isBusy ? 'Préparation…' : 'Imprimer'}
      </button>
      <span role="alert" className="self-center text-sm text-[#f39a84] empty:hidden">
        {failure}
      </span>
    </>
  );
}

/** Number of photos from which a print of sheets is confirmed: they take their time to come, and much paper. */
const MANY = 60;

/** Prints several photos as sheets under a title. */
function usePrint(title: string, photos: readonly Photo[]) {
  const { isBusy, run } = useAction();
  const onPrint = () =>
    run(
      () => printSheets(title, photos),
      'Erreur lors de la préparation de l’impression',
      photos.length > MANY
        ? {
            question: `Imprimer ces ${photos.length}\u00a0photos\u202f?`,
            consequence: `Elles tiennent sur ${sheetsOf(photos)}\u00a0feuilles, et mettent un moment à arriver.`,
            yes: 'Imprimer',
          }
        : undefined,
    );
  return { isBusy, onPrint };
}

/** Prints the ticked photos. */
export function PrintTickedButton({ photos }: { photos: readonly Photo[] }) {
  const { isBusy, onPrint } = usePrint('Photos choisies', photos);
  return (
    <button type="button" className="button quiet max-sm:hidden" aria-disabled={isBusy} onClick={onPrint}>
      <Printer aria-hidden="true" className="size-5" />
      Imprimer
    </button>
  );
}

/** Prints the photos of a day. */
export function PrintDayButton({ photos, title }: { photos: readonly Photo[]; title: string }) {
  const { isBusy, onPrint } = usePrint(`${title.charAt(0).toUpperCase()}${title.slice(1)}`, photos);
  return (
    <button
      type="button"
      className="round-button"
      title="Imprimer ce jour"
      aria-disabled={isBusy}
      onClick={onPrint}
    >
      <Printer aria-hidden="true" className="size-5" />
      <span className="sr-only">Imprimer les photos du {title}</span>
    </button>
  );
}
