import { shortened } from '#platform/server/networks.ts';
import type { Role } from '#platform/shared/roles.ts';
import type { Session } from './sessionsStore.ts';

/** Who acts: a request's session and address, or a command of the operator. */
export interface Actor {
  session?: Pick<Session, 'role' | 'username' | 'stageId'> | undefined;
  ip?: string;
  /** An admin's name where there is no session yet. */
  username?: string | undefined;
}

/** A command typed on the machine. */
export const OPERATOR: Actor = { username: 'commande' };

/** The site itself, for its repeated work. */
export const SITE: Actor = { username: 'le site' };

/** Who acts, in the form of the journal. */
export function signature(actor: Actor): { acteur: string; ip: string | null } {
  return { acteur: nameOf(actor), ip: actor.ip ? shortened(actor.ip) : null };
}

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
