import type { ImportPreview } from '#features/imports/calls.ts';
import { COLUMN_LABELS } from '#features/stays/shared/terms.ts';

const STATES: Record<ImportPreview['extrait'][number]['etat'], string> = {
  creer: 'À\u00a0créer',
  modifier: 'À\u00a0modifier',
};

/** Enough to see that the columns were understood. */
const SHOWN = 8;
/** A word that would widen its column at the expense of all others. */
const LONG_WORD = /\S{9}/;

/** The first lines that would be imported, as they were understood; on a narrow screen each is a card. */
export function Extract({ preview }: { preview: ImportPreview }) {
  const { extrait, colonnes } = preview;
  const labels = ['Ligne', 'État', ...colonnes.map((column) => COLUMN_LABELS[column] ?? column)];
  return (
    <section>
      <h3 className="mb-3">Premières lignes à importer</h3>
      <div className="lines-frame">
        <table className="lines">
          <thead>
            <tr>
              {labels.map((label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {extrait.slice(0, SHOWN).map(({ ligne, etat, cellules }) => (
              <tr key={ligne}>
                {[String(ligne), STATES[etat], ...cellules].map((cell, index) => (
                  <td
                    key={labels[index]}
                    data-label={labels[index]}
                    className={LONG_WORD.test(cell) ? 'wrap-anywhere' : undefined}
                  >
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
