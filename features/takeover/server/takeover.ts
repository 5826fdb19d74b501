import { journal } from '#features/audit/server/journal.ts';
import { itemForm } from '#features/content/calls.ts';
import { type Alongside, addItem } from '#features/content/server/items.ts';
import { employees, genreOf, type ItemKind, KINDS } from '#features/content/shared/kinds.ts';
import { addEmployee } from '#features/members/server/employees.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { stayCalls } from '#features/stays/calls.ts';
import { saveBooklet } from '#features/stays/server/booklets.ts';
import { listBooklets } from '#features/stays/server/bookletsStore.ts';
import { listDirectors, putAssignments, putDirector } from '#features/stays/server/directorsStore.ts';
import { insertChild } from '#features/stays/server/familiesStore.ts';
import { photoTimes } from '#features/stays/server/photoTime.ts';
import { addStay } from '#features/stays/server/stays.ts';
import { getStayByKey, holdStays, writeStayPasswords } from '#features/stays/server/staysStore.ts';
import { OPERATOR } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import { readLastIds, writeLastIds } from '#platform/server/db/wholeTables.ts';
import { asHttpError, check, conflict, HttpError } from '#platform/server/errors.ts';
import { type OwnFile, type StagedForm, withOwnFiles } from '#platform/server/http/forms.ts';
import type { Services } from '#platform/server/services.ts';
import { openPasswordRule } from '#platform/server/weakPasswords.ts';
import { folded } from '#platform/shared/fold.ts';
import { type Origin, OriginError } from './origin.ts';
import { type Candidate, type Genre, type Reading, readOrigin, troubleOf } from './reading.ts';
import { backdate, findDirectorId, listOtherOrigins, listTaken, rememberTaken } from './takeoverStore.ts';

/* The takeover of the original site: what it has is read, shown, then brought in one by one, each by a transaction. */

/** `candidates`: what has not come before. */
export interface Plan extends Reading {
  /** Those of them that can be taken. */
  coming: Candidate[];
  present: Map<Genre, number>;
  /** Hosts of which something came before, but this one. */
  others: string[];
}

/** Reads the original site, and holds it against what has come from it already. */
export async function planTakeover(
  services: Services,
  origin: Origin,
  tell: (what: string) => void,
): Promise<Plan> {
  const { database, config } = services;
  const { photos_conservation_jours: retentionDays, organisation_nom: organisation } = await readSettings(
    database.db,
    config,
  );
  const timeOf = await photoTimes(services, database.db);
  const isWeak = await openPasswordRule();
  const rules = { timeZone: config.TIME_ZONE, timeOf, retentionDays, isWeak, organisation };
  const taken = await listTaken(database.db, origin.host);
  const isTaken = ({ genre, numero }: Pick<Candidate, 'genre' | 'numero'>) => taken.has(`${genre}/${numero}`);
  const reading = await readOrigin(origin, { ...rules, isTaken }, tell);
  const present = new Map<Genre, number>();
  for (const one of reading.candidates)
    if (isTaken(one)) present.set(one.genre, (present.get(one.genre) ?? 0) + 1);
  const candidates = reading.candidates.filter((one) => !isTaken(one));
  const coming = candidates.filter(({ problem }) => !problem);
  return {
    candidates,
    left: reading.left,
    coming,
    present,
    others: await listOtherOrigins(database.db, origin.host),
  };
}

export interface Outcome {
  taken: Candidate[];
  /** What did not come, for its `problem`: it is there by another hand, or something in it is refused. */
  left: Candidate[];
}

/**
 * Brings in what a plan says; each thing comes whole or not at all, so that another run goes on where this one ended.
 * `keepsNumbers`: contents and stays get the ids that they have there, where this site has not given them yet. Throws
 * `OriginAway` when the original site does not answer any longer.
 */
export async function bringIn(
  services: Services,
  origin: Origin,
  { coming }: Plan,
  { keepsNumbers, tell }: { keepsNumbers: boolean; tell(done: number): void },
): Promise<Outcome> {
  const outcome: Outcome = { taken: [], left: [] };
  const bringer = new Bringer(services, origin, await listTaken(services.database.db, origin.host));
  for (const [done, one] of coming.entries()) {
    tell(done);
    const keepsNumber = keepsNumbers && KEEPS_NUMBER.has(one.genre);
    try {
      if (keepsNumber) await bringer.prepareNumber(one);
      await bringer.bring(one);
      const id = bringer.placeOf(one.genre, one.numero);
      if (keepsNumber && id !== Number(one.numero))
        one.remarks.push(`sous le numéro ${id}\u202f: le sien est déjà donné`);
      outcome.taken.push(one);
    } catch (error) {
      one.problem = whyNot(error);
      outcome.left.push(one);
    }
  }
  await bringer.dropCaches();
  return outcome;
}

/** What has an address that people keep: its page, or the number that families sign in with. */
const KEEPS_NUMBER: ReadonlySet<Genre> = new Set(['actualites', 'alaune', 'events', 'avantage', 'stages']);

function whyNot(error: unknown): string {
  if (error instanceof OriginError) return `l’ancien site ${troubleOf(error)}`;
  const refusal = asHttpError(error);
  if (!refusal || refusal.status >= 500) throw error;
  return refusal.message;
}

const alreadyThere = () => conflict('déjà là');

const kindOf = new Map<string, ItemKind>([...KINDS, employees].map((kind) => [genreOf(kind), kind]));

class Bringer {
  readonly #services: Services;
  readonly #origin: Origin;
  /** Ids here of what has come, by `genre/numero`. */
  readonly #places: Map<string, number>;

  constructor(services: Services, origin: Origin, places: Map<string, number>) {
    this.#services = services;
    this.#origin = origin;
    this.#places = places;
  }

  /** Brings one thing in, or throws why not: 409 where the site has it already. */
  async bring(one: Candidate): Promise<void> {
    const files = await this.#filesOf(one);
    try {
      await this.#add(one, files);
    } catch (error) {
      const isRefused = error instanceof HttpError && error.status === 422;
      const optional = one.files.filter(({ isRequired }) => !isRequired).map(({ field }) => field);
      if (!isRefused || optional.length === 0) throw error;
      // A picture that cannot be read: better the text alone.
      one.remarks.push(`sans ses images\u202f: ${error.message}`);
      await this.#add(one, omit(files, optional));
    }
  }

  async dropCaches(): Promise<void> {
    for (const genre of kindOf.keys()) await this.#services.cache.drop(genre);
  }

  /** Makes the next id of its table the one that a thing has there, unless this site has given that one already. */
  async prepareNumber({ genre, numero }: Candidate): Promise<void> {
    const { engine, write } = this.#services.database;
    const table = kindOf.get(genre)?.table ?? genre;
    const wanted = Number(numero) - 1;
    await write(async (transaction) => {
      const last = (await readLastIds(transaction, engine))[table] ?? 0;
      if (last < wanted) await writeLastIds(transaction, engine, { [table]: wanted });
    });
  }

  /** The id here of what has come; throws 404 for what has not. */
  placeOf(genre: Genre, numero: string): number {
    const id = this.#places.get(`${genre}/${numero}`);
    if (id === undefined) throw notHere(genre === 'stages' ? 'ce séjour' : 'ce directeur');
    return id;
  }

  async #filesOf({ files }: Candidate): Promise<Record<string, OwnFile[]>> {
    const found: Record<string, OwnFile[]> = {};
    for (const { field, path, maxBytes } of files) {
      const label = decodeURIComponent(path.split('/').at(-1) ?? '');
      const bytes = await this.#origin.file(path, maxBytes);
      found[field] = [...(found[field] ?? []), { label, bytes }];
    }
    return found;
  }

  #add(one: Candidate, files: Record<string, OwnFile[]>): Promise<unknown> {
    const kind = kindOf.get(one.genre);
    if (kind)
      return withOwnFiles(files, this.#services.staging, (staged) => this.#addItem(one, kind, staged));
    switch (one.genre) {
      case 'stages':
        return this.#addStay(one);
      case 'formateurs':
        return this.#addDirector(one);
      case 'affectations':
        return this.#addAssignment(one);
      case 'stagiaires':
        return this.#addChild(one);
      default:
        return withOwnFiles(files, this.#services.staging, (staged) => this.#addBooklet(one, staged));
    }
  }

  #addItem(one: Candidate, kind: ItemKind, files: StagedForm['files']): Promise<unknown> {
    const { manager_id: above, ...texts } = one.texts;
    const manager = above === undefined ? undefined : this.#places.get(`employes/${above}`);
    const body = check(
      itemForm(kind, true).schema,
      manager ? { ...texts, manager_id: String(manager) } : texts,
    );
    const alongside: Alongside = async (transaction, id) => {
      if (one.created) await backdate(transaction, kind.table, id, one.created);
      await this.#remember(transaction, one, kind.table, id);
    };
    const form = { body, files };
    const content = KINDS.find(({ table }) => table === kind.table);
    return content
      ? addItem(this.#services, content, form, OPERATOR, alongside)
      : addEmployee(this.#services, form, OPERATOR, alongside);
  }

  /** A stay of this name and these dates that the site has already is the same one. */
  async #addStay(one: Candidate): Promise<void> {
    const { database, secrets } = this.#services;
    const { version: _version, ...values } = check(stayCalls['POST /stages'].body.schema, one.texts);
    try {
      await addStay(this.#services, values, OPERATOR, async (transaction, id) => {
        if (one.passwords && Object.keys(one.passwords).length > 0)
          await writeStayPasswords(transaction, secrets, id, one.passwords);
        await this.#remember(transaction, one, 'stages', id);
      });
    } catch (error) {
      if (!(error instanceof HttpError && error.status === 409)) throw error;
      await database.write(async (transaction) => {
        const { id } = await getStayByKey(transaction, values);
        await this.#remember(transaction, one, 'stages', id);
      });
      throw alreadyThere();
    }
  }

  async #addDirector(one: Candidate): Promise<void> {
    const { database, clock } = this.#services;
    const { nom = '', prenom = '', mail = '', telephone = '' } = one.texts;
    const known = await database.write(async (transaction) => {
      const known = await findDirectorId(transaction, mail);
      const id = known ?? (await putDirector(transaction, { nom, prenom, mail, telephone }, clock()));
      if (known === undefined)
        await journal(transaction, OPERATOR, clock(), 'création', { table: 'formateurs', id });
      await this.#remember(transaction, one, 'formateurs', id);
      return known;
    });
    if (known !== undefined) throw alreadyThere();
  }

  #addAssignment(one: Candidate): Promise<void> {
    const { database, clock } = this.#services;
    const { director = '', stay = '', cat = 'sejour' } = one.led ?? {};
    const id = this.placeOf('formateurs', director);
    const stageId = this.placeOf('stages', stay);
    return database.write(async (transaction) => {
      if (!(await holdStays(database, transaction, [stageId])).has(stageId)) throw notHere('ce séjour');
      const [known] = await listDirectors(transaction, id);
      if (!known) throw notHere('ce directeur');
      if (!known.sejours.some((led) => led.stageId === stageId)) {
        await putAssignments(transaction, id, [stageId], cat);
        await journal(transaction, OPERATOR, clock(), 'affectation', { table: 'formateurs', id });
      }
      await this.#remember(transaction, one, 'formateurs', id);
    });
  }

  #addChild(one: Candidate): Promise<void> {
    const { database, clock } = this.#services;
    const stageId = this.placeOf('stages', one.stay ?? '');
    const { nom = '', prenom = '', mailRL: email = '', email_2 = '' } = one.texts;
    return database.write(async (transaction) => {
      const child = { nom, prenom, email, email_2, consentement_image: 'inconnu' as const, stageId };
      const { id } = await insertChild(database, transaction, child, clock());
      await journal(transaction, OPERATOR, clock(), 'création', { table: 'stagiaires', id });
      await this.#remember(transaction, one, 'stagiaires', id);
    });
  }

  async #addBooklet(one: Candidate, files: StagedForm['files']): Promise<void> {
    const { database } = this.#services;
    const name = folded(one.texts.nom ?? '');
    if ((await listBooklets(database.db)).some(({ nom }) => folded(nom) === name)) throw alreadyThere();
    await saveBooklet(this.#services, files, OPERATOR, undefined, (transaction, id) =>
      this.#remember(transaction, one, 'livrets', id),
    );
  }

  /** Throws 409, and so undoes the transaction, when another run has brought it meanwhile. */
  async #remember(
    transaction: Access,
    { genre, numero }: Candidate,
    objet: string,
    id: number,
  ): Promise<void> {
    const what = { origine: this.#origin.host, genre, numero, objet, objet_id: id };
    if (!(await rememberTaken(transaction, what))) throw alreadyThere();
    this.#places.set(`${genre}/${numero}`, id);
  }
}

const notHere = (what: string) => new HttpError(404, `${what} n’est pas sur ce site`);

function omit<T>(from: Record<string, T>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)));
}
