import { setImmediate } from 'node:timers/promises';
import {
  addressesOf,
  type ChildRow,
  homonymKey,
  shareAddress,
} from '#features/stays/server/familiesStore.ts';
import { removalMark } from '#features/stays/server/removalsStore.ts';
import { childKey, stayKey } from '#features/stays/server/staysStore.ts';
import { firstName, lastName, mailAddress } from '#features/stays/shared/fields.ts';
import { COLUMN_LABELS, CONSENTS, type Consent } from '#features/stays/shared/terms.ts';
import { slicesOf } from '#platform/server/concurrency.ts';
import { addressKey } from '#platform/server/mail/transport.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import { folded, wordsOf } from '#platform/shared/fold.ts';
import { readAddresses } from './cells.ts';
import { type Cell, type Fault, readCell, readConsent, readDay, stayCells } from './columns.ts';
import type { KnownStay, KnownStays } from './importsStore.ts';
import type { Asked, AskingLine, Questions } from './questions.ts';
import {
  type Checked,
  type Checker,
  changesIn,
  type GoodLine,
  type Outcome,
  repeats,
  SLICE,
} from './table.ts';

/** A child and its family as a line of the file names them. */
interface NamedChild {
  stage_id: number;
  nom: string;
  prenom: string;
  cle: string;
  /** At most two. */
  addresses: string[];
  /** Null: the stored value is kept. */
  consent: Consent | null;
  /** An earlier line is about another child of these names. */
  isHomonym: boolean;
}

/** A child as an import stores it. */
export interface FamilyLine {
  /** With the version that was read; null for a new child. */
  id: number | null;
  version: number | null;
  stage_id: number;
  nom: string;
  prenom: string;
  cle: string;
  email: string;
  email_2: string;
  consentement_image: Consent;
}

export type KnownChild = Omit<ChildRow, 'created_at' | 'modifie_le'>;

/** The stored children of these stays, by stay and `childKey`: those under one key are homonyms. */
export type KnownChildren = ReadonlyMap<string, readonly KnownChild[]>;

interface Known {
  stays: KnownStays;
  children(stageIds: readonly number[]): Promise<KnownChildren>;
  /** Marks of what people removed; see `removalMark`. */
  removed: ReadonlySet<string>;
}

/** Answer of a required question: its lines are left aside. */
const LEAVE = 'laisser';
const LEAVING = { valeur: LEAVE, texte: 'Laisser de côté' };
const LEFT = 'laissée de côté avec ce qui était demandé.';

const HOMONYM = { valeur: 'homonyme', texte: 'Un autre enfant, qui porte le même nom' };

const TWIN: Asked = {
  question: 'jumeaux',
  texte: 'Ce fichier nomme deux fois ces enfants, avec d’autres adresses. Est-ce le même enfant\u202f?',
  choix: [
    { valeur: 'meme', texte: 'Le même\u202f: l’autre adresse devient «\u00a0Second e-mail\u00a0»' },
    HOMONYM,
    LEAVING,
  ],
  obligatoire: true,
  une_a_une: true,
};
const ADDRESS: Asked = {
  question: 'adresses',
  texte: 'Le site connaît ces enfants à une autre adresse. Que faire de celle du fichier\u202f?',
  choix: [
    { valeur: 'garder', texte: 'Garder l’adresse du site' },
    { valeur: 'remplacer', texte: 'Remplacer l’adresse du site' },
    { valeur: 'seconde', texte: 'L’ajouter, comme «\u00a0Second e-mail\u00a0»' },
    HOMONYM,
    LEAVING,
  ],
  obligatoire: true,
  une_a_une: true,
};
const REFUSAL: Asked = {
  question: 'refus',
  texte: 'Le site tient un refus du droit à l’image, que ce fichier lèverait',
  choix: [{ valeur: 'oui', texte: 'Lever ce refus' }],
  une_a_une: true,
};
const REMOVED: Asked = {
  question: 'retires',
  texte: 'Ces enfants ont été retirés de leur séjour, sur le site',
  choix: [{ valeur: 'oui', texte: 'Les inscrire de nouveau' }],
  une_a_une: true,
};

export function familyChecker(
  known: Known,
  secrets: Secrets,
  questions: Questions,
): Checker<NamedChild, FamilyLine> {
  const stayOf = openStayFinder(known.stays, questions, true);
  /** The children of the lines so far, by stay and key. */
  const people = new Map<string, { ligne: number; child: NamedChild }[]>();

  /** Puts a child beside those of its names in the lines before. */
  function meet(ligne: number, child: NamedChild): Checked<NamedChild> {
    const key = keyOf(child);
    const others = people.get(key) ?? [];
    people.set(key, others);
    const own = others.find((one) => shareAddress(one.child.addresses, child.addresses));
    const isMute = child.addresses.length === 0 || others[0]?.child.addresses.length === 0;
    const same = own ?? (others.length === 1 && isMute ? others[0] : undefined);
    if (same) return join(same, child);
    const [first] = others;
    if (!first) {
      others.push({ ligne, child });
      return { value: child };
    }
    const texte = `${nameOf(child)}\u202f: ${first.child.addresses.join(', ')} à la ligne ${first.ligne}, ${child.addresses.join(', ')} ici`;
    switch (questions.ask(TWIN, { ligne, texte })) {
      case 'meme':
        return join(first, child);
      case 'homonyme':
        child.isHomonym = true;
        others.push({ ligne, child });
        return { value: child };
      case LEAVE:
        return { aside: LEFT };
      default:
        return faulty(
          'email',
          `la ligne ${first.ligne} nomme cet enfant à une autre adresse\u202f: est-ce le même\u202f?`,
        );
    }
  }

  /** Adds what a line says to an earlier one about the same child. */
  function join(
    { ligne: before, child: first }: { ligne: number; child: NamedChild },
    child: NamedChild,
  ): Checked<NamedChild> {
    if (child.consent && first.consent && child.consent !== first.consent)
      return faulty('consentement_image', `la ligne ${before} dit autre chose de cet enfant.`);
    const all = distinct([...first.addresses, ...child.addresses]);
    if (all.length > 2)
      return faulty('email', `avec la ligne ${before}, cet enfant a plus de deux adresses.`);
    const saysMore = all.length > first.addresses.length || (child.consent !== null && !first.consent);
    first.addresses = all;
    first.consent ??= child.consent;
    return {
      warning: saysMore ? `elle complète la ligne ${before}, qui nomme le même enfant.` : repeats(before),
    };
  }

  return {
    check(cell, ligne): Checked<NamedChild> {
      const faults: Fault[] = [];
      const nom = nameCell(lastName, cell, 'nom', faults);
      const prenom = nameCell(firstName, cell, 'prenom', faults);
      const addresses = addressCells(cell, faults);
      const line = { ligne, texte: `${prenom} ${nom}` };
      const consent = consentCell(cell, faults, questions, line);
      const found = stayOf(cell, line);
      if ('faults' in found) faults.push(...found.faults);
      if (consent === LEAVE || 'aside' in found) return { aside: LEFT };
      if ('faults' in found || faults.length > 0) return { faults };
      const cle = childKey({ nom, prenom });
      return meet(ligne, { stage_id: found.id, nom, prenom, cle, addresses, consent, isHomonym: false });
    },
    async compare(lines) {
      const stored = await known.children([...new Set(lines.map(({ value }) => value.stage_id))]);
      const isTaken = new Set<KnownChild>();
      const usedKeys = new Set(
        [...stored.values()].flatMap((same) => same.map(({ stage_id, cle }) => `${stage_id}|${cle}`)),
      );
      // Those who share an address first: only who is left may be the one whose address changed.
      const sure = new Map<NamedChild, KnownChild>();
      for (const { value } of lines) {
        const same = stored.get(keyOf(value)) ?? [];
        const child = same.find(
          (one) => !isTaken.has(one) && shareAddress(addressesOf(one), value.addresses),
        );
        if (!child) continue;
        isTaken.add(child);
        sure.set(value, child);
      }
      const outcomes: Outcome<FamilyLine>[] = [];
      for (const slice of slicesOf(lines, SLICE)) {
        outcomes.push(...slice.map((line) => outcomeOf(line, stored, sure, isTaken, usedKeys)));
        await setImmediate();
      }
      return outcomes;
    },
  };

  function outcomeOf(
    line: GoodLine<NamedChild>,
    stored: KnownChildren,
    sure: ReadonlyMap<NamedChild, KnownChild>,
    isTaken: Set<KnownChild>,
    usedKeys: Set<string>,
  ): Outcome<FamilyLine> {
    const { value } = line;
    const left = (stored.get(keyOf(value)) ?? []).filter((one) => !isTaken.has(one));
    const child = sure.get(value) ?? mute(value, left);
    if (child === 'which')
      return faulty(
        'email',
        'plusieurs enfants de ce nom sont inscrits à ce séjour\u202f: leur adresse dit lequel c’est.',
      );
    if (!child) return added(line, left, isTaken, usedKeys);
    isTaken.add(child);
    return changed(line, child, sure.has(value));
  }

  /** What becomes of a stored child. */
  function changed(
    { ligne, value }: GoodLine<NamedChild>,
    child: KnownChild,
    isSure: boolean,
    answer?: string,
  ): Outcome<FamilyLine> {
    const before = addressesOf(child);
    const fresh = value.addresses.filter((one) => !shareAddress([one], before));
    // Both in another order: the first one is now the file's.
    const isWhole = fresh.length === 0 && value.addresses.length === before.length;
    let after = isWhole ? value.addresses : distinct([...before, ...fresh]);
    if (fresh.length > 0 && (after.length > 2 || !(isSure || before.length === 0))) {
      const [was, is] = [before.join(', '), value.addresses.join(', ')];
      const said =
        answer ?? questions.ask(ADDRESS, { ligne, texte: `${nameOf(value)}\u202f: ${was} → ${is}` });
      if (said === 'garder') after = before;
      else if (said === 'remplacer') after = distinct([...value.addresses, ...before.slice(1)]).slice(0, 2);
      else if (said === LEAVE) return { aside: LEFT };
      else if (said !== 'seconde' || after.length > 2)
        return faulty(
          'email',
          said === 'seconde'
            ? `le site a déjà deux adresses pour cet enfant (${was}).`
            : `le site connaît cet enfant à une autre adresse (${was})\u202f: est-ce le même\u202f?`,
        );
    }
    let consent = value.consent ?? child.consentement_image;
    if (child.consentement_image === 'non' && consent !== 'non') {
      const texte = `${nameOf(value)}\u202f: ${CONSENTS.non} → ${CONSENTS[consent]}`;
      if (questions.ask(REFUSAL, { ligne, texte }) !== 'oui') consent = 'non';
    }
    const { id, version, stage_id, cle } = child;
    const [email = '', email_2 = ''] = after;
    const { nom, prenom } = value;
    const stored = { id, version, stage_id, cle, nom, prenom, email, email_2, consentement_image: consent };
    const valeurs = changesIn(child, stored, ['nom', 'prenom', 'email', 'email_2', 'consentement_image']);
    return {
      etat: valeurs.length > 0 ? 'modifier' : 'inchangee',
      value: stored,
      qui: nameOf(value),
      valeurs,
    };
  }

  /** What becomes of a child that shares no address with one of the same names, of whom `left` are free. */
  function added(
    line: GoodLine<NamedChild>,
    left: readonly KnownChild[],
    isTaken: Set<KnownChild>,
    usedKeys: Set<string>,
  ): Outcome<FamilyLine> {
    const { ligne, value } = line;
    const [other] = left;
    if (other && !value.isHomonym) {
      const was = left.flatMap(addressesOf).join(', ');
      const texte = `${nameOf(value)}\u202f: ${was} → ${value.addresses.join(', ')}`;
      const said = questions.ask(ADDRESS, { ligne, texte });
      if (said === LEAVE) return { aside: LEFT };
      if (said !== 'homonyme') {
        if (left.length > 1)
          return faulty('email', `plusieurs enfants de ce nom sont inscrits à ce séjour (${was}).`);
        isTaken.add(other);
        return changed(line, other, false, said);
      }
    }
    const { stage_id, nom, prenom, addresses, consent } = value;
    const mark = known.removed.size > 0 && removalMark(secrets, 'stagiaires', stage_id, value.cle);
    if (mark && known.removed.has(mark) && questions.ask(REMOVED, { ligne, texte: nameOf(value) }) !== 'oui')
      return { aside: 'cet enfant a été retiré de ce séjour, sur le site.' };
    let number = 1;
    const keyAt = () => homonymKey(value.cle, number);
    while (usedKeys.has(`${stage_id}|${keyAt()}`)) number++;
    usedKeys.add(`${stage_id}|${keyAt()}`);
    const [email = '', email_2 = ''] = addresses;
    return {
      etat: 'creer',
      qui: nameOf(value),
      valeurs: [],
      value: {
        ...{ id: null, version: null, stage_id, nom, prenom, cle: keyAt(), email, email_2 },
        consentement_image: consent ?? 'inconnu',
      },
    };
  }
}

/** The child that a line without an address, or about one without, is about; « which » when it may be several. */
function mute(value: NamedChild, left: readonly KnownChild[]): KnownChild | 'which' | undefined {
  const [one, another] = left;
  if (!one || value.isHomonym) return undefined;
  if (value.addresses.length === 0) return another ? 'which' : one;
  return !another && addressesOf(one).length === 0 ? one : undefined;
}

function keyOf({ stage_id, cle }: Pick<NamedChild, 'stage_id' | 'cle'>): string {
  return `${stage_id}|${cle}`;
}

function nameOf({ prenom, nom }: Pick<NamedChild, 'prenom' | 'nom'>): string {
  return `${prenom} ${nom}`;
}

function distinct(addresses: readonly string[]): string[] {
  return [...new Map([...addresses].reverse().map((one) => [addressKey(one), one])).values()].reverse();
}

function faulty(colonne: string, raison: string): { faults: Fault[] } {
  return { faults: [{ colonne, raison }] };
}

/** A name with a letter in it: under a list there may be a sum, or a number alone. */
function nameCell(schema: typeof lastName, cell: Cell, colonne: string, faults: Fault[]): string {
  const name = readCell(schema, cell, colonne, faults) ?? '';
  if (name !== '' && !/\p{L}/u.test(name)) faults.push({ colonne, raison: 'ce nom n’a pas de lettre.' });
  return name;
}

/** What people write for want of an address. */
const NO_ADDRESS =
  /^(?:[-–—/.x]*|neant|n[ée]ant|(?:sans|pas|aucune?)(?: d[e’'])?(?: ?(?:e-?mail|mail|adresse|courriel)s?)?)$/;

/** The addresses of a family, none if it has none. */
function addressCells(cell: Cell, faults: Fault[]): string[] {
  const found = ['email', 'email_2'].flatMap((colonne) => {
    const text = cell(colonne);
    if (NO_ADDRESS.test(folded(text))) return [];
    const addresses = readAddresses(text);
    if (!addresses) readCell(mailAddress, cell, colonne, faults);
    return addresses ?? [];
  });
  const all = distinct(found);
  if (all.length > 2)
    faults.push({
      colonne: 'email',
      raison: 'deux adresses au plus sont attendues, une par responsable légal.',
    });
  return all;
}

/** Reads a consent; a word that is not known is asked about once, for all files. */
function consentCell(
  cell: Cell,
  faults: Fault[],
  questions: Questions,
  line: AskingLine,
): Consent | typeof LEAVE | null {
  const text = cell('consentement_image');
  if (text === '') return null;
  const consent = readConsent(text);
  if (consent) return consent;
  const word = wordsOf(text).join(' ') || folded(text);
  const said = questions.ask(
    {
      question: `accord ${word}`,
      texte: `${COLUMN_LABELS.consentement_image}\u202f: que veut dire «\u00a0${text}\u00a0»\u202f?`,
      choix: [
        { valeur: 'oui', texte: 'Oui, des photos' },
        { valeur: 'non', texte: 'Non, pas de photos' },
        { valeur: 'rien', texte: 'Ne pas lire ce mot' },
        LEAVING,
      ],
      obligatoire: true,
      isKept: word.length <= 100 && !text.includes('@'),
    },
    line,
  );
  if (said === 'oui' || said === 'non' || said === LEAVE) return said;
  if (said !== 'rien')
    faults.push({ colonne: 'consentement_image', raison: 'oui, non ou rien est attendu.' });
  return null;
}

type Found = KnownStay | { faults: Fault[] };

const NAMING = ['stageId', 'nom_stage', 'date_debut', 'date_fin'];

/** Whether a line names a stay at all. */
export function namesStay(cell: Cell): boolean {
  return NAMING.some((colonne) => cell(colonne) !== '');
}

/**
 * Returns a function that finds the stay of a line, and asks for it where it may be none or several. The lines of a file
 * name few stays, so results are cached. `isForFamilies`: one that receives no families any more is none.
 */
export function openStayFinder(stays: KnownStays, questions: Questions, isForFamilies = false) {
  const found = new Map<string, Found & { isAsked?: boolean }>();
  const receives = (stay: KnownStay) => !isForFamilies || stay.efface_le === null;
  return (cell: Cell, line: AskingLine): Found | { aside: string } => {
    const naming = NAMING.map((colonne) => cell(colonne));
    const key = naming.join('\n');
    const known = found.get(key) ?? findStay(stays, cell, receives);
    found.set(key, known);
    if (!('faults' in known) || !known.isAsked) return known;
    const named = naming.filter((text) => text !== '').map(readable);
    const said = questions.ask(
      {
        question: `sejour ${folded(named.join(', '))}`.trim(),
        texte:
          named.length > 0
            ? `Quel est le séjour «\u00a0${named.join(', ')}\u00a0»\u202f?`
            : 'À quel séjour vont les lignes qui n’en nomment aucun\u202f?',
        choix: [],
        obligatoire: true,
      },
      line,
    );
    if (said === LEAVE) return { aside: LEFT };
    const chosen = stays.byId(Number(said));
    return chosen && receives(chosen) ? chosen : known;
  };
}

function readable(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? french(text) : text;
}

/** `isAsked`: which stay is meant may be answered. */
function findStay(
  stays: KnownStays,
  cell: Cell,
  receives: (stay: KnownStay) => boolean,
): Found & { isAsked?: boolean } {
  const asked = (colonne: string, raison: string) => ({ ...faulty(colonne, raison), isAsked: true });
  const number = cell('stageId');
  if (number !== '') {
    const stay = /^\d{1,15}$/.test(number) ? stays.byId(Number(number)) : undefined;
    if (!stay) return asked('stageId', 'aucun séjour n’a ce numéro.');
    if (isOtherwiseNamed(stay, cell)) return asked('stageId', 'ce numéro n’est pas celui de ce séjour.');
    return receives(stay) ? stay : asked('stageId', ERASED);
  }
  if (!namesStay(cell)) return asked('nom_stage', 'aucun séjour n’est nommé.');
  const read: Fault[] = [];
  const { nom_stage, ...days } = stayCells(cell, read);
  // A name may be enough.
  const faults = read.filter(({ colonne }) => colonne === 'nom_stage' || cell(colonne) !== '');
  if (faults.length > 0) return { faults };
  const sameName = stays.byName(nom_stage);
  const meant = sameName.filter((stay) =>
    (['date_debut', 'date_fin'] as const).every((day) => days[day] === '' || days[day] === stay[day]),
  );
  const open = meant.filter(receives);
  const [stay] = open;
  if (open.length === 1 && stay) return stay;
  if (open.length > 1) return asked('nom_stage', 'plusieurs séjours portent ce nom.');
  return asked('nom_stage', meant.length > 0 ? ERASED : unknownStay(sameName));
}

const ERASED = 'les photos de ce séjour ne sont plus en ligne\u202f: il ne reçoit plus de familles.';

/** Whether the name or a date given beside the stay number contradicts that stay; blank cells are ignored. */
function isOtherwiseNamed(stay: KnownStay, cell: Cell): boolean {
  const day = (colonne: 'date_debut' | 'date_fin') =>
    cell(colonne) === '' ? stay[colonne] : (readDay(cell(colonne)) ?? '');
  const named = {
    nom_stage: cell('nom_stage') || stay.nom_stage,
    date_debut: day('date_debut'),
    date_fin: day('date_fin'),
  };
  return stayKey(named) !== stayKey(stay);
}

function unknownStay(sameName: readonly KnownStay[]): string {
  const [stay, ...others] = sameName;
  if (!stay) return 'ce séjour n’existe pas.';
  const dates = `du ${french(stay.date_debut)} au ${french(stay.date_fin)}`;
  return `ce séjour n’existe pas à ces dates\u202f; il est connu ${dates}${others.length > 0 ? ', entre autres' : ''}.`;
}

function french(day: string): string {
  return day.split('-').reverse().join('/');
}
