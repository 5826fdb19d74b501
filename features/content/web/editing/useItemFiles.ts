import type { ItemKind } from '#features/content/shared/kind.ts';
import { atMost, FORM_BYTES } from '#platform/shared/bytes.ts';
import { CallError } from '#platform/web/api.ts';
import { type FileChoice, PDFS, PICTURES, useFileChoice } from '#platform/web/ui/files.ts';
import { useUnsaved } from '#platform/web/ui/unsaved.ts';
import { type GalleryChoice, useGalleryChoice } from '#platform/web/ui/useGalleryChoice.ts';
import { type AnyItem, galleryOf } from './useItems.ts';

export type ItemFiles = ReturnType<typeof useItemFiles>;

/** What is chosen in the file fields of a kind’s form; a field that the kind has not stays as it is. */
export function useItemFiles(kind: ItemKind, item: AnyItem | undefined) {
  const picture = useFileChoice(PICTURES);
  const gallery = useGalleryChoice(galleryOf(kind, item), kind.gallery?.max ?? 0);
  const pdf = useFileChoice(PDFS);
  useUnsaved(picture.isChanged || gallery.isChanged || pdf.isChanged, consequenceOf(kind));
  const files = [picture.file, pdf.file, ...gallery.pictures.map(({ file }) => file)].filter(
    (file) => file !== undefined,
  );
  return {
    picture,
    gallery,
    pdf,
    hasFiles: files.length > 0,
    /** Back to what is stored. */
    reset(): void {
      picture.reset();
      gallery.reset();
      pdf.reset();
    },
    /** Adds to a form what was changed, and nothing else. Throws what the server would say of too much. */
    addTo(body: FormData): void {
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      if (bytes > FORM_BYTES) {
        const reason = `toutes les images ensemble sont trop lourdes (${atMost(FORM_BYTES)}).`;
        throw new CallError(413, TOO_MUCH, kind.gallery && { [kind.gallery.column]: reason });
      }
      if (kind.picture) addFile(body, kind.picture.accepts[0] ?? '', picture);
      if (kind.pdf) addFile(body, kind.pdf.column, pdf);
      if (kind.gallery) addGallery(body, kind.gallery.column, gallery);
    },
  };
}

const TOO_MUCH = `Cet envoi est trop volumineux (${atMost(FORM_BYTES)}).`;

function consequenceOf({ gallery, pdf }: ItemKind): string {
  if (gallery) return 'Les changements d’images seront à refaire.';
  return pdf ? 'Le fichier sera à choisir de nouveau.' : 'Le changement d’image sera à refaire.';
}

function addFile(body: FormData, name: string, { file, isRemoved }: FileChoice): void {
  if (file) body.append(name, file);
  else if (isRemoved) body.append(name, '');
}

/** All of it in its order, as what is not named leaves; a blank says that none is left. */
function addGallery(body: FormData, name: string, { pictures, isChanged }: GalleryChoice): void {
  if (!isChanged) return;
  if (pictures.length === 0) body.append(name, '');
  for (const picture of pictures) {
    body.append(name, picture.file ?? picture.stored.nom);
    body.append('textes_alternatifs', picture.alternativeText);
  }
}
