import {
  category,
  firstName,
  lastName,
  mailAddress,
  telephoneNumber,
} from '#features/stays/shared/fields.ts';
import { CATEGORIES, type Category } from '#features/stays/shared/terms.ts';
import { folded, nameKey } from '#platform/shared/fold.ts';
import { isRounded } from './cells.ts';
import { type Cell, type Fault, readCell } from './columns.ts';
import { namesStay, openStayFinder } from './familyLines.ts';
import type { KnownDirector, KnownStays } from './importsStore.ts';
import type { Checked, Checker, LineState } from './table.ts';

/** A director, and a stay that they direct if the line names one; several lines may be about the same person. */
export interface DirectorLine {
  nom: string;
  prenom: string;
  mail: string;
  cle_mail: string;
  telephone: string;
  /** The director who has this address; undefined: a new one. */
  known: KnownDirector | undefined;
  /** Whether an earlier line of the file is about the same person. */
  isFurther: boolean;
  stage_id: number | null;
  /** Null: as it is, or « Séjour ». */
  cat: Category | null;
}

const OTHER_PERSON = 'plus haut, cette adresse a un autre nom, un autre prénom ou un autre téléphone.';

const ROUNDED =
  'le tableur a arrondi ce numéro\u202f: retapez-le, dans une cellule au format «\u00a0Texte\u00a0».';

export function directorChecker(
  stays: KnownStays,
  directors: ReadonlyMap<string, KnownDirector>,
): Checker<DirectorLine> {
  const stayOf = openStayFinder(stays);
  /** The names and telephone that the file gives with each address. */
  const people = new Map<string, string>();
  return {
    keyOf: ({ cle_mail, stage_id }) => `${cle_mail}|${stage_id ?? ''}`,
    wholeOf: ({ nom, prenom, telephone, cat }) => [nom, prenom, telephone, cat].join('\n'),
    check(cell): Checked<DirectorLine> {
      const faults: Fault[] = [];
      const nom = readCell(lastName, cell, 'nom', faults) ?? '';
      const prenom = readCell(firstName, cell, 'prenom', faults) ?? '';
      const mail = readCell(mailAddress, cell, 'email', faults) ?? '';
      const telephone = readCell(telephoneNumber, cell, 'telephone', faults) ?? '';
      if (isRounded(telephone)) faults.push({ colonne: 'telephone', raison: ROUNDED });
      const cat = categoryCell(cell, faults);
      const found = namesStay(cell) ? stayOf(cell) : { id: null };
      if ('faults' in found) faults.push(...found.faults);
      const cle_mail = folded(mail);
      const said = [nameKey(nom), nameKey(prenom), telephone].join('\n');
      const before = people.get(cle_mail);
      if (mail !== '' && before !== undefined && before !== said)
        faults.push({ colonne: 'email', raison: OTHER_PERSON });
      if ('faults' in found || faults.length > 0) return { faults };
      people.set(cle_mail, said);
      const isFurther = before !== undefined;
      const known = directors.get(cle_mail);
      return { value: { nom, prenom, mail, cle_mail, telephone, known, isFurther, stage_id: found.id, cat } };
    },
  };
}

function categoryCell(cell: Cell, faults: Fault[]): Category | null {
  const text = folded(cell('cat'));
  if (text === '') return null;
  const cat = category.safeParse(text);
  if (!cat.success) {
    const labels = new Intl.ListFormat('fr', { type: 'disjunction' }).format(Object.values(CATEGORIES));
    faults.push({ colonne: 'cat', raison: `${labels} est attendu.` });
  }
  return cat.data ?? null;
}

export function directorState({ known, isFurther, stage_id, cat, ...person }: DirectorLine): LineState {
  if (!known) return isFurther ? 'modifier' : 'creer';
  const present = stage_id === null ? undefined : known.stays.get(stage_id);
  const isAssigned = stage_id === null || (present !== undefined && (cat ?? present) === present);
  const isSame =
    isFurther ||
    (known.nom === person.nom && known.prenom === person.prenom && known.telephone === person.telephone);
  return isAssigned && isSame ? 'inchangee' : 'modifier';
}
