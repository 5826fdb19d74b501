import type { z } from 'zod';
import { itemForm, mayLack } from '#features/content/calls.ts';
import { employees, genreOf, type ItemKind, KINDS, titleOf } from '#features/content/shared/kinds.ts';
import {
  isGarbled,
  plainText,
  readAddresses,
  readDay,
  readTelephone,
} from '#features/imports/server/cells.ts';
import { stayPassword } from '#features/imports/server/stayLines.ts';
import { directorCalls, familyCalls, stayCalls } from '#features/stays/calls.ts';
import type { photoTimes } from '#features/stays/server/photoTime.ts';
import { bookletName, type Category } from '#features/stays/shared/terms.ts';
import { atOnce } from '#platform/server/concurrency.ts';
import { plainPassword } from '#platform/server/secrets.ts';
import type { PasswordRule } from '#platform/server/weakPasswords.ts';
import { PDF_BYTES, PICTURE_BYTES } from '#platform/shared/bytes.ts';
import { folded } from '#platform/shared/fold.ts';
import { PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { type Origin, OriginAway, OriginError } from './origin.ts';
import {
  categoryOf,
  type Entry,
  entriesOf,
  fileNames,
  hasMarkup,
  instantOf,
  numberOf,
  oneOf,
  pathOf,
  shapedFor,
  textOf,
} from './shapes.ts';

/* What the original site has, read by its calls and put into the forms of this one; nothing is written. */

export interface OriginFile {
  field: string;
  path: string;
  /** Without it, the form is not sent. */
  isRequired: boolean;
  maxBytes: number;
}

/** One thing of the original site, as the form that staff would fill in for it here. */
export interface Candidate {
  genre: Genre;
  /** Its id there, or its name. */
  numero: string;
  /** What it is called in what is told of it. */
  name: string;
  texts: Record<string, string>;
  files: OriginFile[];
  /** When it was made there. */
  created: string | undefined;
  /** The stay of a child, by its id there. */
  stay?: string;
  /** Who leads which stay, by their ids there. */
  led?: { director: string; stay: string; cat: Category };
  passwords?: Partial<Record<PasswordType, string>>;
  /** What it comes without, or otherwise than it is there. */
  remarks: string[];
  /** Why it cannot be taken. */
  problem: string | undefined;
}

/** Genres in the order in which they come, with what several of them are called. */
export const GENRES = {
  actualites: 'actualités',
  alaune: 'éléments À la Une',
  logos: 'logos partenaires',
  events: 'événements',
  avantage: 'avantages',
  documents: 'comptes rendus',
  employes: 'employés',
  stages: 'séjours',
  formateurs: 'directeurs',
  affectations: 'affectations de directeurs',
  stagiaires: 'enfants',
  livrets: 'livrets',
} as const;

export type Genre = keyof typeof GENRES;

export interface Reading {
  candidates: Candidate[];
  /** Whole parts that are not taken, and why. */
  left: string[];
}

interface Rules {
  timeZone: string;
  timeOf: Awaited<ReturnType<typeof photoTimes>>;
  /** Days that a stay keeps its photos, and with them its families. */
  retentionDays: number;
  isWeak: PasswordRule;
  /** Whether it has come before: then no more is read of it than its id. */
  isTaken(one: Pick<Candidate, 'genre' | 'numero'>): boolean;
  organisation: string;
}

/** Requests at once: the original site serves people meanwhile. */
const AT_ONCE = 4;

/** Reads all. `tell` is called with what is being read. Throws `OriginAway` when the site does not answer. */
export async function readOrigin(
  origin: Origin,
  rules: Rules,
  tell: (what: string) => void,
): Promise<Reading> {
  const reader = new Reader(origin, rules, tell);
  for (const kind of KINDS) await reader.readItems(kind);
  await reader.readEmployees();
  await reader.readStays();
  await reader.readBooklets();
  await reader.checkFiles();
  return reader.reading;
}

/** Kinds whose items the original site gives one by one, with more than in its list. */
const BY_ID: ReadonlySet<string> = new Set(['actualites', 'alaune', 'avantage', 'events', 'employes']);

class Reader {
  readonly reading: Reading = { candidates: [], left: [] };
  readonly #origin: Origin;
  readonly #rules: Rules;
  readonly #tell: (what: string) => void;
  /** Passwords of stays read so far. */
  readonly #passwords = new Set<string>();

  constructor(origin: Origin, rules: Rules, tell: (what: string) => void) {
    this.#origin = origin;
    this.#rules = rules;
    this.#tell = tell;
  }

  async readItems(kind: ItemKind): Promise<void> {
    const entries = await this.#numbered(kind.path, kind.plural.toLowerCase());
    this.#add(await this.#each(entries, ([numero, entry]) => this.#item(kind, numero, entry)));
  }

  /** Those above come before those below them; of people above each other in a ring, one comes without. */
  async readEmployees(): Promise<void> {
    const entries = await this.#numbered(employees.path, 'employés');
    const people = await this.#each(entries, ([numero, entry]) => this.#item(employees, numero, entry));
    const byNumber = new Map(people.map((one) => [one.numero, one]));
    const placed = new Set<string>();
    const place = (one: Candidate, below: ReadonlySet<string>) => {
      if (placed.has(one.numero)) return;
      const above = byNumber.get(one.texts.manager_id ?? '');
      const isRing = above !== undefined && (below.has(above.numero) || above === one);
      if (one.texts.manager_id && (!above || above.problem || isRing)) {
        one.remarks.push('sans responsable hiérarchique\u202f: le sien n’est pas repris');
        delete one.texts.manager_id;
      } else if (above) place(above, new Set([...below, one.numero]));
      placed.add(one.numero);
      this.#add([one]);
    };
    for (const one of people) place(one, new Set());
  }

  async readStays(): Promise<void> {
    const { timeOf, retentionDays } = this.#rules;
    const stays = [];
    let over = 0;
    for (const [numero, entry] of await this.#numbered('/stages', 'séjours')) {
      const stay = this.#stay(numero, entry);
      this.#add([stay]);
      if (stay.problem) continue;
      const { date_fin = '' } = stay.texts;
      const made = { date_fin, created_at: `${date_fin}T00:00:00.000Z`, conservation_jours: null };
      if (timeOf(made).isOver) over++;
      else stays.push(stay);
    }
    if (over > 0) {
      const whose = over === 1 ? 'Un séjour est fini' : `${over} séjours sont finis`;
      this.reading.left.push(
        `${whose} depuis plus de ${retentionDays} jours\u202f: ce site en efface les familles et les mots de passe, il ne les lit donc pas.`,
      );
    }
    await this.#each(stays, (stay) => this.#readPasswords(stay));
    await this.#readDirectors(stays);
    for (const children of await this.#each(stays, (stay) => this.#children(stay))) this.#add(children);
  }

  async readBooklets(): Promise<void> {
    const answer = await this.#ask('/livrets', 'livrets');
    const named = entriesOf(answer).map((entry) => oneOf(entry, 'nom', 'name', 'livret'));
    const names = new Set([...[answer].flat().map(textOf), ...named]);
    for (const name of names) {
      if (name === undefined) continue;
      const label = name.split(/[\\/]/).at(-1) ?? '';
      const booklet = candidateOf('livrets', name, `livret «\u00a0${label}\u00a0»`);
      this.#attach(booklet, { field: 'livret', name, folder: 'doc_stage_formateur', maxBytes: PDF_BYTES });
      booklet.texts.nom = bookletName(label);
      this.#add([booklet]);
    }
  }

  /** Looks whether the files are there, so that what lacks one is known before anything is written. */
  async checkFiles(): Promise<void> {
    this.#tell('images et PDF');
    const withFiles = this.reading.candidates.filter(({ files, problem }) => files.length > 0 && !problem);
    await this.#each(withFiles, async (one) => {
      for (const file of [...one.files]) {
        try {
          await this.#origin.requireFile(file.path, file.maxBytes);
        } catch (error) {
          const why = `${nameOf(file.path)}\u202f: l’ancien site ${troubleOf(error)}`;
          if (file.isRequired) one.problem = why;
          else one.remarks.push(`sans l’image ${why}`);
          one.files = one.files.filter((other) => other !== file);
        }
      }
    });
  }

  #add(candidates: readonly Candidate[]): void {
    for (const one of candidates) mend(one);
    this.reading.candidates.push(...candidates);
  }

  /** The answer of a call; undefined where it gives none, which is told, unless `isOptional` and there is no such thing. */
  async #ask(path: string, what: string, isOptional = false): Promise<unknown> {
    this.#tell(what);
    try {
      return await this.#origin.ask(path);
    } catch (error) {
      if (isOptional && error instanceof OriginError && error.status === 404) return undefined;
      this.reading.left.push(`Les ${what} ne se lisent pas\u202f: l’ancien site ${troubleOf(error)}.`);
      return undefined;
    }
  }

  /** The people of a stay; one without any may be answered by 404. */
  async #ofStay(path: string, what: string): Promise<Entry[]> {
    return entriesOf(await this.#ask(path, what, true));
  }

  /** The entries of a list by their ids, the oldest first; an id counts once. */
  async #numbered(path: string, what: string): Promise<[string, Entry][]> {
    const found = new Map<string, Entry>();
    let without = 0;
    for (const entry of entriesOf(await this.#ask(path, what))) {
      const numero = numberOf(entry.id);
      if (numero === undefined) without++;
      else if (!found.has(numero)) found.set(numero, entry);
    }
    if (without > 0) this.reading.left.push(`Parmi les ${what}, ${without} n’ont pas de numéro.`);
    return [...found].sort(([one], [other]) => Number(one) - Number(other));
  }

  /** What `read` makes of each, in their order, several at once. */
  async #each<T, R>(things: readonly T[], read: (thing: T) => Promise<R> | R): Promise<R[]> {
    const results: R[] = [];
    await atOnce(AT_ONCE, things.entries(), async ([place, thing]) => {
      results[place] = await read(thing);
    });
    return results;
  }

  async #item(kind: ItemKind, numero: string, listed: Entry): Promise<Candidate> {
    const genre = genreOf(kind) as Genre;
    const item = candidateOf(genre, numero, `${kind.label.toLowerCase()} ${numero}`);
    if (this.#rules.isTaken(item)) return item;
    let entry = listed;
    if (BY_ID.has(genre)) {
      try {
        const [whole] = entriesOf(await this.#origin.ask(`${kind.path}/${numero}`));
        entry = { ...listed, ...whole };
      } catch (error) {
        // The list of employees has all of them that counts.
        if (genre !== 'employes') item.problem = `l’ancien site ${troubleOf(error)}`;
        else troubleOf(error);
      }
    }
    const { timeZone } = this.#rules;
    for (const [name, field] of Object.entries(kind.fields)) {
      const text =
        name === 'manager_id' ? numberOf(entry.manager_id ?? entry.managerId) : textOf(entry[name]);
      if (text !== undefined && field.type !== 'tick') item.texts[name] = shapedFor(field, text, timeZone);
    }
    const title = titleOf(kind, item.texts);
    if (title.trim() !== '') item.name += ` «\u00a0${title}\u00a0»`;
    item.created = instantOf(entry.created_at, timeZone);
    const published = instantOf(entry.date_publication, timeZone) ?? item.created;
    if (kind.hasWindow && published) item.texts.publie_du = published;
    if (Object.values(item.texts).some(hasMarkup))
      item.remarks.push('contient des balises HTML, que les visiteurs verront\u202f: à relire');
    this.#attachAll(item, kind, entry);
    if (!item.problem) fit(item, kind);
    return item;
  }

  #attachAll(item: Candidate, { picture, gallery, pdf, folder }: ItemKind, entry: Entry): void {
    const names = picture ? fileNames(oneOf(entry, picture.column, ...picture.accepts)) : [];
    const [field = ''] = picture?.accepts ?? [];
    for (const name of names.slice(0, 1))
      this.#attach(item, { field, name, folder, maxBytes: PICTURE_BYTES });
    if (gallery) {
      const all = fileNames(entry[gallery.column]);
      for (const name of all.slice(0, gallery.max))
        this.#attach(item, { field: gallery.column, name, folder, maxBytes: PICTURE_BYTES });
      if (all.length > gallery.max) item.remarks.push(`sans ses images après les ${gallery.max} premières`);
    }
    if (!pdf) return;
    const [name] = fileNames(entry[pdf.column]);
    if (name) this.#attach(item, { field: pdf.column, name, folder, maxBytes: PDF_BYTES });
    else item.problem ??= 'l’ancien site ne nomme pas son fichier';
  }

  #attach(
    item: Candidate,
    { field, name, folder, maxBytes }: { field: string; name: string; folder: string; maxBytes: number },
  ): void {
    const path = pathOf(name, folder);
    const isRequired = maxBytes === PDF_BYTES;
    if (path) item.files.push({ field, path, isRequired, maxBytes });
    else if (isRequired) item.problem ??= `${name} n’est pas le nom d’un fichier`;
    else item.remarks.push(`sans l’image ${name}, qui n’est pas le nom d’un fichier`);
  }

  #stay(numero: string, entry: Entry): Candidate {
    const { timeZone } = this.#rules;
    const name = oneOf(entry, 'nom_stage', 'nomStage', 'nomSejour') ?? '';
    const stay = candidateOf('stages', numero, `séjour ${numero} «\u00a0${name}\u00a0»`);
    const day = (...names: string[]) => {
      const text = oneOf(entry, ...names) ?? '';
      return readDay(text, timeZone) ?? text;
    };
    stay.texts = {
      nom_stage: name.replace(/\s+/g, ' ').trim(),
      date_debut: day('date_debut', 'dateDebut'),
      date_fin: day('date_fin', 'dateFin'),
    };
    stay.problem = faultOf(stayCalls['POST /stages'].body.schema, stay.texts);
    return stay;
  }

  /** The passwords that are good enough here; families read the others on a new letter. */
  async #readPasswords(stay: Candidate): Promise<void> {
    if (this.#rules.isTaken(stay)) return;
    const types = Object.keys(PASSWORD_TYPES) as PasswordType[];
    try {
      const [entry = {}] = entriesOf(await this.#origin.ask(`/stage-passwords/${stay.numero}`));
      const kept: Partial<Record<PasswordType, string>> = {};
      for (const type of types) {
        const given = textOf(entry[`mdp_${type}`])?.trim() ?? '';
        const plain = plainPassword(given);
        const names = [stay.texts.nom_stage ?? '', this.#rules.organisation];
        const isGood = stayPassword.safeParse(given).success && !this.#rules.isWeak(given, names);
        if (isGood && !this.#passwords.has(plain)) kept[type] = given;
        else
          stay.remarks.push(
            `nouveau mot de passe (${PASSWORD_TYPES[type]})\u202f: l’ancien ${given === '' ? 'manque' : 'se devine, ou sert ailleurs'}`,
          );
        this.#passwords.add(plain);
      }
      stay.passwords = kept;
    } catch (error) {
      stay.remarks.push(`nouveaux mots de passe\u202f: pour les siens, l’ancien site ${troubleOf(error)}`);
    }
  }

  /** Directors and what they lead: the list has a line for each of their stays, or each stay names them. */
  async #readDirectors(stays: readonly Candidate[]): Promise<void> {
    const lines: [Entry, string | undefined][] = entriesOf(await this.#ask('/formateurs', 'directeurs')).map(
      (entry) => [entry, numberOf(entry.stageId ?? entry.stage_id)],
    );
    await this.#each(stays, async ({ numero }) => {
      const found = await this.#ofStay(`/formateurs/by-stage/${numero}`, `directeurs du séjour ${numero}`);
      for (const entry of found) lines.push([entry, numero]);
    });
    /** By address, which makes two lines the same person. */
    const people = new Map<string, Candidate>();
    const led = new Map<string, Candidate>();
    for (const [entry, stay] of lines) {
      const person = this.#director(people, entry);
      if (!person || person.problem || stay === undefined) continue;
      const numero = `${person.numero}/${stay}`;
      const assignment = candidateOf('affectations', numero, `${person.name} au séjour ${stay}`);
      const cat = categoryOf(entry.cat);
      if (!cat) assignment.remarks.push('sans type lisible\u202f: «\u00a0Séjour\u00a0»');
      assignment.led = { director: person.numero, stay, cat: cat ?? 'sejour' };
      if (!led.has(numero)) led.set(numero, assignment);
    }
    this.#add([...people.values(), ...led.values()]);
  }

  /** The director of a line; undefined for a line without an id. */
  #director(people: Map<string, Candidate>, entry: Entry): Candidate | undefined {
    const telephone = oneOf(entry, 'telephone')?.trim() ?? '';
    const texts = {
      nom: oneOf(entry, 'nom')?.trim() ?? '',
      prenom: oneOf(entry, 'prenom')?.trim() ?? '',
      mail: readAddresses(oneOf(entry, 'mail', 'email') ?? '').join(' ; '),
      telephone: readTelephone(telephone) ?? telephone,
    };
    const known = people.get(folded(texts.mail));
    const numero = numberOf(entry.id);
    if (known || numero === undefined) return known;
    const person = candidateOf('formateurs', numero, `directeur ${numero}, ${texts.prenom} ${texts.nom}`);
    person.texts = texts;
    person.problem = faultOf(directorCalls['PUT /formateurs/update/:id'].body.schema, texts);
    people.set(folded(texts.mail), person);
    return person;
  }

  /** Without their names in what is told: a terminal keeps what it shows. */
  async #children({ numero: stay }: Candidate): Promise<Candidate[]> {
    const children = new Map<string, Candidate>();
    for (const entry of await this.#ofStay(`/get-stagiaires/${stay}`, `enfants du séjour ${stay}`)) {
      const numero = numberOf(entry.id) ?? '';
      const child = candidateOf('stagiaires', numero, `enfant ${numero} du séjour ${stay}`);
      child.stay = stay;
      const [mailRL = '', email_2 = ''] = readAddresses(oneOf(entry, 'mailRL', 'email', 'mail') ?? '');
      child.texts = {
        nom: oneOf(entry, 'nom')?.trim() ?? '',
        prenom: oneOf(entry, 'prenom')?.trim() ?? '',
        mailRL,
        email_2,
      };
      const form = { ...child.texts, stageId: 1 };
      child.problem =
        numero === '' ? 'sans numéro' : faultOf(familyCalls['POST /add-stagiaire'].body.schema, form);
      children.set(numero, child);
    }
    return [...children.values()];
  }
}

function candidateOf(genre: Genre, numero: string, name: string): Candidate {
  return { genre, numero, name, texts: {}, files: [], created: undefined, remarks: [], problem: undefined };
}

/** Undoes HTML entities and a mistaken encoding in the texts of a thing, and tells it. */
function mend(one: Candidate): void {
  const before = JSON.stringify(one.texts);
  for (const [name, text] of Object.entries(one.texts)) one.texts[name] = plainText(text);
  const after = JSON.stringify(one.texts);
  if (isGarbled(after)) one.remarks.push('des accents y sont perdus\u202f: à relire');
  else if (after !== before) one.remarks.push('accents ou signes rétablis\u202f: à relire');
}

/** What the site did, as words after « l’ancien site »; throws on when there is no use in going on. */
export function troubleOf(error: unknown): string {
  if (error instanceof OriginAway || !(error instanceof OriginError)) throw error;
  return error.message;
}

function nameOf(path: string): string {
  return decodeURIComponent(path.split('/').at(-1) ?? '');
}

/** The first fault of a form, with the label of its field; undefined: it is good. */
function faultOf(schema: z.ZodType, texts: Record<string, unknown>): string | undefined {
  const issue = schema.safeParse(texts).error?.issues[0];
  return issue && `${String(issue.path[0] ?? 'formulaire')}\u202f: ${issue.message}`;
}

/**
 * Makes an item one that its form takes: without an optional text that is faulty, and as a draft where a required one is
 * missing or faulty. Sets its problem where that is not enough.
 */
function fit(item: Candidate, kind: ItemKind): void {
  // Known by its id here once it is there.
  const { manager_id: _above, ...texts } = item.texts;
  const { schema } = itemForm(kind, true);
  const labelOf = (name: string) => kind.fields[name]?.label ?? name;
  for (const { path, message } of schema.safeParse(texts).error?.issues ?? []) {
    const name = String(path[0]);
    const isOptional = kind.fields[name]?.required !== true;
    if (!isOptional && !mayLack(kind, name)) {
      item.problem ??= `${labelOf(name)}\u202f: ${message}`;
      return;
    }
    const lacks = `sans son champ «\u00a0${labelOf(name)}\u00a0» (${message.replace(/\.$/, '')})`;
    item.remarks.push(isOptional ? lacks : `en brouillon, ${lacks}`);
    for (const one of [texts, item.texts]) {
      delete one[name];
      if (!isOptional) one.brouillon = '1';
    }
  }
  item.problem ??= faultOf(schema, texts);
}
