import { FileSpreadsheet, FileUp } from 'lucide-react';
import { useId, useRef } from 'react';
import type { ImportPreview } from '#features/imports/calls.ts';
import { atMost, TABLE_BYTES } from '#platform/shared/bytes.ts';
import { FileZone } from '#platform/web/ui/FileZone.tsx';
import { namedFile, TABLES } from '#platform/web/ui/files.ts';
import { ImportDone } from './ImportDone.tsx';
import { ImportGuide } from './ImportGuide.tsx';
import { ImportProgress } from './ImportProgress.tsx';
import { hasNews, ImportReview } from './ImportReview.tsx';
import { LastImport } from './LastImport.tsx';
import { type ImportTexts, useImport } from './useImport.ts';

/** A spreadsheet is chosen, looked at before anything is stored, mended, imported, and taken back if need be. */
export function ImportPanel({ title, texts }: { title: string; texts: ImportTexts }) {
  const work = useImport(texts);
  const { form, file, error, review, sending, done } = work;
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const isBusy = sending !== undefined;
  return (
    <div className="flex max-w-4xl flex-col gap-8">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <ImportGuide texts={texts} />
      <form {...form} className="flex flex-col gap-8">
        {/* What is focused is not hidden under the bar at the bottom. */}
        <div inert={isBusy} className="flex flex-col gap-8 [&_:is(input,textarea)]:scroll-mb-32">
          <FileZone
            label="Fichier à importer"
            name="file"
            accept={TABLES.accept}
            isRequired
            isFilled={file !== undefined}
            action={file ? 'Changer de fichier' : 'Choisir un fichier'}
            Icon={FileUp}
            opener={opener}
            help={`Déposez un fichier ici. CSV ou Excel (.xlsx), ${atMost(TABLE_BYTES)}.`}
            errors={[error]}
            onFiles={([chosen]) => work.choose(chosen)}
          >
            {file && (
              <p className="flex items-center gap-2 wrap-anywhere">
                <FileSpreadsheet aria-hidden="true" className="size-6 shrink-0 text-pine" />
                {namedFile(file)}
              </p>
            )}
          </FileZone>
          {review && <ImportReview key={review.key} review={review} onTyped={work.onTyped} />}
        </div>
        <div className={review && 'sticky bottom-0 z-10 -mx-2 border-t border-mist bg-paper px-2 py-3'}>
          <ImportProgress sending={sending} />
          <div className="flex flex-wrap items-center gap-3">
            {(!review || review.preview.erreurs > 0) && (
              <button type="submit" className="button" aria-disabled={isBusy}>
                {review ? 'Vérifier de nouveau' : 'Vérifier le fichier'}
              </button>
            )}
            {review && (
              <ImportButton
                obstacle={obstacleTo(review.preview)}
                isBusy={isBusy}
                onImport={() => work.importIt(review)}
              />
            )}
          </div>
        </div>
      </form>
      {done && <ImportDone key={done.id} done={done} texts={texts} />}
      <LastImport
        texts={texts}
        onUndone={() => {
          work.forget();
          heading.current?.focus({ preventScroll: true });
        }}
      />
    </div>
  );
}

/** Why what was verified cannot be imported, if so. */
function obstacleTo(preview: ImportPreview): string | undefined {
  if (preview.erreurs > 0) return 'Impossible tant qu’il reste des lignes fautives.';
  return hasNews(preview) ? undefined : 'Il n’y a rien à importer.';
}

interface ImportButtonProps {
  obstacle: string | undefined;
  isBusy: boolean;
  onImport(): void;
}

function ImportButton({ obstacle, isBusy, onImport }: ImportButtonProps) {
  const id = useId();
  const mayImport = !isBusy && !obstacle;
  return (
    <>
      <button
        type="button"
        className="button"
        aria-disabled={!mayImport}
        aria-describedby={obstacle && id}
        onClick={() => mayImport && onImport()}
      >
        Importer
      </button>
      {obstacle && (
        <p id={id} className="text-sm text-quiet">
          {obstacle}
        </p>
      )}
    </>
  );
}
