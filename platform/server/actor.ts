import type { Role } from '#platform/shared/roles.ts';
import { shortened } from './http/rateLimits.ts';
import type { Session } from './http/sessions.ts';

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
