import { useState } from 'react';
import { COLUMN_LABELS } from '#features/stays/shared/terms.ts';
import { Dropdown } from '#platform/web/ui/Field.tsx';
import { type Titles, useArrivalFocus } from './useImport.ts';

interface TitleMatchesProps {
  titles: Titles;
  onMatch(titre: string, colonne: string): void;
}

/**
 * The headers that the site does not know, each with a dropdown of what it may stand for. Folded while all of them may
 * stay unread: most files have columns that are nobody's business here.
 */
export function TitleMatches({ titles, onMatch }: TitleMatchesProps) {
  const { titres, libres, missing } = titles;
  const unread = titres.filter(({ colonne }) => colonne === '');
  const [isOpen, setOpen] = useState(missing !== undefined || unread.length < titres.length);
  const [isFirstAsked] = useState(missing !== undefined);
  const heading = useArrivalFocus(isFirstAsked);
  return (
    <section className="well">
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-20 text-xl">
        Titres à reconnaître
      </h2>
      <p role="status" className="mt-2 max-w-prose wrap-anywhere">
        {missing ? sentence(missing) : 'Le fichier a toutes les colonnes nécessaires.'}
      </p>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="mt-1">
        <summary className="w-fit cursor-pointer py-2.5 font-semibold">
          {unread.length > 1 ? `${unread.length} titres ne sont pas lus` : TITLE_COUNTS[unread.length]}
        </summary>
        <p className="max-w-prose text-sm text-quiet">
          Dites ce que contient chaque colonne dont le site ne connaît pas le titre{'\u202f'}: il s’en
          souviendra après l’import.
        </p>
        <ul className="mt-3 grid gap-x-8 gap-y-4 sm:grid-cols-2">
          {titres.map((title) => (
            <li key={title.titre}>
              <TitleMatch
                title={title}
                columns={libres}
                onChoose={(colonne) => onMatch(title.titre, colonne)}
              />
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

/** What the summary says of one unread title, or of none. */
const TITLE_COUNTS = ['Tous les titres sont reconnus', '1 titre n’est pas lu'];

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface TitleMatchProps {
  title: Titles['titres'][number];
  /** Wire names of the columns that are free. */
  columns: readonly string[];
  onChoose(colonne: string): void;
}

function TitleMatch({ title, columns, onChoose }: TitleMatchProps) {
  const { titre, colonne, retenu } = title;
  // The column chosen for this title is not free any more.
  const names = colonne === '' || columns.includes(colonne) ? columns : [colonne, ...columns];
  return (
    <Dropdown
      label={titre}
      value={colonne}
      help={retenu ? 'Reconnu d’après le dernier import.' : undefined}
      onChoose={onChoose}
    >
      <option value="">Ne pas importer</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {COLUMN_LABELS[name] ?? name}
        </option>
      ))}
    </Dropdown>
  );
}
