import { type Actor, signature } from '#platform/server/actor.ts';
import type { Access, Database } from '#platform/server/db/open.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import { appendLines, type LineToWrite } from './journalChain.ts';

/** Lines of the writes under way. */
const pending = new WeakMap<Access, LineToWrite[]>();

/** The database of a site: the lines of a write are written at its end, in the chain of the journal. */
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
 * Adds one line to the journal, in the transaction of what it tells, which is one of `write`. It names actions and
 * objects, never their content; addresses are shortened.
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
