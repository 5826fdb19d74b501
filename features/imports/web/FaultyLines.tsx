import { type FormEvent, useId, useState } from 'react';
import type { ImportPreview } from '#features/imports/calls.ts';
import { COLUMN_LABELS } from '#features/stays/shared/terms.ts';
import { StayOptions } from '#features/stays/web/StaySelect.tsx';
import { type NamedStay, STAYS, STAYS_FAILED } from '#features/stays/web/stays.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { Dropdown } from '#platform/web/ui/Field.tsx';
import { FieldError } from '#platform/web/ui/FieldError.tsx';
import { numberText } from '#platform/web/ui/texts.ts';
import { asideName, cellName, countOf, frenchDate } from './useImport.ts';

type FaultyLine = ImportPreview['fautes'][number];

interface FaultyLinesProps {
  preview: ImportPreview;
  /** Whether a line names a stay that has to be there. */
  namesStay: boolean;
  onTyped(): void;
  onSetAside(form: HTMLFormElement): void;
}

/** The faulty lines, with fields to correct them. */
export function FaultyLines({ preview, namesStay, onTyped, onSetAside }: FaultyLinesProps) {
  const { lignes, erreurs, fautives, fautes, colonnes } = preview;
  const [stays, setStays] = useState<ReadonlyMap<string, NamedStay>>(new Map());
  const untold = erreurs - fautes.length;
  const namings = fautes.map((line) =>
    namesStay && hasWrongStay(line) ? namingOf(line, colonnes) : undefined,
  );
  return (
    <section className="flex flex-col gap-4" onInput={onTyped}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3>Lignes fautives</h3>
        {/* Of a file without a good line, nothing would be left. */}
        {erreurs > 1 && erreurs < lignes && erreurs === fautives.length && (
          <button
            type="button"
            className="button quiet"
            onClick={({ currentTarget }) => currentTarget.form && onSetAside(currentTarget.form)}
          >
            Tout laisser de côté<span className="sr-only"> ({countOf(erreurs, 'ligne fautive')})</span>
          </button>
        )}
      </div>
      {untold > 0 && (
        <p className="well">
          Voici les {fautes.length} premières ; il y en a encore {numberText(untold)}. Mieux vaut corriger le
          fichier dans votre tableur, puis le choisir de nouveau.
        </p>
      )}
      <ol className="flex flex-col gap-4">
        {fautes.map((line, index) => {
          const naming = namings[index];
          return (
            <li key={line.ligne}>
              <LineForm
                line={line}
                columns={colonnes}
                naming={
                  naming === undefined
                    ? undefined
                    : {
                        stay: stays.get(naming),
                        lines: namings.filter((one) => one === naming).length,
                        onChoose: (stay) => setStays(withStay(stays, naming, stay)),
                      }
                }
              />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function withStay(stays: ReadonlyMap<string, NamedStay>, naming: string, stay: NamedStay | undefined) {
  const next = new Map(stays);
  if (stay) next.set(naming, stay);
  else next.delete(naming);
  return next;
}

const STAY_COLUMNS = ['nom_stage', 'date_debut', 'date_fin', 'stageId'];

function hasWrongStay({ raisons }: FaultyLine): boolean {
  return raisons.some(({ colonne }) => STAY_COLUMNS.includes(colonne));
}

/** What a line says of its stay; lines that say nothing have nothing in common. */
function namingOf({ ligne, cellules }: FaultyLine, columns: readonly string[]): string {
  const said = cellules
    .filter((_, place) => STAY_COLUMNS.includes(columns[place] ?? ''))
    .map((cell) => cell.trim());
  return said.some((cell) => cell !== '') ? said.join('\n') : `ligne ${ligne}`;
}

/** The stay that was chosen in place of what lines say, which may be many. */
interface Naming {
  stay: NamedStay | undefined;
  /** Number of faulty lines that say this. */
  lines: number;
  onChoose(stay: NamedStay | undefined): void;
}

interface LineFormProps {
  line: FaultyLine;
  columns: readonly string[];
  /** For a line whose stay is not known. */
  naming: Naming | undefined;
}

/** A faulty line: its wrong cells as fields, the others as a sentence, and as fields once unfolded. */
function LineForm({ line, columns, naming }: LineFormProps) {
  const { ligne, cellules, raisons } = line;
  const reasonsOf = (column: string) =>
    raisons.filter(({ colonne }) => colonne === column).map(({ raison }) => raison);
  const cells = columns.map((column, place) => ({
    column,
    name: cellName(ligne, place),
    value: cellules[place] ?? '',
    reasons: reasonsOf(column),
    filled: naming?.stay && filledBy(naming.stay, column),
  }));
  const isWrong = ({ column, reasons }: (typeof cells)[number]) =>
    reasons.length > 0 || (naming !== undefined && STAY_COLUMNS.includes(column));
  const wrong = cells.filter(isWrong);
  const rest = cells.filter((cell) => !isWrong(cell));
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
        {naming && <KnownStays {...naming} />}
        <Cells cells={wrong} />
        {rest.length > 0 && (
          <details>
            <summary className="w-fit cursor-pointer py-2.5">Voir toute la ligne</summary>
            <Cells cells={rest} />
          </details>
        )}
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

/** What a cell says of a stay once this one is chosen; undefined for a column that is not about stays. */
function filledBy(stay: NamedStay, column: string): string | undefined {
  switch (column) {
    case 'nom_stage':
      return stay.nom_stage;
    case 'date_debut':
    case 'date_fin':
      return frenchDate(stay[column]);
    case 'stageId':
      return String(stay.id);
    default:
      return undefined;
  }
}

/** Dropdown of the known stays, those to come first, which fills the cells of a line, and of those that say the same. */
function KnownStays({ stay, lines, onChoose }: Naming) {
  const { data: stays = [] } = useQuestion(STAYS, STAYS_FAILED);
  return (
    <Dropdown
      label="Choisir un de vos séjours"
      value={stay?.id ?? ''}
      help={lines > 1 ? `Vaut pour les ${lines} lignes qui nomment ainsi leur séjour.` : undefined}
      onChoose={(value) => onChoose(stays.find(({ id }) => String(id) === value))}
    >
      <option value="">Choisissez…</option>
      <StayOptions stays={stays} />
    </Dropdown>
  );
}

interface CellProps {
  name: string;
  label: string;
  value: string;
  /** What is put in place of `value`. */
  filled: string | undefined;
  reasons: readonly string[];
}

function Cells({ cells }: { cells: readonly (Omit<CellProps, 'label'> & { column: string })[] }) {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(18rem,100%),1fr))] gap-x-4 gap-y-3 empty:hidden">
      {cells.map(({ column, ...cell }) => (
        <Cell key={`${column} ${cell.filled ?? ''}`} label={COLUMN_LABELS[column] ?? column} {...cell} />
      ))}
    </div>
  );
}

type CellInput = FormEvent<HTMLInputElement | HTMLTextAreaElement>;

/** Field for one cell, marked invalid until it is edited: only the server knows whether the new text is valid. */
function Cell({ name, label, value, filled = value, reasons }: CellProps) {
  const id = useId();
  const [isMended, setMended] = useState(filled !== value);
  const isFaulty = reasons.length > 0;
  const control = {
    id,
    name,
    defaultValue: filled,
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
