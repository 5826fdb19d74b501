import { removalMark } from '#features/stays/server/removalsStore.ts';
import {
  category,
  firstName,
  lastName,
  mailAddress,
  telephoneNumber,
} from '#features/stays/shared/fields.ts';
import { CATEGORIES, type Category } from '#features/stays/shared/terms.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import { folded, nameKey } from '#platform/shared/fold.ts';
import { isRounded } from './cells.ts';
import { type Cell, type Fault, readCell } from './columns.ts';
import type { KnownDirector, KnownStays } from './importsStore.ts';
import { namesStay, openStayFinder } from './namedStay.ts';
import type { Asked, Questions } from './questions.ts';
import { type Checked, type Checker, changesIn, openTwins } from './table.ts';

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
const REMOVED: Asked = {
  question: 'retires',
  texte: 'Ces directeurs ont été supprimés, ou retirés de ce séjour, sur le site',
  choix: [{ valeur: 'oui', texte: 'Les remettre' }],
};

export interface KnownDirectors {
  stays: KnownStays;
  directors: ReadonlyMap<string, KnownDirector>;
  /** Marks of what people removed; see `removalMark`. */
  removed: ReadonlySet<string>;
}

export function directorChecker(
  { stays, directors, removed }: KnownDirectors,
  secrets: Secrets,
  questions: Questions,
): Checker<DirectorLine> {
  const stayOf = openStayFinder(stays, questions);
  const twinOf = openTwins();
  /** The names and telephone that the file gives with each address. */
  const people = new Map<string, string>();
  return {
    check(cell, ligne): Checked<DirectorLine> {
      const faults: Fault[] = [];
      const nom = readCell(lastName, cell, 'nom', faults) ?? '';
      const prenom = readCell(firstName, cell, 'prenom', faults) ?? '';
      const mail = readCell(mailAddress, cell, 'email', faults) ?? '';
      const telephone = readCell(telephoneNumber, cell, 'telephone', faults) ?? '';
      if (isRounded(telephone)) faults.push({ colonne: 'telephone', raison: ROUNDED });
      const cat = categoryCell(cell, faults);
      const line = { ligne, texte: `${prenom} ${nom}` };
      const found = namesStay(cell) ? stayOf(cell, line) : { id: null };
      if ('aside' in found) return found;
      if ('faults' in found) faults.push(...found.faults);
      const cle_mail = folded(mail);
      const said = [nameKey(nom), nameKey(prenom), telephone].join('\n');
      const before = people.get(cle_mail);
      if (mail !== '' && before !== undefined && before !== said)
        faults.push({ colonne: 'email', raison: OTHER_PERSON });
      if ('faults' in found || faults.length > 0) return { faults };
      const whole = [nom, prenom, telephone, cat].join('\n');
      const twin = twinOf(ligne, `${cle_mail}|${found.id ?? ''}`, whole);
      if (twin) return twin;
      people.set(cle_mail, said);
      const isFurther = before !== undefined;
      const known = directors.get(cle_mail);
      return { value: { nom, prenom, mail, cle_mail, telephone, known, isFurther, stage_id: found.id, cat } };
    },
    async compare(lines) {
      return lines.map(({ ligne, value }) => {
        const { known, stage_id, cle_mail, isFurther } = value;
        const qui = `${value.prenom} ${value.nom}`;
        const present = stage_id === null ? undefined : known?.stays.get(stage_id);
        const marks = [
          ...(known ? [] : [removalMark(secrets, 'formateurs', cle_mail)]),
          ...(stage_id === null || present ? [] : [removalMark(secrets, 'affectations', stage_id, cle_mail)]),
        ];
        const isRemoved = marks.some((mark) => removed.has(mark));
        if (isRemoved && questions.ask(REMOVED, { ligne, texte: qui }) !== 'oui')
          return { aside: 'ce directeur a été retiré, sur le site.' };
        const valeurs = known && !isFurther ? changesIn(known, value, ['nom', 'prenom', 'telephone']) : [];
        const isSameCat = stage_id === null || (present !== undefined && (value.cat ?? present) === present);
        if (known && !isSameCat) {
          const apres = `${CATEGORIES[value.cat ?? 'sejour']}, ${stays.byId(stage_id)?.nom_stage}`;
          valeurs.push({ colonne: 'cat', avant: present ? CATEGORIES[present] : '', apres });
        }
        const isNew = !known && !isFurther;
        const etat = isNew ? 'creer' : known && valeurs.length === 0 ? 'inchangee' : 'modifier';
        return { etat, value, qui, valeurs };
      });
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
