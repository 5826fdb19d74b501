import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  KyselyPlugin,
  OperationNode,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryId,
  QueryResult,
  RawNode,
  RootOperationNode,
  Transaction,
  UnknownRow,
} from 'kysely';
import { countThings, listDays, sumOf } from './countsStore.ts';
import type { Access, Database } from './db/database.ts';
import type { Tables } from './db/tables.ts';
import type { Log } from './log.ts';
import { isProven, proofWanted, type Session } from './sessionsStore.ts';

/*
 * Budgets: acts counted by what they touch, below the calls, whoever does them and by whichever call. What one person
 * touches is counted by the hour in `rafales`, so that all processes count together, and is kept for a day. Beyond
 * `unproven` things since the last proof of who they are, staff are asked for a new one; beyond `hour` or `day`, staff are
 * told by mail (`overspent`). Wrong passwords and refusals are counted there as well.
 */

interface Budget {
  /** Things that a session of staff may touch since its last proof, once that is old. */
  unproven: number;
  hour: number;
  day: number;
  /** For the mail, after a number. */
  label: string;
}

export const BUDGETS = {
  // On a screen: a stay has some sixty children, and each is counted once.
  lues: { unproven: 100, hour: 500, day: 1_000, label: 'fiches de personnes lues' },
  // In files, which leave the site.
  emportees: { unproven: 10, hour: 500, day: 1_000, label: 'fiches de personnes téléchargées' },
  personnes: { unproven: 10, hour: 30, day: 50, label: 'personnes effacées' },
  changees: { unproven: 30, hour: 500, day: 1_000, label: 'fiches de personnes changées' },
  sejours: { unproven: 0, hour: 5, day: 10, label: 'séjours supprimés' },
  contenus: { unproven: 20, hour: 30, day: 50, label: 'contenus supprimés' },
  // What stood there is gone without a bin.
  contenusChanges: { unproven: 50, hour: 100, day: 300, label: 'contenus changés' },
  photos: { unproven: 50, hour: 50, day: 200, label: 'photos supprimées ou floutées' },
  // Publishing is most of what staff do with photos, and hiding them can be undone.
  photosPubliees: { unproven: 200, hour: 1_000, day: 3_000, label: 'photos publiées' },
  photosCachees: { unproven: 100, hour: 200, day: 500, label: 'photos cachées aux familles' },
  mails: { unproven: 100, hour: 3_000, day: 10_000, label: 'e-mails écrits' },
  photosEffacees: { unproven: 0, hour: 50, day: 200, label: 'photos effacées pour de bon' },
} satisfies Record<string, Budget>;
export type Thing = keyof typeof BUDGETS;
const THINGS = Object.keys(BUDGETS) as Thing[];

/** Kind of whole archives of photos, by the id of the session that fetches them. */
export const ARCHIVES = 'archives';
/** Kind of the sessions, by their id, that were often refused. */
export const REFUSALS = 'refus';

/** Who acts, and whether they have changed things by what they do now. */
interface Acting {
  session: Session;
  hasWritten: boolean;
}

const acting = new AsyncLocalStorage<Acting>();

/** Runs the work of a call as somebody's: what it touches is theirs. */
export function actAs<T>(session: Session | undefined, work: () => Promise<T>): Promise<T> {
  return session ? acting.run({ session, hasWritten: false }, work) : work();
}

/** Runs work that is the site’s own, though somebody asked for it: what it touches is not theirs. */
export function actAsSite<T>(work: () => Promise<T>): Promise<T> {
  return acting.exit(work);
}

/** Whose work this is; undefined for the site’s own, commands, and visitors. */
export function whoActs(): Session | undefined {
  return acting.getStore()?.session;
}

/** Notes that whoever acts has changed things: what they are then shown no longer undoes it. */
export function noteWritten(): void {
  const now = acting.getStore();
  if (now) now.hasWritten = true;
}

/** Who is counted: an account of staff; of others, whom a password of a stay lets in, the sign-in. */
export const whose = ({ adminId, id }: Session) =>
  adminId === null ? `connexion ${id}` : `compte ${adminId}`;

/**
 * Counts what whoever acts touches, in the transaction that touches it. Throws 403 with `etape: preuve`, which undoes it
 * all, for staff whose budget without a new proof is spent.
 */
export async function spend(transaction: Access, thing: Thing, count: number, now: Date): Promise<void> {
  const session = whoActs();
  if (!session || count === 0) return;
  await countThings(transaction, thing, whose(session), now, count);
  if (session.role !== 'admin' || isProven(session, now)) return;
  const since = [`${thing}, sans preuve`, `${session.id} ${session.provenAt}`] as const;
  await countThings(transaction, ...since, now, count);
  if ((await sumOf(transaction, ...since)) > BUDGETS[thing].unproven) throw proofWanted();
}

/** What tables hold that is counted when it is deleted, put into a bin, or changed: loses its name, address, stay or text. */
export type Things = { [Table in keyof Tables]?: { erased: Thing; binned?: Thing; changed?: Thing } };

/** Columns that put a row into a bin when they are set. */
const BINS = ['supprime_le', 'jetee_le'];
/** Columns that say who somebody is, how they are reached, and where they belong; the last rises with any change of a form. */
const NAMES = ['nom', 'prenom', 'email', 'email_2', 'mail', 'telephone', 'stage_id', 'version'];

interface Touching {
  table: keyof Tables;
  /** Absent: rows are added or changed. */
  thing: Thing | undefined;
}

/**
 * Spends what the statements of a transaction delete or put into a bin, right after each: what follows it, such as the file
 * of erasures, is not reached when there is nothing left to spend.
 */
class Watch implements KyselyPlugin {
  readonly #things: Things;
  readonly #spend: (thing: Thing, count: number) => Promise<void>;
  readonly #known = new WeakMap<QueryId, Touching>();
  readonly tables = new Set<string>();

  constructor(things: Things, spend: (thing: Thing, count: number) => Promise<void>) {
    this.#things = things;
    this.#spend = spend;
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    const touching = this.#touchingOf(node);
    if (touching) this.#known.set(queryId, touching);
    return node;
  }

  async transformResult({ result, queryId }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const found = this.#known.get(queryId);
    const rows = Number(result.numAffectedRows ?? result.rows.length);
    if (found && rows > 0) {
      this.tables.add(found.table);
      if (this.#things[found.table]) noteWritten();
      if (found.thing) await this.#spend(found.thing, rows);
    }
    return result;
  }

  #touchingOf(node: RootOperationNode): Touching | undefined {
    if (node.kind === 'RawNode') return this.#touchingOfRaw(node);
    if (node.kind === 'DeleteQueryNode') {
      const table = tableIn(node.from.froms[0]);
      return { table, thing: this.#things[table]?.erased };
    }
    const isInsert = node.kind === 'InsertQueryNode';
    if (!isInsert && node.kind !== 'UpdateQueryNode') return undefined;
    const table = tableIn(isInsert ? node.into : node.table);
    // What is added in the place of what is there changes it.
    const updates = isInsert ? node.onConflict?.updates : node.updates;
    const { binned, changed } = this.#things[table] ?? {};
    const isBinned = updates?.some(
      ({ column, value }) => BINS.includes(nameIn(column)) && 'value' in value && value.value !== null,
    );
    const isRenamed = updates?.some(({ column }) => NAMES.includes(nameIn(column)));
    return { table, thing: isBinned ? binned : isRenamed ? changed : undefined };
  }

  /** Of a statement that is written out: how it begins says what it does to which table. */
  #touchingOfRaw({ sqlFragments, parameters }: RawNode): Touching | undefined {
    if (!/^\s*(insert|update|delete)/i.test(sqlFragments[0] ?? '')) return undefined;
    const text = sqlFragments.map((fragment, index) => fragment + nameIn(parameters[index])).join('');
    const [, does = '', name] = /^\s*(insert\s+into|update|delete\s+from)\s+(\w+)/i.exec(text) ?? [];
    const table = name as keyof Tables;
    return { table, thing: /^delete/i.test(does) ? this.#things[table]?.erased : undefined };
  }
}

/** The name of the table or column that a node stands for. */
function nameIn(node: OperationNode | undefined): string {
  if (node === undefined) return '';
  for (const part of ['table', 'column', 'identifier', 'node'] as const)
    if (part in node) return nameIn((node as OperationNode & Record<typeof part, OperationNode>)[part]);
  return 'name' in node ? String(node.name) : '';
}

const tableIn = (node: OperationNode | undefined) => nameIn(node) as keyof Tables;

/** Done at the end of each transaction that changed rows, with the names of their tables. */
type AfterWrite = (transaction: Access, tables: ReadonlySet<string>, now: Date) => Promise<void>;

/** Runs the work of a transaction, and what belongs to its end. */
export type Within = <T>(
  transaction: Transaction<Tables>,
  work: (watched: Transaction<Tables>) => Promise<T>,
) => Promise<T>;

/** Makes what spends the deletions of each transaction from the budget of whoever acts, and does `after` at its end. */
export function budgetsOf(things: Things, clock: () => Date, after: AfterWrite): Within {
  return async (transaction, work) => {
    const watch = new Watch(things, (thing, count) => spend(transaction, thing, count, clock()));
    const watched = transaction.withPlugin(watch);
    const result = await work(watched);
    if (watch.tables.size > 0) await after(watched, watch.tables, clock());
    return result;
  };
}

/** Of each kind of thing, the most that one person touched in a day, where it is more than they should unnoticed. */
export async function overspent(db: Access, now: Date): Promise<{ label: string; count: number }[]> {
  const rows = await listDays(db, THINGS, now);
  return THINGS.flatMap((thing) => {
    const { hour, day, label } = BUDGETS[thing];
    const many = rows.filter((row) => row.genre === thing && (row.hour > hour || Number(row.day) > day));
    return many.length === 0 ? [] : [{ label, count: Math.max(...many.map((row) => Number(row.day))) }];
  });
}

/** Refusals to one session within a window from which they count as many. */
export const REFUSALS_MANY = 100;
const WINDOW_MS = 10 * 60_000;

type Counting = { database: Database; clock: () => Date; log: Log };

/**
 * Counts, in this process, the 403 and 404 answers to each session, and records the one that makes them many: a
 * person has few of them, somebody who tries out addresses has many. Nothing is written for the others.
 */
export function openRefusalCount({ database, clock, log }: Counting): (sessionId: number) => void {
  let window = 0;
  const counts = new Map<number, number>();
  return (sessionId) => {
    const current = Math.floor(clock().getTime() / WINDOW_MS);
    if (current !== window) counts.clear();
    window = current;
    const count = (counts.get(sessionId) ?? 0) + 1;
    counts.set(sessionId, count);
    if (count !== REFUSALS_MANY) return;
    database
      .write((transaction) => countThings(transaction, REFUSALS, String(sessionId), clock(), count))
      .catch((error) => log.warn({ err: error }, 'a spike of refusals is not counted'));
  };
}

/** Sessions whose readings are remembered. */
const READERS_MAX = 500;

/**
 * Counts the persons whom a reply to staff, or a refusal, shows, each once since the last proof, before it is sent. A
 * number: so many stand in a file that is sent. Throws like `spend`.
 */
export function openReadingCount({ database, clock, log }: Counting) {
  const readers = new Map<string, Set<string>>();
  return async (session: Session, reply: unknown): Promise<void> => {
    const reader = `${session.id} ${session.provenAt}`;
    const seen = readers.get(reader) ?? new Set<string>();
    const read =
      typeof reply === 'number' ? [] : [...new Set(personsIn(reply))].filter((one) => !seen.has(one));
    const [thing, count] =
      typeof reply === 'number' ? (['emportees', reply] as const) : (['lues', read.length] as const);
    if (count === 0) return;
    const now = clock();
    const counted = database.write((transaction) => spend(transaction, thing, count, now));
    // Nobody waits for a count that refuses nothing: what is done is done, and the next one is refused.
    if (isProven(session, now) || acting.getStore()?.hasWritten)
      counted.catch((error) => log.warn({ err: error }, 'a reading is not counted'));
    else await counted;
    for (const person of read) seen.add(person);
    readers.set(reader, seen);
    const [first] = readers.keys();
    if (readers.size > READERS_MAX && first !== undefined) readers.delete(first);
  };
}

/** It begins where a word does: looked for from each letter on, a long text without an address takes seconds. */
const ADDRESS = /(?<![^\s@<>(),;:"])[^\s@<>(),;:"]+@[^\s@<>(),;:"]+\.\p{L}+/gu;

/** Kinds of what the search finds, and tables that lines of the journal are about, whose title or name is a person’s. */
const NAMING: readonly unknown[] = ['enfants', 'directeurs', 'stagiaires', 'formateurs'];

/** A text for each person in a reply: the e-mail addresses in its texts, and its objects that name one without any. */
function* personsIn(reply: unknown): Generator<string> {
  if (typeof reply === 'string') for (const [address] of reply.matchAll(ADDRESS)) yield address.toLowerCase();
  if (typeof reply !== 'object' || reply === null) return;
  const { prenom, nom, ...rest } = reply as Record<string, unknown>;
  let isReached = false;
  for (const value of Object.values(rest))
    for (const person of personsIn(value)) {
      isReached = true;
      yield person;
    }
  const name = prenom ? `${nom} ${prenom}` : NAMING.includes(rest.genre ?? rest.objet) && (nom ?? rest.titre);
  if (name && !isReached) yield String(name);
}
