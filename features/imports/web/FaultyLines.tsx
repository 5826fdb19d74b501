import { type FormEvent, useId, useState } from 'react';
import { COLUMN_LABELS } from '#features/stays/shared/terms.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { Tick } from '#platform/web/ui/Field.tsx';
import { FieldError } from '#platform/web/ui/FieldError.tsx';
import { numberText } from '#platform/web/ui/texts.ts';
import type { ImportPreview } from '../calls.ts';
import { asideName, cellName, countOf, linesAsking } from './useImport.ts';

type FaultyLine = ImportPreview['fautes'][number];

interface FaultyLinesProps {
  preview: ImportPreview;
  onTyped(): void;
  onSetAside(form: HTMLFormElement): void;
}

/** The faulty lines, with fields to correct them; those that only wait for an answer are not among them. */
export function FaultyLines({ preview, onTyped, onSetAside }: FaultyLinesProps) {
  const { lignes, erreurs, fautives, fautes, colonnes } = preview;
  const untold = erreurs - fautes.length;
  const asking = linesAsking(preview);
  const wrong = fautes.filter(({ ligne, raisons }) => raisons.length > 1 || !asking.has(ligne));
  if (wrong.length === 0) return null;
  return (
    <section className="flex flex-col gap-4" onInput={onTyped}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3>Lignes fautives</h3>
        {/* Of a file without a good line, nothing would be left. */}
        {erreurs > 1 && erreurs < lignes && erreurs === fautives.length && (
          <Button quiet onClick={({ currentTarget }) => currentTarget.form && onSetAside(currentTarget.form)}>
            Tout laisser de côté<span className="sr-only"> ({countOf(erreurs, 'ligne fautive')})</span>
          </Button>
        )}
      </div>
      {untold > 0 && (
        <p className="well">
          Voici les {fautes.length} premières ; il y en a encore {numberText(untold)}. Mieux vaut corriger le
          fichier dans votre tableur, puis le choisir de nouveau.
        </p>
      )}
      <ol className="flex flex-col gap-4">
        {wrong.map((line) => (
          <li key={line.ligne}>
            <LineForm line={line} columns={colonnes} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A faulty line: its wrong cells as fields, the others as a sentence, and as fields once unfolded. */
function LineForm({ line, columns }: { line: FaultyLine; columns: readonly string[] }) {
  const { ligne, cellules, raisons } = line;
  const reasonsOf = (column: string) =>
    raisons.filter(({ colonne }) => colonne === column).map(({ raison }) => raison);
  const cells = columns.map((column, place) => ({
    column,
    name: cellName(ligne, place),
    value: cellules[place] ?? '',
    reasons: reasonsOf(column),
  }));
  const wrong = cells.filter(({ reasons }) => reasons.length > 0);
  const rest = cells.filter(({ reasons }) => reasons.length === 0);
  // A reason about a column that the file lacks is shown for the whole line.
  const ofLine = raisons.filter(({ colonne }) => !columns.includes(colonne)).map(({ raison }) => raison);
  return (
    <fieldset className="group card p-4">
      <legend className="contents">
        <span className="font-title text-lg font-semibold">Ligne {ligne}</span>
      </legend>
      <p className="text-quiet wrap-anywhere">
        {rest
          .map(({ value }) => value.trim())
          .filter((value) => value !== '')
          .join(', ')}
      </p>
      {ofLine.map((reason) => (
        <FieldError key={reason} error={reason} />
      ))}
      <div className="mt-2 flex flex-col gap-3 group-has-[input:checked]:hidden">
        <Cells cells={wrong} />
        {rest.length > 0 && (
          <details>
            <summary className="w-fit cursor-pointer py-2.5">Voir toute la ligne</summary>
            <Cells cells={rest} />
          </details>
        )}
      </div>
      <Tick name={asideName(ligne)} className="mt-2">
        Laisser cette ligne de côté<span className="sr-only"> (ligne {ligne})</span>
      </Tick>
    </fieldset>
  );
}

interface CellProps {
  name: string;
  label: string;
  value: string;
  reasons: readonly string[];
}

function Cells({ cells }: { cells: readonly (Omit<CellProps, 'label'> & { column: string })[] }) {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(18rem,100%),1fr))] gap-x-4 gap-y-3 empty:hidden">
      {cells.map(({ column, ...cell }) => (
        <Cell key={column} label={COLUMN_LABELS[column] ?? column} {...cell} />
      ))}
    </div>
  );
}

type CellInput = FormEvent<HTMLInputElement | HTMLTextAreaElement>;

/** Field for one cell, marked invalid until it is edited: only the server knows whether the new text is valid. */
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
      {/* A single-line field would drop line breaks. */}
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
