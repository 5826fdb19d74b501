import { Printer } from 'lucide-react';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_FOLDER } from '#features/photos/shared/terms.ts';
import { sourcesOf } from '#features/photos/web/grid/layout.ts';
import { CallError, NO_ANSWER } from '#platform/web/api.ts';
import { Button, RoundButton } from '#platform/web/ui/Button.tsx';
import { useAction } from '#platform/web/ui/useForm.ts';
import { useStateOf } from './save.tsx';

/*
 * Photos on paper: sheets are laid in the page, where only the printer sees them, and taken away once they are printed.
 * The page that was shown is not on them.
 */

/** Photos on one sheet of several: three rows of two. */
const ON_SHEET = 6;

/** Prints one photo alone, on a sheet that lies as the photo does. Throws `CallError` when its file does not come. */
function printPhoto(photo: Photo): Promise<void> {
  const sheet = made('section', photo.largeur > photo.hauteur ? 'print-photo across' : 'print-photo');
  sheet.append(pictureOf(photo, photo.fichiers?.jpeg ?? photo.fichiers?.w1920));
  return print([sheet]);
}

function sheetsOf(photos: readonly Photo[]): number {
  return Math.ceil(photos.length / ON_SHEET);
}

/** Prints photos with their captions, six a sheet under a title. Throws `CallError` like `printPhoto`. */
function printSheets(title: string, photos: readonly Photo[]): Promise<void> {
  const count = sheetsOf(photos);
  return print(
    Array.from({ length: count }, (_, index) => {
      const sheet = made('section', 'print-sheet');
      const number = count > 1 ? ` (${index + 1} sur ${count})` : '';
      sheet.append(made('h2', '', title + number));
      for (const photo of photos.slice(ON_SHEET * index, ON_SHEET * (index + 1))) {
        const figure = made('figure', '');
        figure.append(pictureOf(photo, photo.fichiers?.w960));
        if (photo.legende) figure.append(made('figcaption', '', photo.legende));
        sheet.append(figure);
      }
      return sheet;
    }),
  );
}

function made(tag: string, className: string, text = ''): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

function pictureOf(photo: Photo, file: string | undefined): HTMLImageElement {
  const picture = new Image();
  picture.alt = '';
  picture.src = file ? PHOTO_FOLDER + file : (sourcesOf(photo).at(-1)?.src ?? '');
  return picture;
}

/** Removes the sheets of the last print; some browsers do not say when they have been printed. */
let takeAway = () => {};

async function print(sheets: readonly HTMLElement[]): Promise<void> {
  takeAway();
  const paper = made('div', 'print-paper printed-alone');
  paper.append(...sheets);
  paper.setAttribute('aria-hidden', 'true');
  document.body.append(paper);
  takeAway = () => {
    paper.remove();
    window.removeEventListener('afterprint', takeAway);
  };
  try {
    await Promise.all([...paper.querySelectorAll('img')].map((picture) => picture.decode()));
  } catch {
    takeAway();
    throw new CallError(0, NO_ANSWER);
  }
  window.addEventListener('afterprint', takeAway);
  window.print();
}

/** Prints the open photo. It says by itself why it could not: a notice of the page would lie behind the photo. */
export function PrintPhotoButton({ photo }: { photo: Photo }) {
  const [{ isBusy, failure }, say] = useStateOf(photo.id, { isBusy: false, failure: '' });
  const onPrint = async () => {
    if (isBusy) return;
    say({ isBusy: true, failure: '' });
    try {
      await printPhoto(photo);
      say({ isBusy: false, failure: '' });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      say({ isBusy: false, failure: error.message });
    }
  };
  return (
    <>
      <button type="button" className="photo-lightbox-button" aria-disabled={isBusy} onClick={onPrint}>
        <Printer className="size-6" />
        {isBusy ? 'Préparation…' : 'Imprimer'}
      </button>
      <span role="alert" aria-live="assertive" className="self-center text-sm text-[#f39a84] empty:hidden">
        {failure}
      </span>
    </>
  );
}

/** Number of photos from which a print of sheets is confirmed: they take their time to come, and much paper. */
const MANY = 60;

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

export function PrintTickedButton({ photos }: { photos: readonly Photo[] }) {
  const { isBusy, onPrint } = usePrint('Photos choisies', photos);
  return (
    <Button quiet className="max-sm:hidden" aria-disabled={isBusy} onClick={onPrint}>
      <Printer className="size-5" />
      Imprimer
    </Button>
  );
}

export function PrintDayButton({ photos, title }: { photos: readonly Photo[]; title: string }) {
  const { isBusy, onPrint } = usePrint(`${title.charAt(0).toUpperCase()}${title.slice(1)}`, photos);
  return (
    <RoundButton
      label={`Imprimer les photos du ${title}`}
      title="Imprimer ce jour"
      className="max-sm:hidden"
      aria-disabled={isBusy}
      onClick={onPrint}
    >
      <Printer className="size-5" />
    </RoundButton>
  );
}
