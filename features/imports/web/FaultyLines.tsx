import { type FormEvent, useId, useState } from 'react';
import type { ImportPreview } from '#features/imports/calls.ts';
import { COLUMN_LABELS } from '#features/stays/shared/terms.ts';
import { FieldError } from '#platform/web/ui/Field.tsx';
import { asideName, cellName } from './useImport.ts';

type FaultyLine = ImportPreview['fautes'][number];

/** The faulty lines, to be mended where they stand. */
export function FaultyLines({ preview, onTyped }: { preview: ImportPreview; onTyped(): void }) {
  const { erreurs, fautes, colonnes } = preview;
  const untold = erreurs - fautes.length;
  return (
    <section className="flex flex-col gap-4" onInput={onTyped}>
      <h3>Lignes fautives</h3>
      {untold > 0 && (
        <p className="well">
          Voici les {fautes.length} premières ; il y en a encore {untold.toLocaleString('fr-FR')}. Mieux vaut
          corriger le fichier dans votre tableur, puis le choisir de nouveau.
        </p>
      )}
      <ol className="flex flex-col gap-4">
        {fautes.map((line) => (
          <li key={line.ligne}>
            <LineForm line={line} columns={colonnes} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function LineForm({ line, columns }: { line: FaultyLine; columns: readonly string[] }) {
  const { ligne, cellules, raisons } = line;
  const reasonsOf = (column: string) =>
    raisons.filter(({ colonne }) => colonne === column).map(({ raison }) => raison);
  // A reason about a column that the file does not have is about the line.
  const ofLine = raisons.filter(({ colonne }) => !columns.includes(colonne)).map(({ raison }) => raison);
  return (
    <fieldset className="group card p-4">
      <legend className="contents">
        <span className="font-title text-lg font-semibold">Ligne {ligne}</span>
      </legend>
      {ofLine.map((reason) => (
        <FieldError key={reason} error={reason} />
      ))}
      <div className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(min(12rem,100%),1fr))] gap-x-4 gap-y-3 group-has-checked:hidden">
        {columns.map((column, index) => (
          <Cell
            key={column}
            name={cellName(ligne, index)}
            label={COLUMN_LABELS[column] ?? column}
            value={cellules[index] ?? ''}
            reasons={reasonsOf(column)}
          />
        ))}
      </div>
      <label className="mt-2 flex min-h-11 w-fit items-center gap-3">
        <input type="checkbox" name={asideName(ligne)} className="size-5 shrink-0" />
        <span>
          Laisser cette ligne de côté<span className="sr-only"> (ligne {ligne})</span>
        </span>
      </label>
    </fieldset>
  );
}

type CellInput = FormEvent<HTMLInputElement | HTMLTextAreaElement>;

interface CellProps {
  name: string;
  label: string;
  value: string;
  reasons: readonly string[];
}

/** Said to be wrong until it is mended: only the server knows whether it is right then. */
function Cell({ name, label, value, reasons }: CellProps) {
  const id = useId();
  const [isMended, setMended] = useState(false);
  const isFaulty = reasons.length > 0;
  const control = {
    id,
    name,
    defaultValue: value,
    autoComplete: 'off',
    spellCheck: false,
    'aria-invalid': isFaulty && !isMended,
    'aria-describedby': isFaulty ? `${id}-errors` : undefined,
    onInput: ({ currentTarget }: CellInput) => setMended(currentTarget.value !== value),
  };
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      {/* A field of one line would swallow line breaks. */}
      {value.includes('\n') ? (
        <textarea {...control} rows={2} className="input py-2" />
      ) : (
        <input type="text" {...control} className="input" />
      )}
      <div id={`${id}-errors`} className="wrap-anywhere">
        {isFaulty && isMended ? (
          <p className="text-sm text-quiet">Corrigée, à vérifier.</p>
        ) : (
          reasons.map((reason) => <FieldError key={reason} error={reason} />)
        )}
      </div>
    </div>
  );
}
