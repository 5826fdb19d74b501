import type { z } from 'zod';
import type { AskedTitles, ImportPreview } from '#features/imports/calls.ts';
import { stayName } from '#features/stays/shared/fields.ts';
import { COLUMN_LABELS, type Consent, type ImportKind } from '#features/stays/shared/terms.ts';
import { folded, wordsOf } from '#platform/shared/fold.ts';
import { isDay } from '#platform/shared/time.ts';
import { refusedFile } from './read.ts';

/* Recognising the columns of a file, whatever their headers are called. */

interface Column {
  /** Wire name. */
  name: string;
  /** The headers that name it, besides its wire name, as `headerKey` returns them. */
  headers: readonly string[];
}

const STAY_COLUMNS: readonly Column[] = [
  { name: 'nom_stage', headers: ['sejour', 'nom sejour', 'nomsejour', 'nomstage', 'intitule', 'libelle'] },
  {
    name: 'date_debut',
    headers: ['debut', 'du', 'date debut', 'datedebut', 'date debut sejour', 'debut sejour'],
  },
  { name: 'date_fin', headers: ['fin', 'au', 'date fin', 'datefin', 'date fin sejour', 'fin sejour'] },
];

const STAY_NUMBER: Column = {
  name: 'stageId',
  headers: ['stageid', 'sejour id', 'id sejour', 'numero sejour', 'n sejour'],
};

const COLUMNS: Record<ImportKind, readonly Column[]> = {
  sejours: [
    ...STAY_COLUMNS,
    { name: 'mdp_formateur', headers: passwordHeaders('formateur', 'directeur', 'directeurs') },
    { name: 'mdp_stagiaire', headers: passwordHeaders('stagiaire', 'famille', 'familles') },
  ],
  familles: [
    { name: 'nom', headers: ['nom', 'nom enfant', 'nom famille', 'nom stagiaire'] },
    { name: 'prenom', headers: ['prenom', 'prenom enfant', 'prenom stagiaire'] },
    {
      name: 'email',
      headers: [
        'email',
        'adresse email',
        'mailrl',
        'email rl',
        'email responsable legal',
        'email responsable',
        'email famille',
        'email parent',
        'email 1',
      ],
    },
    {
      name: 'email_2',
      headers: ['email 2', 'second email', 'deuxieme email', 'autre email', 'email parent 2'],
    },
    {
      name: 'consentement_image',
      headers: [
        'consentement image',
        'consentement',
        'droit image',
        'autorisation photo',
        'autorisation photos',
        'autorisation image',
      ],
    },
    STAY_NUMBER,
    ...STAY_COLUMNS,
  ],
  directeurs: [
    { name: 'nom', headers: ['nom', 'nom directeur', 'nom famille'] },
    { name: 'prenom', headers: ['prenom', 'prenom directeur'] },
    { name: 'email', headers: ['email', 'adresse email', 'email directeur'] },
    { name: 'telephone', headers: ['telephone', 'tel', 'numero telephone', 'portable', 'mobile'] },
    { name: 'cat', headers: ['type', 'categorie', 'dirige'] },
    STAY_NUMBER,
    ...STAY_COLUMNS,
  ],
};

/** The columns without which a file of a kind cannot be read; the stay of a person can be asked for. */
const REQUIRED_COLUMNS: Record<ImportKind, readonly string[]> = {
  sejours: STAY_COLUMNS.map((column) => column.name),
  familles: ['nom', 'prenom', 'email'],
  directeurs: ['nom', 'prenom', 'email', 'telephone'],
};

function passwordHeaders(...whose: string[]): string[] {
  return whose.flatMap((one) => [`mdp ${one}`, `mdp${one}`, `mot passe ${one}`]);
}

/** What headers stand for that name no known column: wire names by `headerKey`, '' for a header not to be read. */
export type Matches = ReadonlyMap<string, string>;

/** Where each known column stands in a file. */
export interface Columns extends AskedTitles {
  /** Wire names of the columns found, in the order of `COLUMNS`. */
  colonnes: string[];
  /** Index in the file of each of `colonnes`. */
  places: number[];
  /** Headers that stand for no column. */
  ignorees: string[];
  /** Number of cells in the header. */
  width: number;
}

/**
 * Finds the columns of a kind in a header: by their own names, then as the sender `said`, then as `recalled` from earlier
 * imports. Throws 422 when one is missing, duplicate or not permitted.
 */
export function findColumns(
  kind: ImportKind,
  header: readonly string[],
  said: Matches,
  recalled: Matches,
): Columns {
  const found = new Map<string, number>();
  const put = (name: string, place: number) => {
    if (found.has(name)) throw refusedFile(`la colonne ${namedColumn(name)} est là deux fois.`, 1);
    found.set(name, place);
  };
  const unknown: { titre: string; key: string; place: number }[] = [];
  for (const [place, title] of header.entries()) {
    if (title.trim() in Object.prototype)
      throw refusedFile(`la colonne «\u00a0${title}\u00a0» n’est pas permise.`, 1);
    const key = headerKey(title);
    const column = COLUMNS[kind].find((one) => headerKey(one.name) === key || one.headers.includes(key));
    if (column) put(column.name, place);
    else if (title.trim() !== '') unknown.push({ titre: title.trim(), key, place });
  }
  // The first of several headers that are spelt alike; one made of signs alone has no key.
  const asked = unknown.filter(
    ({ key }, index) => key !== '' && unknown.findIndex((one) => one.key === key) === index,
  );
  for (const { key, place } of asked) {
    const name = said.get(key);
    if (name) put(name, place);
  }
  const titres = asked.map(({ titre, key, place }) => {
    const name = recalled.get(key);
    const retenu = !said.has(key) && isColumn(kind, name) && !found.has(name);
    if (retenu) found.set(name, place);
    return { titre, colonne: retenu ? name : (said.get(key) ?? ''), retenu };
  });
  const libres = COLUMNS[kind].map(({ name }) => name).filter((name) => !found.has(name));
  requireColumns(kind, found, { titres, libres });
  const present = COLUMNS[kind].filter((column) => found.has(column.name));
  const read = new Set(found.values());
  return {
    colonnes: present.map((column) => column.name),
    places: present.map((column) => found.get(column.name) ?? 0),
    ignorees: unknown.filter(({ place }) => !read.has(place)).map(({ titre }) => titre),
    titres,
    libres,
    width: header.length,
  };
}

/** Whether a kind has a column of this wire name. */
export function isColumn(kind: ImportKind, name: string | undefined): name is string {
  return COLUMNS[kind].some((column) => column.name === name);
}

/** Throws 422 naming every missing required column, with what could still be said of the headers. */
function requireColumns(kind: ImportKind, found: ReadonlyMap<string, number>, asked: AskedTitles): void {
  const missing = REQUIRED_COLUMNS[kind].filter((name) => !found.has(name)).map(namedColumn);
  if (missing.length === 0) return;
  const text =
    missing.length === 1 ? `la colonne ${missing[0]} manque` : `les colonnes ${missing.join(', ')} manquent`;
  throw refusedFile(`${text}.`, 1, asked);
}

/** « Date de fin ». */
function namedColumn(name: string): string {
  return `«\u00a0${COLUMN_LABELS[name]}\u00a0»`;
}

const SMALL_WORDS = /^(de|du|des|d|la|le|les|l|a)$/;

/**
 * A header without accents, case, punctuation and small words, with synonyms unified: « stage » becomes `sejour`, and
 * « mail » becomes `email`.
 */
export function headerKey(title: string): string {
  const words = wordsOf(title);
  const telling = words.filter((word) => !SMALL_WORDS.test(word));
  return (telling.length > 0 ? telling : words)
    .join(' ')
    .replace(/\b(e mail|mail|courriel)\b/g, 'email')
    .replace(/\bstages?\b/g, 'sejour');
}

/* Parsing days and consents as people and spreadsheets write them. */

const FRENCH_DAY = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/;
/** A spreadsheet may add midnight to a day. */
const TIME = /[T ]\d{1,2}[:h][\d:.]*Z?$/;

/** Parses a day to `2026-06-20`; undefined when it is none. Two-digit years are in this century. */
export function readDay(cell: string): string | undefined {
  const text = cell.trim().replace(TIME, '');
  const french = FRENCH_DAY.exec(text);
  if (!french) return isDay(text) ? text : undefined;
  const [, day = '', month = '', year = ''] = french;
  const read = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(read) ? read : undefined;
}

const CONSENT_WORDS: Record<Consent, readonly string[]> = {
  oui: ['oui', 'o', 'vrai', 'true', '1', 'x'],
  non: ['non', 'n', 'faux', 'false', '0'],
  inconnu: ['inconnu'],
};

/** Parses a consent; undefined for an unknown word. */
export function readConsent(cell: string): Consent | undefined {
  const word = folded(cell);
  return (Object.keys(CONSENT_WORDS) as Consent[]).find((consent) => CONSENT_WORDS[consent].includes(word));
}

/** Returns a cell of a line by the wire name of its column. */
export type Cell = (colonne: string) => string;

/** Reads a cell by the schema of a form field; when it is invalid, adds the reason to `faults`, returns undefined. */
export function readCell<T>(
  schema: z.ZodType<T, string>,
  cell: Cell,
  colonne: string,
  faults: Fault[],
): T | undefined {
  const read = schema.safeParse(cell(colonne));
  if (read.success) return read.data;
  faults.push({ colonne, raison: read.error.issues[0]?.message ?? '' });
  return undefined;
}

const REQUIRED = 'ce champ est obligatoire.';
const NO_DAY = 'cette date n’existe pas (exemple\u202f: 20/06/2026).';

function dayCell(cell: Cell, colonne: string, faults: Fault[]): string {
  const text = cell(colonne);
  const day = readDay(text);
  if (day === undefined) faults.push({ colonne, raison: text === '' ? REQUIRED : NO_DAY });
  return day ?? '';
}

/** Reads the name and dates of a stay; what is invalid is added to `faults`. */
export function stayCells(cell: Cell, faults: Fault[]) {
  const nom_stage = readCell(stayName, cell, 'nom_stage', faults) ?? '';
  const date_debut = dayCell(cell, 'date_debut', faults);
  const date_fin = dayCell(cell, 'date_fin', faults);
  if (date_debut !== '' && date_fin !== '' && date_fin < date_debut) {
    faults.push({ colonne: 'date_fin', raison: 'le séjour finit avant de commencer.' });
  }
  return { nom_stage, date_debut, date_fin };
}

export type Fault = ImportPreview['fautes'][number]['raisons'][number];
