import { addressOfFolder, type ItemKind } from '#features/content/shared/kind.ts';
import { MIDDLE } from '#platform/web/ui/FocusField.tsx';
import { GalleryField } from '#platform/web/ui/GalleryField.tsx';
import { ImageField } from '#platform/web/ui/ImageField.tsx';
import { PdfField } from '#platform/web/ui/PdfField.tsx';
import type { ItemFiles } from './useItemFiles.ts';
import { type AnyItem, pictureOf } from './useItems.ts';

interface FileFieldsProps {
  kind: ItemKind;
  item: AnyItem | undefined;
  files: ItemFiles;
  values: Record<string, string>;
  errors: Record<string, string>;
}

/** The picture, the gallery and the document of a kind, as far as it has them. */
export function FileFields({ kind, item, files, values, errors }: FileFieldsProps) {
  const { picture, gallery, pdf } = kind;
  const folder = addressOfFolder(kind.folder);
  return (
    <>
      {picture && (
        <ImageField
          label={picture.label}
          name={picture.accepts[0] ?? ''}
          choice={files.picture}
          current={pictureOf(kind, item)}
          folder={folder}
          help={picture.help}
          error={picture.accepts.map((name) => errors[name]).find(Boolean)}
          alternativeText={values.texte_alternatif ?? ''}
          alternativeTextError={errors.texte_alternatif}
          focus={
            picture.isSquare
              ? { x: values.cadrage_x ?? MIDDLE.x, y: values.cadrage_y ?? MIDDLE.y }
              : undefined
          }
        />
      )}
      {gallery && (
        <GalleryField
          label={gallery.label}
          name={gallery.column}
          choice={files.gallery}
          folder={folder}
          error={errors[gallery.column]}
        />
      )}
      {pdf && <PdfField label={pdf.label} name={pdf.column} choice={files.pdf} error={errors[pdf.column]} />}
    </>
  );
}
