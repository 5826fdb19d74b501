import { type Actor, signature } from '#platform/server/actor.ts';
import type { Within } from '#platform/server/budgets.ts';
import { type Check, fail, fine, warn } from '#platform/server/checks/check.ts';
import type { Access, Database } from '#platform/server/db/database.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import {
  deleteLinesUpTo,
  findHead,
  findHeadToChange,
  insertHead,
  insertLine,
  type JournalRow,
  type Line,
  type LineToWrite,
  listLines,
  listOldLines,
  writeHead,
  writeLink,
} from './store.ts';

/** Journal lines of the write transactions under way. */
const pending = new WeakMap<Access, LineToWrite[]>();

/** Wraps a database so that the journal lines of a `write` are chained and written at its end, after that of `within`. */
export function withJournal(database: Database, secrets: Secrets, within: Within): Database {
  return {
    ...database,
    write: (work) =>
      database.write(async (transaction) => {
        const lines: LineToWrite[] = [];
        const result = await within(transaction, (watched) => {
          pending.set(watched, lines);
          return work(watched);
        });
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

function linkOf(secrets: Secrets, previousHash: string, line: Line): string {
  const { id, instant, acteur, action, objet, objet_id, ip } = line;
  return secrets.fingerprint(
    `journal:${JSON.stringify([previousHash, id, instant, acteur, action, objet, objet_id, ip])}`,
  );
}

function chainHashAfter(secrets: Secrets, link: string): string {
  return secrets.fingerprint(`journal, suite:${link}`);
}

const FORGOTTEN = 'The chain of the journal is forgotten';

const keyHash = (secrets: Secrets) => secrets.fingerprint('journal, clé');

/**
 * Writes lines at the end of the chain, in their order. Where the chain was forgotten with its key, they stay unchained
 * until the site opens again and chains all lines. The head is locked from here to the commit, so that all processes
 * share one order, that of the ids. Must be the last step of a transaction: waiting for another lock while holding this
 * one could be a deadlock.
 */
async function appendLines(
  database: Database,
  transaction: Access,
  secrets: Secrets,
  lines: readonly LineToWrite[],
): Promise<void> {
  let suite = (await findHeadToChange(database, transaction))?.suite;
  for (const line of lines) {
    const id = await insertLine(transaction, line);
    if (suite !== undefined) suite = await chain(transaction, secrets, suite, { id, ...line });
  }
  if (suite !== undefined) await writeHead(transaction, { suite });
}

/** Writes the link of a line; returns the chain hash after it. */
async function chain(
  transaction: Access,
  secrets: Secrets,
  previousHash: string,
  line: Line,
): Promise<string> {
  const chaine = linkOf(secrets, previousHash, line);
  await writeLink(transaction, line.id, chaine);
  return chainHashAfter(secrets, chaine);
}

/**
 * Erases the oldest lines, as `listOldLines` finds them; returns how many. The new `ancre` is computed from the content
 * of the erased lines, not from their stored links: if they were altered in order to be erased, the next line does not
 * fit.
 */
export async function eraseLines(
  database: Database,
  transaction: Access,
  secrets: Secrets,
  time: { before: Date; now: Date },
  limit: number,
): Promise<number> {
  const head = await findHeadToChange(database, transaction);
  if (!head) throw new Error(FORGOTTEN);
  const lines = await listOldLines(transaction, time, limit);
  const last = lines.at(-1);
  if (!last) return 0;
  const ancre = lines.reduce(
    (hash, line) => chainHashAfter(secrets, linkOf(secrets, hash, line)),
    head.ancre,
  );
  await deleteLinesUpTo(transaction, last.id);
  await writeHead(transaction, { ancre });
  return lines.length;
}

/** Chains the lines of a journal that is not chained yet; returns how many, undefined when it is chained already. */
export async function beginChain(transaction: Access, secrets: Secrets): Promise<number | undefined> {
  if (!(await insertHead(transaction, keyHash(secrets)))) return undefined;
  const ancre = chainHashAfter(secrets, '');
  let suite = ancre;
  let count = 0;
  for await (const line of walkLines(transaction)) {
    suite = await chain(transaction, secrets, suite, line);
    count++;
  }
  await writeHead(transaction, { ancre, suite });
  return count;
}

export async function isChainOf(db: Access, secrets: Secrets): Promise<boolean> {
  return (await findHead(db))?.cle === keyHash(secrets);
}

export interface ChainFound {
  /** Number of lines that fit, from the first on. */
  good: number;
  last: JournalRow | undefined;
  /** The first line that does not fit: it, or what stood before it, was altered. */
  wrong: JournalRow | undefined;
  /** True when all lines fit but the last one written is missing. */
  isCut: boolean;
}

/** Verifies the whole chain, while the site may go on writing. */
export async function verifyChain(db: Access, secrets: Secrets): Promise<ChainFound> {
  for (;;) {
    const head = await findHead(db);
    if (!head) throw new Error(FORGOTTEN);
    const found = await walkFrom(db, secrets, head);
    const isWhole = !found.wrong && !found.isCut;
    // Old lines were erased meanwhile, before they were read: start again.
    if (isWhole || (await findHead(db))?.ancre === head.ancre) return found;
  }
}

export function journalCheck({ database: { db }, secrets }: Services): Check {
  return {
    key: 'journal',
    part: 'base',
    async operator() {
      if (!(await isChainOf(db, secrets)))
        return warn(
          'Journal\u202f: il n’est pas enchaîné avec cette clé secrète, et ne se vérifie pas. Le prochain démarrage du site y remédie, ou dit pourquoi non.',
        );
      const { wrong, isCut } = await verifyChain(db, secrets);
      if (wrong || isCut)
        return fail(
          'Journal\u202f: quelqu’un l’a changé sans passer par le site. «\u00a0passerelle journal verifier\u00a0» dit où.',
        );
      return fine('Journal\u202f: il dit ce qui y a été écrit.');
    },
  };
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
