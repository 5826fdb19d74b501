import type { Access, Database } from '#platform/server/db/open.ts';
import { shortened } from '#platform/server/http/limits.ts';
import type { Session } from '#platform/server/http/sessions.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import type { Role } from '#platform/shared/roles.ts';
import { appendLines, type LineToWrite } from './journalChain.ts';

/** Who acts: a request's session and address, or a command of the operator. */
export interface Actor {
  session?: Pick<Session, 'role' | 'username' | 'stageId'> | undefined;
  ip?: string;
  /** An admin's name where there is no session yet. */
  username?: string | undefined;
}

/** A command typed on the machine. */
export const OPERATOR: Actor = { username: 'commande' };
/** Work that comes back by itself. */
export const SITE: Actor = { username: 'le site' };

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

/** Who acts, as the journal says it. */
export function signature(actor: Actor): { acteur: string; ip: string | null } {
  return { acteur: nameOf(actor), ip: actor.ip ? shortened(actor.ip) : null };
}

/** As staff read them. */
const ROLE_NAMES: Record<Role, string> = {
  admin: 'administrateur',
  director: 'directeur',
  family: 'famille',
  reader: 'lecteur des comptes rendus',
};

function nameOf({ session, username = session?.username ?? undefined }: Actor): string {
  if (username) return username;
  if (!session) return 'visiteur';
  const { role, stageId } = session;
  return stageId === null ? ROLE_NAMES[role] : `${ROLE_NAMES[role]} du séjour ${stageId}`;
}
