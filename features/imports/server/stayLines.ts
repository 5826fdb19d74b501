import type { z } from 'zod';
import { removalMark } from '#features/stays/server/removalsStore.ts';
import { hasPasswords, openStayPassword, stayKey } from '#features/stays/server/staysStore.ts';
import { STAY_PASSWORD_MIN } from '#features/stays/shared/terms.ts';
import { barePassword, plainPassword, type Secrets } from '#platform/server/secrets.ts';
import type { PasswordRule } from '#platform/server/weakPasswords.ts';
import { PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { password } from '#platform/shared/text.ts';
import { strangeDays } from './cells.ts';
import { type Cell, type Fault, readCell, stayCells } from './columns.ts';
import type { KnownStay, KnownStays } from './importsStore.ts';
import type { Asked, Questions } from './questions.ts';
import { type Checked, type Checker, changesIn, openTwins } from './table.ts';

type Passwords = Partial<Record<PasswordType, string>>;

export interface StayLine {
  nom_stage: string;
  date_debut: string;
  date_fin: string;
  cle: string;
  /** The existing stay of the same name and dates; undefined for a new one. */
  known: KnownStay | undefined;
  /** Passwords that the line sets and that differ from the current ones. */
  passwords: Passwords;
}

export const TYPES = Object.keys(PASSWORD_TYPES) as PasswordType[];

/** A password as people write one for a stay. */
export const stayPassword: z.ZodType<string, string> = password(200)
  .refine((typed) => (plainPassword(typed).match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= STAY_PASSWORD_MIN, {
    error: `${STAY_PASSWORD_MIN} lettres ou chiffres au moins sont attendus.`,
  })
  .refine((typed) => !isTooSimple(barePassword(typed)), {
    error: 'ce mot de passe est trop simple\u202f: mêlez lettres et chiffres.',
  });

/** Minimum number of different characters in a password. */
const SYMBOLS_MIN = 5;

function isTooSimple(plain: string): boolean {
  return new Set(plain).size < SYMBOLS_MIN || !/\p{L}/u.test(plain);
}

const PASSWORDS: Asked = {
  question: 'mots-de-passe',
  texte:
    'Ce fichier remplacerait le mot de passe de ces séjours\u202f; celui d’aujourd’hui n’ouvrirait plus rien',
  choix: [{ valeur: 'oui', texte: 'Remplacer celui du site' }],
  une_a_une: true,
};
const REMOVED: Asked = {
  question: 'retires',
  texte: 'Ces séjours ont été supprimés, sur le site',
  choix: [{ valeur: 'oui', texte: 'Les créer de nouveau' }],
  une_a_une: true,
};

interface StayRules {
  rule: PasswordRule;
  /** The name of the organisation, of which none may consist. */
  organisation: string;
  today: string;
  /** Marks of what people removed; see `removalMark`. */
  removed: ReadonlySet<string>;
}

export function stayChecker(
  stays: KnownStays,
  secrets: Secrets,
  { rule, organisation, today, removed }: StayRules,
  questions: Questions,
): Checker<StayLine> {
  const ownersOf = openOwners(stays, secrets);
  const twinOf = openTwins();
  return {
    check(cell, ligne): Checked<StayLine> {
      const faults: Fault[] = [];
      const named = stayCells(cell, faults);
      const known = faults.length === 0 ? stays.byKey(named) : undefined;
      const passwords = passwordCells(cell, known, secrets, faults);
      if (faults.length > 0) return { faults };
      const cle = stayKey(named);
      faults.push(...weakPasswords(passwords, (plain) => rule(plain, [named.nom_stage, organisation])));
      faults.push(...takenPasswords(passwords, cle, ownersOf));
      if (faults.length > 0) return { faults };
      // Two equal lines are both asked about: the second one is more likely a copied line whose dates were forgotten.
      const twin = twinOf(ligne, cle);
      if (twin) return twin;
      const value = { ...named, cle, known, passwords };
      if (known) return { value };
      const strange = strangeDays(named, today);
      if (strange) return { value, warning: strange };
      return stays.byName(named.nom_stage).length === 0
        ? { value }
        : { value, warning: 'un séjour de ce nom existe à d’autres dates\u202f: un second sera créé.' };
    },
    async compare(lines) {
      return lines.map(({ ligne, value }) => {
        const { known, nom_stage } = value;
        if (!known) {
          const isRemoved = removed.has(removalMark(secrets, 'stages', value.cle));
          return isRemoved && questions.ask(REMOVED, { ligne, texte: nom_stage }) !== 'oui'
            ? { aside: 'ce séjour a été supprimé, sur le site.' }
            : { etat: 'creer', value, qui: nom_stage, valeurs: [] };
        }
        const types = TYPES.filter((type) => value.passwords[type] !== undefined);
        const isKept =
          types.length > 0 &&
          hasPasswords(known) &&
          questions.ask(PASSWORDS, { ligne, texte: nom_stage }) !== 'oui';
        const after = isKept ? { ...value, passwords: {} } : value;
        const ofFile = Object.keys(after.passwords).map((type) => ({
          ...{ colonne: `mdp_${type}`, avant: 'celui du site', apres: 'celui du fichier' },
        }));
        const valeurs = [...changesIn(known, after, ['nom_stage']), ...ofFile];
        return { etat: valeurs.length > 0 ? 'modifier' : 'inchangee', value: after, qui: nom_stage, valeurs };
      });
    },
  };
}

/** Stay keys by plain password: of the existing stays, and of the lines read so far. */
type Owners = Map<string, string>;

/** Decrypts the existing passwords only at the first password of a file, as most files have none. */
function openOwners(stays: KnownStays, secrets: Secrets): () => Owners {
  let owners: Owners | undefined;
  return () => {
    owners ??= new Map(
      stays.all
        .filter(hasPasswords)
        .flatMap((stay) =>
          TYPES.map((type) => [plainPassword(openStayPassword(secrets, stay, type).unseen), stayKey(stay)]),
        ),
    );
    return owners;
  };
}

/** Faults for passwords that another stay has; the others are recorded in `ownersOf` as this stay’s. */
function takenPasswords(passwords: Passwords, cle: string, ownersOf: () => Owners): Fault[] {
  return TYPES.flatMap((type) => {
    const plain = plainPassword(passwords[type] ?? '');
    if (plain === '') return [];
    const owner = ownersOf().get(plain) ?? cle;
    ownersOf().set(plain, owner);
    return owner === cle
      ? []
      : [{ colonne: `mdp_${type}`, raison: 'ce mot de passe est déjà celui d’un autre séjour.' }];
  });
}

/** Faults for passwords that are guessed first. */
function weakPasswords(passwords: Passwords, whyWeak: (plain: string) => string | undefined): Fault[] {
  return TYPES.flatMap((type) => {
    const raison = passwords[type] && whyWeak(passwords[type]);
    return raison ? [{ colonne: `mdp_${type}`, raison }] : [];
  });
}

const PASSWORDS_ERASED = 'les photos de ce séjour ne sont plus en ligne\u202f: il n’a plus de mots de passe.';

/** The passwords that a line changes. The two passwords of a stay must differ, even when only one of them changes. */
function passwordCells(
  cell: Cell,
  known: KnownStay | undefined,
  secrets: Secrets,
  faults: Fault[],
): Passwords {
  const set = TYPES.filter((type) => cell(`mdp_${type}`) !== '');
  if (set.length > 0 && known?.efface_le) {
    faults.push({ colonne: `mdp_${set[0]}`, raison: PASSWORDS_ERASED });
    return {};
  }
  const all: Passwords = {};
  const changed: Passwords = {};
  for (const type of set.length > 0 ? TYPES : []) {
    const before = known && openStayPassword(secrets, known, type).unseen;
    const typed = set.includes(type) ? readCell(stayPassword, cell, `mdp_${type}`, faults) : undefined;
    all[type] = typed ?? before;
    if (typed !== undefined && (before === undefined || plainPassword(typed) !== plainPassword(before)))
      changed[type] = typed;
  }
  const [first, second] = TYPES.map((type) => plainPassword(all[type] ?? ''));
  if (first !== '' && first === second) {
    faults.push({
      colonne: `mdp_${set[0]}`,
      raison: 'les deux mots de passe d’un séjour doivent être différents.',
    });
  }
  return changed;
}
