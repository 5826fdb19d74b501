import type { z } from 'zod';
import { stayName } from '#features/stays/shared/fields.ts';
import { COLUMN_LABELS, type ImportKind } from '#features/stays/shared/terms.ts';
import { wordsOf } from '#platform/shared/fold.ts';
import { daysBetween, isDay } from '#platform/shared/time.ts';
import type { AskedTitles, ImportPreview } from '../calls.ts';
import { plainText, readDay, readTelephone, remembered, STAY_DAYS, splitDays, splitName } from './cells.ts';
import { refusedFile } from './read.ts';

/* Recognising the columns of a file, whatever their headers are called. */

interface Column {
  /** Wire name. */
  name: string;
  /** The headers that name it for sure, besides its wire name, as `headerKey` returns them. */
  headers: readonly string[];
  /** Words of other headers that name it: one of each of `has`, and none that is not there or in `may`. */
  has: readonly string[];
  may: string;
}

/** Columns whose cells hold what two others do, and how they are parted. */
const JOINED: Record<string, { parts: readonly string[]; split(cell: string): readonly string[] }> = {
  nom_prenom: { parts: ['nom', 'prenom'], split: (cell) => splitName(cell, true) },
  prenom_nom: { parts: ['nom', 'prenom'], split: (cell) => splitName(cell, false) },
  dates: { parts: ['date_debut', 'date_fin'], split: splitDays },
};

const CHILD =
  'enfants? jeunes? participants? stagiaire eleve ado mineur beneficiaire inscrit vacancier colon';
const ADULT =
  'responsable legal rl parents? famille mere pere maman papa tuteur tutrice representant salarie agent contact';
const DIRECTOR = 'directeur directrice responsable';
const ADDRESS = 'adresses? address principale? personnel(le)? perso pro(fessionnel(le)?)? 1';
const STAY = 'sejours? colonie colo camp';
const SECOND = '2 second(e|aire)? deuxieme autre bis conjoint';

const STAY_COLUMNS: readonly Column[] = [
  {
    name: 'nom_stage',
    headers: ['sejour', 'nom sejour', 'nomsejour', 'nomstage', 'intitule', 'libelle'],
    has: [STAY],
    may: 'nom intitule libelle titre (choisi|demande|retenu|souhaite)e?s? vacances',
  },
  {
    name: 'date_debut',
    headers: ['debut', 'du', 'date debut', 'datedebut'],
    has: ['debut du commence start depart'],
    may: `date jour ${STAY}`,
  },
  {
    name: 'date_fin',
    headers: ['fin', 'au', 'date fin', 'datefin'],
    has: ['fin au finit end retour'],
    may: `date jour ${STAY}`,
  },
  { name: 'dates', headers: ['du au'], has: ['dates periodes?'], may: STAY },
];

const STAY_NUMBER: Column = {
  name: 'stageId',
  headers: ['stageid', 'sejour id', 'id sejour', 'numero sejour', 'n sejour'],
  has: ['id numero num n no', STAY],
  may: '',
};

const LAST_NAME = { name: 'nom', headers: ['nom'], has: ['noms? patronyme'] };
const FIRST_NAME = { name: 'prenom', headers: ['prenom'], has: ['prenoms?'] };
const EMAIL = { name: 'email', headers: ['email'], has: ['email'] };
const BOTH_NAMES = [
  { name: 'nom_prenom', headers: [], has: [...LAST_NAME.has, ...FIRST_NAME.has] },
  { name: 'prenom_nom', headers: [], has: [...FIRST_NAME.has, ...LAST_NAME.has] },
] as const;

const COLUMNS: Record<ImportKind, readonly Column[]> = {
  sejours: [
    ...STAY_COLUMNS,
    { name: 'mdp_formateur', headers: [], has: ['mdp', 'formateur directeurs?'], may: '' },
    { name: 'mdp_stagiaire', headers: [], has: ['mdp', 'stagiaire familles?'], may: '' },
  ],
  familles: [
    { ...BOTH_NAMES[0], may: `${CHILD} et` },
    { ...BOTH_NAMES[1], may: `${CHILD} et` },
    { ...LAST_NAME, may: `${CHILD} famille usage naissance` },
    { ...FIRST_NAME, may: `${CHILD} usuel usage` },
    { ...EMAIL, may: `${ADULT} ${ADDRESS}` },
    { name: 'email_2', headers: ['second email'], has: ['email', SECOND], may: `${ADULT} ${ADDRESS}` },
    {
      name: 'consentement_image',
      headers: ['consentement image', 'consentement', 'droit image'],
      has: ['images? photos? videos?', 'droits? autorisations? autorise accord consentement'],
      may: `${CHILD} publication diffusion utilisation prise vue parentale?`,
    },
    STAY_NUMBER,
    ...STAY_COLUMNS,
  ],
  directeurs: [
    { ...BOTH_NAMES[0], may: `${DIRECTOR} et` },
    { ...BOTH_NAMES[1], may: `${DIRECTOR} et` },
    { ...LAST_NAME, may: `${DIRECTOR} famille usage` },
    { ...FIRST_NAME, may: `${DIRECTOR} usuel` },
    { ...EMAIL, may: `${DIRECTOR} ${ADDRESS}` },
    {
      name: 'telephone',
      headers: ['telephone', 'tel', 'portable', 'mobile'],
      has: ['telephone tel portable mobile gsm'],
      may: `${DIRECTOR} ${ADDRESS} numero num n no`,
    },
    { name: 'cat', headers: ['type', 'categorie', 'dirige'], has: ['type categorie'], may: STAY },
    STAY_NUMBER,
    ...STAY_COLUMNS,
  ],
};

/** The columns without which a file of a kind cannot be read; the stay of a person can be asked for. */
const REQUIRED_COLUMNS: Record<ImportKind, readonly string[]> = {
  sejours: ['nom_stage', 'date_debut', 'date_fin'],
  familles: ['nom', 'prenom', 'email'],
  directeurs: ['nom', 'prenom', 'email', 'telephone'],
};

/** What headers stand for that name no known column: wire names by `headerKey`, '' for a header not to be read. */
export type Matches = ReadonlyMap<string, string>;

export interface Columns extends AskedTitles {
  /** Wire names of the columns found, in the order of `COLUMNS`. */
  colonnes: string[];
  /** Index in the file of each of `colonnes`, and which part of its cells it is; undefined: all. */
  places: { place: number; partOf: ((cell: string) => string) | undefined }[];
  /** Headers that stand for no column. */
  ignorees: string[];
  /** The cells of the header. */
  header: readonly string[];
  /** What an import remembers of its headers. */
  memory: TitleMemory[];
}

export interface TitleMemory {
  titre: string;
  /** Blank: it was not read. */
  colonne: string;
  /** Whether it names a column by itself; that it was not read is then remembered as well. */
  isNamed: boolean;
}

/** Largest number of headers that are asked about; unknown ones beyond are not read. */
const ASKED_MAX = 200;
/** Most cells of a column that are shown beside its header, and their length in characters. */
const SAMPLES = { count: 3, length: 40 };

interface Title {
  titre: string;
  key: string;
  place: number;
  /** The column that it names; `isSure`: by a name that has no other meaning. */
  colonne: string | undefined;
  isSure: boolean;
}

/** The title of a column that has none, in its place. */
const untitled = (place: number) => `Colonne ${letterOf(place)}`;

/**
 * The headers that are not blank, or above cells of `samples`; of several that are spelt alike, the later ones are told
 * by their letter.
 */
function titlesIn(
  kind: ImportKind,
  header: readonly string[],
  samples: readonly (readonly string[])[] = [],
): Title[] {
  const keys = new Set<string>();
  return header.flatMap((cell, place) => {
    const isUsed = samples.some((cells) => (cells[place] ?? '').trim() !== '');
    const written = plainText(cell).replace(/\s+/g, ' ').trim() || (isUsed ? untitled(place) : '');
    const own = headerKey(written);
    const titre = keys.has(own) ? `${written} (colonne ${letterOf(place)})` : written;
    const key = titre === written ? own : headerKey(titre);
    if (key === '') return [];
    keys.add(key);
    const named = COLUMNS[kind].find((one) => namesOf(one).includes(own));
    return [
      {
        titre,
        key,
        place,
        colonne: (named ?? columnByWords(kind, written))?.name,
        isSure: named !== undefined,
      },
    ];
  });
}

/** The letters of a column, as spreadsheets name it. */
function letterOf(place: number): string {
  const before = place >= 26 ? letterOf(Math.floor(place / 26) - 1) : '';
  return before + String.fromCharCode(65 + (place % 26));
}

const namesOf = remembered(({ name, headers }: Column) => [headerKey(name), ...headers]);
const patternOf = remembered((list: string) => new RegExp(`^(${list.replaceAll(' ', '|')})$`));

/** The column whose words a header has, and no others; the one that asks for most of them. */
function columnByWords(kind: ImportKind, title: string): Column | undefined {
  const spaced = title.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').replace(/(\p{L})(?=\d)/gu, '$1 ');
  const words = headerKey(spaced).split(' ');
  const isIn = (list: string, word: string) => patternOf(list).test(word);
  const fits = COLUMNS[kind].filter(
    ({ has, may }) =>
      has.every((list) => words.some((word) => isIn(list, word))) &&
      words.every((word) => [...has, may].some((list) => list !== '' && isIn(list, word))),
  );
  const firstOf = ({ has: [list = ''] }: Column) => words.findIndex((word) => isIn(list, word));
  return fits.sort((one, other) => other.has.length - one.has.length || firstOf(one) - firstOf(other))[0];
}

/** How many columns of a kind a line names: what makes it the line of the headers. */
export function countNamed(kind: ImportKind, cells: readonly string[], said: Matches): number {
  const names = titlesIn(kind, cells).map(({ key, colonne }) => said.get(key) || colonne);
  return new Set(names.filter((name) => name !== undefined)).size;
}

/**
 * Finds the columns of a kind in a header: as the sender `said`, by their names, then as `recalled` from earlier imports.
 * `samples` are the lines below. Throws 422 when a column is missing, or may be in several places and nobody said where.
 */
export function findColumns(
  kind: ImportKind,
  header: readonly string[],
  samples: readonly (readonly string[])[],
  said: Matches,
  recalled: Matches,
): Columns {
  const titles = titlesIn(kind, header, samples).map((written) => {
    const areDays = cellsOf(written, samples).every((text) => splitDays(text)[1] !== '');
    const title = written.colonne === 'dates' && !areDays ? { ...written, colonne: undefined } : written;
    const name = recalled.get(title.key);
    // What was said of a header counts more than its words.
    return title.isSure || !title.colonne || !isColumn(kind, name) ? title : { ...title, colonne: name };
  });
  const found = new Map<string, Title>();
  const put = (name: string, title: Title) => {
    if (found.has(name)) throw refusedFile(`la colonne ${namedColumn(name)} est dite deux fois.`);
    found.set(name, title);
  };
  for (const title of titles) {
    const name = said.get(title.key);
    if (name) put(name, title);
  }
  /** Columns that several headers name, of which none is said or recalled. */
  const unsure = new Map<string, Title[]>();
  const isOpen = ({ key }: Title) => !said.has(key);
  for (const [name, all] of Map.groupBy(titles.filter(isOpen), ({ colonne }) => colonne)) {
    if (name === undefined || found.has(name)) continue;
    const kept = all.length === 1 ? all : all.filter(({ key }) => recalled.get(key) !== '');
    // Of several, all others were left unread the last time.
    if (kept[0] && kept.length === 1) found.set(name, kept[0]);
    else unsure.set(name, all);
  }
  const retenus = new Set<Title>();
  for (const title of titles.filter((one) => isOpen(one) && one.colonne === undefined)) {
    const name = recalled.get(title.key);
    if (!isColumn(kind, name) || found.has(name) || unsure.has(name)) continue;
    found.set(name, title);
    retenus.add(title);
  }
  // What stands in columns of its own is not read in a joined one as well.
  for (const [name, { parts }] of Object.entries(JOINED))
    if (parts.some((part) => found.has(part) || unsure.has(part))) found.delete(name);
  const columnOf = new Map([...found].map(([name, title]) => [title, name]));
  // What has but one meaning is not asked about; more would hide what is.
  const asked = titles
    .filter((title) => !(title.isSure && columnOf.get(title) === title.colonne))
    .slice(0, ASKED_MAX);
  const proposed = proposals(
    asked.filter(isOpen),
    samples,
    (name) => isColumn(kind, name) && !found.has(name),
  );
  const titres = (isProposing: boolean) =>
    asked.map((title) => ({
      titre: title.titre,
      colonne: columnOf.get(title) ?? (isProposing ? proposed.get(title) : undefined) ?? '',
      retenu: retenus.has(title),
      exemples: cellsOf(title, samples)
        .slice(0, SAMPLES.count)
        .map((text) => (text.length > SAMPLES.length ? `${text.slice(0, SAMPLES.length)}…` : text)),
    }));
  const isParted = (name: string) =>
    Object.entries(JOINED).some(([whole, { parts }]) =>
      whole === name ? parts.some((part) => found.has(part)) : found.has(whole) && parts.includes(name),
    );
  const libres = COLUMNS[kind].map(({ name }) => name).filter((name) => !found.has(name) && !isParted(name));
  for (const [name, all] of unsure) {
    const which = new Intl.ListFormat('fr').format(all.map(({ titre }) => `«\u00a0${titre}\u00a0»`));
    const text = `${which} peuvent être la colonne ${namedColumn(name)}\u202f: dites laquelle.`;
    throw refusedFile(text, undefined, { titres: titres(true), libres });
  }
  // Of families of which no address is known, the list has no such column.
  const areMute = kind === 'familles' && !samples.flat().some((text) => text.includes('@'));
  const required = REQUIRED_COLUMNS[kind].filter((name) => !(name === 'email' && areMute));
  const present = COLUMNS[kind].flatMap(({ name }): ({ name: string } & Columns['places'][number])[] => {
    const place = found.get(name)?.place;
    if (place === undefined) return [];
    const joined = JOINED[name];
    if (!joined) return [{ name, place, partOf: undefined }];
    return joined.parts.map((part, at) => ({
      ...{ name: part, place },
      partOf: (cell: string) => joined.split(cell)[at] ?? '',
    }));
  });
  const colonnes = present.map(({ name }) => name);
  requireColumns(required, colonnes, { titres: titres(true), libres });
  return {
    colonnes,
    places: present,
    ignorees: titles.filter((title) => !columnOf.has(title)).map(({ titre }) => titre),
    titres: titres(false),
    libres,
    header,
    // A title that only tells a place means something else in another file.
    memory: asked
      .filter(({ titre, place }) => titre !== untitled(place))
      .map((title) => ({
        titre: title.titre,
        colonne: columnOf.get(title) ?? '',
        isNamed: title.colonne !== undefined,
      })),
  };
}

/** Different cells of a column, in their order. */
function cellsOf({ place }: Title, samples: readonly (readonly string[])[]): string[] {
  return [...new Set(samples.map((cells) => (cells[place] ?? '').trim()).filter((text) => text !== ''))];
}

/** What headers may stand for, by the cells below them: addresses, telephones, two days between which a stay may be. */
function proposals(
  titles: readonly Title[],
  samples: readonly (readonly string[])[],
  isFree: (name: string) => boolean,
): Map<Title, string> {
  const such = (isSuch: (text: string) => boolean) =>
    titles.filter((title) => {
      const cells = cellsOf(title, samples);
      return cells.length > 0 && cells.every(isSuch);
    });
  const dayIn = (text: string | undefined) => readDay(text?.trim() ?? '', 'UTC');
  const days = such((text) => dayIn(text) !== undefined);
  const isStay = (first: Title, last: Title) =>
    samples.every((cells) => {
      const [from, to] = [dayIn(cells[first.place]), dayIn(cells[last.place])];
      return !from || !to || (from <= to && daysBetween(from, to) < STAY_DAYS);
    });
  const first = days.find((one, index) => days.slice(index + 1).some((other) => isStay(one, other)));
  const last = first && days.find((one) => one.place > first.place && isStay(first, one));
  const [email, email_2] = such((text) => /^\S+@\S+\.\S+$/.test(text));
  const [telephone] = such((text) => readTelephone(text) !== undefined);
  const [dates] = such((text) => splitDays(text)[1] !== '');
  const proposed = Object.entries({ email, email_2, telephone, date_debut: first, date_fin: last, dates });
  return new Map(
    proposed.flatMap(([name, title]) => (title && isFree(name) ? [[title, name] as const] : [])),
  );
}

/** Whether a kind has a column of this wire name. */
export function isColumn(kind: ImportKind, name: string | undefined): name is string {
  return COLUMNS[kind].some((column) => column.name === name);
}

/** Throws 422 naming every missing required column, with what could still be said of the headers. */
function requireColumns(required: readonly string[], found: readonly string[], asked: AskedTitles): void {
  const missing = required.filter((name) => !found.includes(name)).map(namedColumn);
  if (missing.length === 0) return;
  const text =
    missing.length === 1 ? `la colonne ${missing[0]} manque` : `les colonnes ${missing.join(', ')} manquent`;
  throw refusedFile(`${text}.`, undefined, asked);
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
  // « Nom (colonne D) » is told by that letter.
  const telling = words.filter((word, at) => !SMALL_WORDS.test(word) || words[at - 1] === 'colonne');
  return (telling.length > 0 ? telling : words)
    .join(' ')
    .replace(/\b(e mails?|mails?|mel|emails|courriels?|adresse electronique|adresse messagerie)\b/g, 'email')
    .replace(/\bmot passe\b/g, 'mdp')
    .replace(/\bfirst ?name\b/g, 'prenom')
    .replace(/\b(last ?name|surname)\b/g, 'nom')
    .replace(/\bstages?\b/g, 'sejour');
}

/* Reading the cells of a line, in which what they mean is already written as the site keeps it. */

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
const NO_YEAR = 'il manque l’année (exemple\u202f: 20/06/2026).';

function dayCell(cell: Cell, colonne: string, faults: Fault[]): string {
  const text = cell(colonne);
  if (isDay(text)) return text;
  const isWithoutYear = readDay(`${text} 2024`, 'UTC') ?? readDay(`${text}/2024`, 'UTC');
  faults.push({ colonne, raison: text === '' ? REQUIRED : isWithoutYear ? NO_YEAR : NO_DAY });
  return '';
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
