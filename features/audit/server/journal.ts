import type { Selectable } from 'kysely';
import type { auditCalls } from '#features/audit/calls.ts';
import { JOURNAL_DAYS } from '#features/audit/shared/promises.ts';
import { type Actor, signature } from '#platform/server/actor.ts';
import type { Access, Database } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import { holds, type KeptPlace } from '#platform/server/personalData.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';

/** Journal lines of the write transactions under way. */
const pending = new WeakMap<Access, LineToWrite[]>();

/** Wraps a database so that the journal lines of a `write` are chained and written at its end. */
export function withJournal(database: Database, secrets: Secrets): Database {
  return {
    ...database,
    write: (work) =>
      database.write(async (transaction) => {
        const lines: LineToWrite[] = [];
        pending.set(transaction, lines);
        const result = await work(transaction);
        if (lines.length > 0) await appendLines(database, transaction, secrets, lines);
        return result;
      }),
  };
}

/**
 * Adds one line to the journal, in the transaction of the change that it records. Throws unless that transaction is one
 * of `write`. A line names actions and objects, never their content; addresses are shortened.
 */
export async function journal(
  transaction: Access,
  actor: Actor,
  now: Date,
  action: string,
  about?: { table: string; id?: number },
): Promise<void> {
  const lines = pending.get(transaction);
  if (!lines) throw new Error('A line of the journal belongs to a write of the site');
  lines.push({
    instant: now.toISOString(),
    ...signature(actor),
    action,
    objet: about?.table ?? null,
    objet_id: about?.id ?? null,
  });
}

/*
 * The journal is a hash chain, which shows what somebody without the key has changed (docs/decisions/0024). Each line
 * stores its link: a keyed hash of its content and of the chain hash after the line before it. The chain hash after a
 * line is a keyed hash of its link, and is stored in two places only: `suite`, after the last line, where the chain
 * continues, and `ancre`, after the last line erased, where it begins.
 */

type Line = Omit<Selectable<Tables['journal']>, 'chaine'>;
type LineToWrite = Omit<Line, 'id'>;

/** Lines read by one statement. */
const SLICE = 1_000;

function linkOf(secrets: Secrets, previousHash: string, line: Line): string {
  const { id, instant, acteur, action, objet, objet_id, ip } = line;
  return secrets.fingerprint(
    `journal:${JSON.stringify([previousHash, id, instant, acteur, action, objet, objet_id, ip])}`,
  );
}

function chainHashAfter(secrets: Secrets, link: string): string {
  return secrets.fingerprint(`journal, suite:${link}`);
}

const keyHash = (secrets: Secrets) => secrets.fingerprint('journal, clé');

/**
 * Writes lines at the end of the chain, in their order. Where the chain was forgotten with its key, they stay unchained
 * until the site opens again and chains all lines. The head is locked from here to the commit, so that all processes
 * share one order, that of the ids. Must be the last step of a transaction: waiting for another lock while holding this
 * one could be a deadlock.
 */
async function appendLines(
  { rowLock }: Database,
  transaction: Access,
  secrets: Secrets,
  lines: readonly LineToWrite[],
): Promise<void> {
  const head = await transaction
    .selectFrom('journal_tete')
    .select('suite')
    .modifyEnd(rowLock)
    .executeTakeFirst();
  let suite = head?.suite;
  for (const line of lines) {
    const { id } = await transaction
      .insertInto('journal')
      .values({ ...line, chaine: '' })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (suite !== undefined) suite = await chain(transaction, secrets, suite, { id, ...line });
  }
  if (suite !== undefined) await transaction.updateTable('journal_tete').set({ suite }).execute();
}

/** Writes the link of a line; returns the chain hash after it. */
async function chain(
  transaction: Access,
  secrets: Secrets,
  previousHash: string,
  line: Line,
): Promise<string> {
  const chaine = linkOf(secrets, previousHash, line);
  await transaction.updateTable('journal').set({ chaine }).where('id', '=', line.id).execute();
  return chainHashAfter(secrets, chaine);
}

/**
 * Erases the oldest lines, at most `limit`, up to the first one that is not older than `before`; returns how many. A
 * line dated in the future, by a clock that ran ahead, is erased once a line older than `before` comes after it. The
 * new `ancre` is computed from the content of the erased lines, not from their stored links: if they were altered in
 * order to be erased, the next line does not fit.
 */
export async function eraseLines(
  { rowLock }: Database,
  transaction: Access,
  secrets: Secrets,
  { before, now }: { before: Date; now: Date },
  limit: number,
): Promise<number> {
  const { ancre } = await transaction
    .selectFrom('journal_tete')
    .select('ancre')
    .modifyEnd(rowLock)
    .executeTakeFirstOrThrow();
  const first = await transaction
    .selectFrom('journal')
    .select('id')
    .where('instant', '>=', before.toISOString())
    .where('instant', '<=', now.toISOString())
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const { end } = await transaction
    .selectFrom('journal')
    .select(({ fn }) => fn.max<number | null>('id').as('end'))
    .where('instant', '<', before.toISOString())
    .executeTakeFirstOrThrow();
  const lines = (await listLines(transaction, 0, limit)).filter(
    ({ id }) => id <= (end ?? 0) && (!first || id < first.id),
  );
  const last = lines.at(-1);
  if (!last) return 0;
  const chainHash = lines.reduce((hash, line) => chainHashAfter(secrets, linkOf(secrets, hash, line)), ancre);
  await transaction.deleteFrom('journal').where('id', '<=', last.id).execute();
  await transaction.updateTable('journal_tete').set({ ancre: chainHash }).execute();
  return lines.length;
}

/** Chains the lines of a journal that is not chained yet; returns how many, undefined when it is chained already. */
export async function beginChain(transaction: Access, secrets: Secrets): Promise<number | undefined> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('journal_tete')
    .values({ id: 1, cle: keyHash(secrets), ancre: '', suite: '' })
    // Another process, started at the same time, was faster.
    .onConflict((clash) => clash.column('id').doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return undefined;
  const ancre = chainHashAfter(secrets, '');
  let suite = ancre;
  let count = 0;
  for await (const line of walkLines(transaction)) {
    suite = await chain(transaction, secrets, suite, line);
    count++;
  }
  await transaction.updateTable('journal_tete').set({ ancre, suite }).execute();
  return count;
}

/**
 * Forgets a chain whose key is lost; a new one begins when the site opens. Must be the last step of a transaction, like
 * `appendLines`.
 */
export async function forgetChain(transaction: Access): Promise<void> {
  await transaction.deleteFrom('journal_tete').execute();
}

/** True when the chain was made with this key. */
export async function isChainOf(db: Access, secrets: Secrets): Promise<boolean> {
  const head = await db.selectFrom('journal_tete').select('cle').executeTakeFirst();
  return head?.cle === keyHash(secrets);
}

export interface ChainFound {
  /** Number of lines that fit, from the first on. */
  good: number;
  /** The last line that fits. */
  last: Selectable<Tables['journal']> | undefined;
  /** The first line that does not fit: it, or what stood before it, was altered. */
  wrong: Selectable<Tables['journal']> | undefined;
  /** True when all lines fit but the last one written is missing. */
  isCut: boolean;
}

/** Verifies the whole chain, while the site may go on writing. */
export async function verifyChain(db: Access, secrets: Secrets): Promise<ChainFound> {
  for (;;) {
    const head = await readHead(db);
    const found = await walkFrom(db, secrets, head);
    const isWhole = !found.wrong && !found.isCut;
    // Old lines were erased meanwhile, before they were read: start again.
    if (isWhole || (await readHead(db)).ancre === head.ancre) return found;
  }
}

function readHead(db: Access) {
  return db.selectFrom('journal_tete').select(['ancre', 'suite']).executeTakeFirstOrThrow();
}

async function walkFrom(
  db: Access,
  secrets: Secrets,
  { ancre, suite }: { ancre: string; suite: string },
): Promise<ChainFound> {
  let chainHash = ancre;
  const found: ChainFound = { good: 0, last: undefined, wrong: undefined, isCut: chainHash !== suite };
  for await (const line of walkLines(db)) {
    if (line.chaine !== linkOf(secrets, chainHash, line)) return { ...found, wrong: line, isCut: false };
    chainHash = chainHashAfter(secrets, line.chaine);
    found.good++;
    found.last = line;
    // Any lines after this one were written since the head was read.
    if (chainHash === suite) found.isCut = false;
  }
  return found;
}

async function* walkLines(db: Access) {
  let lines = await listLines(db, 0);
  for (let last = lines.at(-1); last; last = lines.at(-1)) {
    yield* lines;
    lines = await listLines(db, last.id);
  }
}

function listLines(db: Access, after: number, limit = SLICE) {
  return db.selectFrom('journal').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute();
}

/** Serves the journal to staff, a page at a time. */
export function auditHandlers({ database: { db } }: Services): HandlersOf<typeof auditCalls> {
  return {
    'GET /journal': async ({ query }) => {
      const rows = await db
        .selectFrom('journal')
        .selectAll()
        .$if(query.avant !== undefined, (select) => select.where('id', '<', query.avant as number))
        .orderBy('id', 'desc')
        .limit(query.limite + 1)
        .execute();
      const entrees = rows.slice(0, query.limite);
      return { entrees, suite: rows.length > query.limite ? (entrees.at(-1)?.id ?? null) : null };
    },
  };
}

/** Journal lines, mailings and imports of an account whose name is an e-mail address: they stay until they expire. */
export const journalPlace: KeptPlace = {
  genre: 'journal',
  list: async (db, key) => {
    const lines = await db
      .selectFrom('journal')
      .select(['instant', 'ip', 'action', 'objet', 'objet_id'])
      .where(holds('acteur', key))
      .orderBy('id')
      .execute();
    const mailings = await actsIn(db, 'envois', key);
    const imports = await actsIn(db, 'imports', key);
    return [...lines, ...mailings, ...imports];
  },
  text: () =>
    'Des lignes du journal, des e-mails ou des imports nomment un compte de ce nom\u202f: elles restent, et ' +
    `s’effacent d’elles-mêmes, celles du journal après ${JOURNAL_DAYS}\u00a0jours.`,
};

/** Mailings or imports that an account of this name began. */
function actsIn(db: Access, table: 'envois' | 'imports', key: string): Promise<object[]> {
  return db
    .selectFrom(table)
    .select(['created_at as instant', 'genre'])
    .where(holds('acteur', key))
    .orderBy('id')
    .execute();
}
