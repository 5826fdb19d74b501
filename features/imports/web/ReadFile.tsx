import { ENCODINGS, type Encoding } from '#platform/shared/encodings.ts';
import { Dropdown, Tick } from '#platform/web/ui/Field.tsx';
import type { ReadFile } from '../calls.ts';
import { namedLines } from './ImportReview.tsx';
import { countOf, type ReadingChoice } from './useImport.ts';

interface WhatWasReadProps {
  lu: ReadFile;
  onChoose(change: ReadingChoice): void;
}

/** Which sheet of a file was read, from which line on, and what else it has, to be read instead. */
export function WhatWasRead({ lu, onChoose }: WhatWasReadProps) {
  const { feuille, feuilles, encodage, masquees, masquees_lues } = lu;
  const others = feuilles.filter(({ nom }) => nom !== feuille);
  return (
    <section className="well">
      <h2 className="text-xl">Ce qui est lu</h2>
      <p className="mt-2 max-w-prose wrap-anywhere">{sentencesOn(lu, others).join(' ')}</p>
      <div className="mt-3 grid gap-x-8 gap-y-4 empty:hidden sm:grid-cols-2">
        {others.length > 0 && (
          <Dropdown
            label="Lire une autre feuille"
            value={feuille ?? ''}
            onChoose={(nom) => onChoose({ feuille: nom })}
          >
            {feuilles.map(({ nom, lignes, masquee }) => (
              <option key={nom} value={nom}>
                {`${nom} (${countOf(lignes, 'ligne')}${masquee ? ', masquée' : ''})`}
              </option>
            ))}
          </Dropdown>
        )}
        {encodage && encodage !== 'utf-8' && (
          <Dropdown
            label="Encodage"
            value={encodage}
            help="À changer si les accents ne sont pas les bons."
            onChoose={(value) => onChoose({ encodage: value as Encoding })}
          >
            {Object.entries(ENCODINGS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Dropdown>
        )}
        {masquees.length > 0 && (
          <Tick
            checked={masquees_lues}
            onChange={({ target }) => onChoose({ masquees_lues: target.checked })}
          >
            Lire aussi les lignes masquées
          </Tick>
        )}
      </div>
    </section>
  );
}

function sentencesOn(
  { feuille, encodage, ligne_titres, passees, masquees, masquees_lues }: ReadFile,
  others: ReadFile['feuilles'],
): string[] {
  const where = [
    feuille !== null && `Feuille ${quoted([feuille])}`,
    encodage && `Texte en ${ENCODINGS[encodage]}`,
    ligne_titres !== null && `titres à la ligne ${ligne_titres}`,
  ];
  return [
    `${where.filter(Boolean).join(', ')}.`,
    passees.length > 0 && `Au-dessus, sans être lu\u202f: ${quoted(passees)}.`,
    masquees.length > 0 &&
      `${masquees_lues ? 'Lues aussi, quoique masquées' : 'Masquées dans le tableur, et laissées de côté'}\u202f: ${masquees.length > 1 ? 'lignes' : 'ligne'} ${namedLines(masquees)}.`,
    others.length > 0 && `D’autres feuilles ne sont pas lues\u202f: ${quoted(others.map(({ nom }) => nom))}.`,
  ].filter((sentence) => sentence !== false);
}

function quoted(texts: readonly string[]): string {
  return new Intl.ListFormat('fr').format(texts.map((text) => `«\u00a0${text}\u00a0»`));
}
