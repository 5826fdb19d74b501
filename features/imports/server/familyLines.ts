import { setImmediate } from 'node:timers/promises';
import {
  addressesOf,
  type ChildRow,
  homonymKey,
  shareAddress,
} from '#features/stays/server/familiesStore.ts';
import { removalMark } from '#features/stays/server/removalsStore.ts';
import { childKey } from '#features/stays/server/staysStore.ts';
import { consent, familyAddress, firstName, lastName } from '#features/stays/shared/fields.ts';
import { COLUMN_LABELS, CONSENTS, type Consent } from '#features/stays/shared/terms.ts';
import { addressKey } from '#platform/server/mail/transport.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import { folded, wordsOf } from '#platform/shared/fold.ts';
import { readAddresses } from './cells.ts';
import { type Cell, type Fault, readCell } from './columns.ts';
import type { KnownStays } from './importsStore.ts';
import { openStayFinder } from './namedStay.ts';
import { type Asked, type AskingLine, LEAVE, LEAVING, LEFT, type Questions } from './questions.ts';
import {
  type Checked,
  type Checker,
  changesIn,
  faulty,
  type GoodLine,
  type Met,
  type Outcome,
  repeats,
  SLICE,
} from './table.ts';

interface NamedChild {
  stage_id: number;
  nom: string;
  prenom: string;
  cle: string;
  /** Under which `KnownChildren` has it. */
  key: string;
  /** At most two. */
  addresses: string[];
  /** Null: the stored value is kept. */
  consent: Consent | null;
  /** The stored child that has one of the addresses. */
  stored: KnownChild | undefined;
  /** An earlier line is about another child of these names. */
  isHomonym: boolean;
}

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

const HOMONYM = { valeur: 'homonyme', texte: 'Un autre enfant, qui porte le même nom' };

const SIBLINGS: Asked = {
  question: 'fratries',
  texte: 'Ces cellules semblent nommer plusieurs enfants\u202f; une ligne par enfant est attendue',
  choix: [{ valeur: 'un', texte: 'C’est le prénom d’un seul enfant' }, LEAVING],
  obligatoire: true,
  une_a_une: true,
};
/** What stands between the first names of two children. */
const BETWEEN = /[,;/+&]|\set\s/i;

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

  /** Puts a child beside `others`, those of its names in the lines before: undefined where it is another one. */
  function meet(
    { ligne, value: child }: GoodLine<NamedChild>,
    others: readonly GoodLine<NamedChild>[],
  ): Met | undefined {
    const own = others.find(
      ({ value }) =>
        shareAddress(value.addresses, child.addresses) || (value.stored && value.stored === child.stored),
    );
    const [first] = others;
    const isMute = child.addresses.length === 0 || first?.value.addresses.length === 0;
    const same = own ?? (others.length === 1 && isMute ? first : undefined);
    if (same) return join(same, child);
    if (!first) return undefined;
    // The site knows each of them at an address.
    child.isHomonym = child.stored !== undefined && others.every(({ value }) => value.stored);
    if (child.isHomonym) return undefined;
    const texte = `${nameOf(child)}\u202f: ${first.value.addresses.join(', ')} à la ligne ${first.ligne}, ${child.addresses.join(', ')} ici`;
    switch (questions.ask(TWIN, { ligne, texte })) {
      case 'meme':
        return join(first, child);
      case 'homonyme':
        child.isHomonym = true;
        return undefined;
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
  function join({ ligne: before, value: first }: GoodLine<NamedChild>, child: NamedChild): Met {
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
      const siblings = BETWEEN.test(prenom) && questions.ask(SIBLINGS, line);
      if (siblings === LEAVE) return { aside: LEFT };
      if (siblings === '') faults.push({ colonne: 'prenom', raison: 'plusieurs enfants semblent nommés.' });
      const consent = consentCell(cell, faults, questions, line);
      const found = stayOf(cell, line);
      if ('faults' in found) faults.push(...found.faults);
      if (consent === LEAVE || 'aside' in found) return { aside: LEFT };
      if ('faults' in found || faults.length > 0) return { faults };
      const cle = childKey({ nom, prenom });
      const stage_id = found.id;
      const key = `${stage_id}|${cle}`;
      return {
        value: { stage_id, nom, prenom, cle, key, addresses, consent, stored: undefined, isHomonym: false },
      };
    },
    async compare(lines) {
      const stored = await known.children([...new Set(lines.map(({ value }) => value.stage_id))]);
      const isTaken = new Set<KnownChild>();
      const usedKeys = new Set(
        [...stored.values()].flatMap((same) => same.map(({ stage_id, cle }) => `${stage_id}|${cle}`)),
      );
      // Those whom an address tells first: only who is left may be the one whose address changed.
      const people = new Map<string, GoodLine<NamedChild>[]>();
      const met = lines.map((line) => {
        const { value } = line;
        value.stored = stored.get(value.key)?.find((one) => shareAddress(addressesOf(one), value.addresses));
        const others = people.get(value.key) ?? [];
        const found = meet(line, others);
        if (!found) people.set(value.key, [...others, line]);
        if (value.stored) isTaken.add(value.stored);
        return found;
      });
      const outcomes: Outcome<FamilyLine>[] = [];
      for (const line of lines) {
        outcomes.push(met[outcomes.length] ?? outcomeOf(line, stored, isTaken, usedKeys));
        if (outcomes.length % SLICE === 0) await setImmediate();
      }
      return outcomes;
    },
  };

  function outcomeOf(
    line: GoodLine<NamedChild>,
    stored: KnownChildren,
    isTaken: Set<KnownChild>,
    usedKeys: Set<string>,
  ): Outcome<FamilyLine> {
    const { value } = line;
    const left = (stored.get(value.key) ?? []).filter((one) => !isTaken.has(one));
    const child = value.stored ?? mute(value, left);
    if (child === 'which')
      return faulty(
        'email',
        'plusieurs enfants de ce nom sont inscrits à ce séjour\u202f: leur adresse dit lequel c’est.',
      );
    if (!child) return added(line, left, isTaken, usedKeys);
    isTaken.add(child);
    return changed(line, child, value.stored !== undefined);
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
    let addresses = isWhole ? value.addresses : distinct([...before, ...fresh]);
    if (fresh.length > 0 && (addresses.length > 2 || !(isSure || before.length === 0))) {
      const [was, is] = [before.join(', '), value.addresses.join(', ')];
      const said =
        answer ?? questions.ask(ADDRESS, { ligne, texte: `${nameOf(value)}\u202f: ${was} → ${is}` });
      if (said === 'garder') addresses = before;
      else if (said === 'remplacer')
        addresses = distinct([...value.addresses, ...before.slice(1)]).slice(0, 2);
      else if (said === LEAVE) return { aside: LEFT };
      else if (said !== 'seconde' || addresses.length > 2)
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
    const [email = '', email_2 = ''] = addresses;
    const { nom, prenom } = value;
    const after = { id, version, stage_id, cle, nom, prenom, email, email_2, consentement_image: consent };
    const valeurs = changesIn(child, after, ['nom', 'prenom', 'email', 'email_2', 'consentement_image']);
    return {
      etat: valeurs.length > 0 ? 'modifier' : 'inchangee',
      value: after,
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
    while (usedKeys.has(homonymKey(value.key, number))) number++;
    usedKeys.add(homonymKey(value.key, number));
    const [email = '', email_2 = ''] = addresses;
    return {
      etat: 'creer',
      qui: '',
      valeurs: [],
      value: {
        id: null,
        version: null,
        stage_id,
        nom,
        prenom,
        cle: homonymKey(value.cle, number),
        email,
        email_2,
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

function nameOf({ prenom, nom }: Pick<NamedChild, 'prenom' | 'nom'>): string {
  return `${prenom} ${nom}`;
}

function distinct(addresses: string[]): string[] {
  const [one, other] = addresses.map(addressKey);
  if (addresses.length < 2 || (addresses.length === 2 && one !== other)) return addresses;
  return [...new Map([...addresses].reverse().map((one) => [addressKey(one), one])).values()].reverse();
}

/** A name with a letter in it: under a list there may be a sum, or a number alone. */
function nameCell(schema: typeof lastName, cell: Cell, colonne: string, faults: Fault[]): string {
  const name = readCell(schema, cell, colonne, faults) ?? '';
  if (name !== '' && !/\p{L}/u.test(name)) faults.push({ colonne, raison: 'ce nom n’a pas de lettre.' });
  else if (name.includes('?')) faults.push({ colonne, raison: 'des accents de ce nom semblent perdus.' });
  return name;
}

/** What people write for want of an address. */
const SAYS_NONE =
  /^(?:[-–—/.]*|neant|n[ée]ant|(?:sans|pas|aucune?)(?: d[e’'])?(?: ?(?:e-?mail|mail|adresse|courriel)s?)?)$/;

/** The addresses of a family, none if it has none. */
function addressCells(cell: Cell, faults: Fault[]): string[] {
  // A loop: the lists of a `flatMap` would be kept as if they were to stay.
  const found: string[] = [];
  for (const colonne of ['email', 'email_2']) {
    const text = cell(colonne);
    if (text === '' || (!text.includes('@') && SAYS_NONE.test(folded(text)))) continue;
    const addresses = readAddresses(text);
    found.push(...addresses);
    const wrong = addresses.map((one) => familyAddress.safeParse(one).error).find((error) => error);
    if (wrong) faults.push({ colonne, raison: wrong.issues[0]?.message ?? '' });
  }
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
  const known = consent.safeParse(text);
  if (known.success) return known.data;
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
