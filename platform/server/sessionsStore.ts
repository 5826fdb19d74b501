import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Access, countRows, type Database, hasChanged } from '#platform/server/db/database.ts';
import { jsonIds } from '#platform/server/db/json.ts';
import type { SessionsFiniesTable } from '#platform/server/db/tables.ts';
import { shortened } from '#platform/server/networks.ts';
import { ALL_RIGHTS, type Right, type Role } from '#platform/shared/roles.ts';
import { isWithin } from '#platform/shared/time.ts';
import { HttpError } from './errors.ts';

/*
 * Sessions. A token is 256 random bits, opaque; the database holds its SHA-256 only. Ending a session deletes its
 * row, so it is refused from the next request on, in every process.
 */

export interface Session {
  id: number;
  role: Role;
  adminId: number | null;
  /** Set for admins. */
  username: string | null;
  /** What an admin is let into; empty for everybody else, and for an admin who `isLate`. */
  rights: readonly Right[];
  /** By when an admin needs a second factor; null: they have what is asked for. */
  factorBefore: string | null;
  /** Whether that is past. */
  isLate: boolean;
  stageId: number | null;
  /** The link of one address that opened it; null: a password did. */
  link: string | null;
  expiresAt: string;
  /** When whoever signed in last proved who they are; null for those who cannot, all but admins. */
  provenAt: string | null;
  openedAt: string;
  /** When it was last used; see `SEEN_MS`. */
  seenAt: string;
  /** It ends when it is not used for so long; null: it does not. */
  idleMinutes: number | null;
}

const HOUR = 3_600_000;
/** Lifetimes in ms; a family's session ends with its stay's photos, at an instant given when it is opened. */
export const LIFETIME: Record<Exclude<Role, 'family'>, number> = {
  admin: 12 * HOUR,
  reader: 12 * HOUR,
  director: 14 * 24 * HOUR,
};

/** How old, in ms, what is known of the last use of a session may be: not every request writes. */
export const SEEN_MS = 5 * 60_000;

/**
 * The cookie of each role, honoured only where a browser requests a private file by itself. Those of stays go on with
 * the stay and the role, so that a device shows the photos of several stays at once.
 */
export const COOKIES: Record<Role, string> = {
  admin: 'passerelle_portail',
  director: 'passerelle_sejour',
  family: 'passerelle_sejour',
  reader: 'passerelle_lecture',
};

export function cookieOf({ role, stageId }: Pick<Session, 'role' | 'stageId'>): string {
  if (stageId === null) return COOKIES[role];
  return `${COOKIES[role]}_${stageId}${role === 'director' ? '_direction' : ''}`;
}

export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

interface Opening {
  role: Role;
  adminId?: number;
  stageId?: number;
  /** The request that opens it; absent: where it is opened is not known. */
  from?: { ip: string; device: string };
  /** It ends when it is not used for so long, in minutes. */
  idleMinutes?: number;
  /** The link that opens it. */
  link?: string | undefined;
}

/** Opens a session and returns its token, which exists nowhere else. */
export async function openSession(db: Access, who: Opening, now: Date, expiresAt: Date): Promise<string> {
  const token = newToken();
  await db
    .insertInto('sessions')
    .values({
      empreinte: tokenHash(token),
      role: who.role,
      admin_id: who.adminId ?? null,
      stage_id: who.stageId ?? null,
      created_at: now.toISOString(),
      expire_le: endOf(expiresAt, who.idleMinutes ?? null, now),
      prouve_le: who.role === 'admin' ? now.toISOString() : null,
      appareil: who.from?.device ?? '',
      reseau: who.from ? shortened(who.from.ip) : '',
      inactivite_minutes: who.idleMinutes ?? null,
      lien: who.link ?? null,
    })
    .execute();
  return token;
}

/** Number of open sessions of a stay that were opened since an instant from the network of an address. */
export async function countOpened(db: Access, stageId: number, ip: string, since: Date): Promise<number> {
  return countRows(
    db
      .selectFrom('sessions')
      .where('stage_id', '=', stageId)
      .where('created_at', '>', since.toISOString())
      .where('reseau', '=', shortened(ip)),
  );
}

/** When a session ends that is used now, and at the latest at `last`. */
function endOf(last: Date, idleMinutes: number | null, now: Date): string {
  const idleEnd = now.getTime() + (idleMinutes ?? Number.POSITIVE_INFINITY) * 60_000;
  return new Date(Math.min(last.getTime(), idleEnd)).toISOString();
}

/** Writes that a session is used now; one that ends when it is idle, which those of staff do, lasts longer. */
export async function writeUse(db: Access, session: Session, now: Date): Promise<void> {
  const { id, openedAt, idleMinutes } = session;
  const last = new Date(Date.parse(openedAt) + LIFETIME.admin);
  await db
    .updateTable('sessions')
    .set({ vu_le: now.toISOString() })
    .$if(idleMinutes !== null, (query) => query.set({ expire_le: endOf(last, idleMinutes, now) }))
    .where('id', '=', id)
    .execute();
}

/** Changes after how long without use the sessions of staff end; those that are open end so long from now, if not used. */
export async function limitStaffIdle(db: Access, minutes: number, now: Date): Promise<void> {
  const end = new Date(now.getTime() + minutes * 60_000).toISOString();
  const ofStaff = db.updateTable('sessions').where('role', '=', 'admin');
  await ofStaff.set({ inactivite_minutes: minutes }).execute();
  await ofStaff.set({ expire_le: end }).where('expire_le', '>', end).execute();
}

/** Records that whoever holds a session has just proved who they are. */
export async function noteProof(db: Access, id: number, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ prouve_le: now.toISOString() }).where('id', '=', id).execute();
}

/** The live session of a token; undefined when it is revoked, expired or no token at all. */
export async function findSession(db: Access, token: string, now: Date): Promise<Session | undefined> {
  return (await findSessions(db, [token], now)).get(token);
}

/** The live sessions among those of some tokens, by token. */
export async function findSessions(
  db: Access,
  tokens: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Session>> {
  const byHash = new Map(tokens.filter(isToken).map((token) => [tokenHash(token), token]));
  if (byHash.size === 0) return new Map();
  const rows = await db
    .selectFrom('sessions')
    .leftJoin('admins', 'admins.id', 'sessions.admin_id')
    .select([
      'sessions.id',
      'sessions.empreinte',
      'sessions.role',
      'sessions.admin_id as adminId',
      'sessions.stage_id as stageId',
      'sessions.lien as link',
      'sessions.expire_le as expiresAt',
      'sessions.prouve_le as provenAt',
      'sessions.created_at as openedAt',
      'sessions.inactivite_minutes as idleMinutes',
      'admins.username',
      'admins.droits',
      'admins.facteur_avant as factorBefore',
    ])
    .select(({ fn }) => fn.coalesce('sessions.vu_le', 'sessions.created_at').as('seenAt'))
    .where('empreinte', 'in', [...byHash.keys()])
    .where('expire_le', '>', now.toISOString())
    .execute();
  return new Map(
    rows.map(({ empreinte, droits, ...session }) => {
      const isLate = session.factorBefore !== null && session.factorBefore <= now.toISOString();
      return [byHash.get(empreinte) ?? '', { ...session, isLate, rights: isLate ? [] : rightsOf(droits) }];
    }),
  );
}

/** The rights in `admins.droits`, separated by `;`. */
export function rightsOf(column: string | null): Right[] {
  const names = column?.split(';') ?? [];
  return ALL_RIGHTS.filter((right) => names.includes(right));
}

export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

export async function endSession(db: Access, id: number): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute();
}

type Owner = { adminId: number } | { stageId: number };

function columnsOf(owner: Owner) {
  return 'adminId' in owner ? { admin_id: owner.adminId } : { stage_id: owner.stageId };
}

/** The live sessions of an admin or of a stay, the last used first. */
export function listSessions(db: Access, owner: Owner, now: Date) {
  return db
    .selectFrom('sessions')
    .select(['id', 'role', 'appareil', 'reseau', 'created_at'])
    .select(({ fn }) => fn.coalesce('vu_le', 'created_at').as('vu_le'))
    .where((row) => row.and(columnsOf(owner)))
    .where('expire_le', '>', now.toISOString())
    .orderBy('vu_le', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Why somebody ended a session. */
export type Ending = SessionsFiniesTable['motif'];

/** What its page is told. */
export const ENDINGS: Record<Ending, string> = {
  mot_de_passe: 'Le mot de passe a changé\u202f: demandez le nouveau.',
  fermee: 'Votre accès a été fermé par l’équipe du CSE.',
  par_lien: 'Ce séjour s’ouvre par le lien reçu par e-mail ou sur papier, plus par le mot de passe.',
};

/** Keeps why sessions end, until they would have ended by themselves; called before they are deleted. */
async function noteEndings(db: Access, whose: SessionsOf, motif: Ending): Promise<void> {
  await db
    .insertInto('sessions_finies')
    .columns(['empreinte', 'motif', 'expire_le'])
    .expression((eb) =>
      eb
        .selectFrom('sessions')
        .select((row) => [
          'empreinte',
          sql<Ending>`${motif}`.as('motif'),
          row.ref('expire_le').as('expire_le'),
        ])
        .where((row) => row.and(selecting(whose))),
    )
    .execute();
}

/** Why the session of a token was ended; undefined when it was not, or nobody says. */
export async function findEnding(db: Access, token: string): Promise<Ending | undefined> {
  if (!isToken(token)) return undefined;
  const row = await db
    .selectFrom('sessions_finies')
    .select('motif')
    .where('empreinte', '=', tokenHash(token))
    .executeTakeFirst();
  return row?.motif;
}

/** Ends one session of an admin or of a stay; false when they have no such one. */
export async function endSessionOf(db: Access, owner: Owner, id: number): Promise<boolean> {
  if ('stageId' in owner) await noteEndings(db, { ...owner, id }, 'fermee');
  return hasChanged(
    db
      .deleteFrom('sessions')
      .where('id', '=', id)
      .where((row) => row.and(columnsOf(owner))),
  );
}

/** Selects sessions: of a role, of one admin, or of a stay (everybody or one role). */
type SessionsOf =
  | { role: Role }
  | { adminId: number }
  | { stageId: number; role?: Role; id?: number; link?: string | null };

/** The columns by which sessions are selected. */
function selecting(whose: SessionsOf) {
  const { role, adminId, stageId, id, link } = whose as {
    role?: Role;
    adminId?: number;
    stageId?: number;
    id?: number;
    link?: string | null;
  };
  // Those that are undefined select nothing.
  return { role, admin_id: adminId, stage_id: stageId, id, lien: link };
}

interface EndingOptions {
  /** Id of the session that asks, which stays. */
  except?: number | undefined;
  /** What their pages are told; absent: nothing in particular. */
  why?: Ending;
}

/** Ends the selected sessions. */
export async function endSessions(
  db: Access,
  whose: SessionsOf,
  { except, why }: EndingOptions = {},
): Promise<void> {
  if (why) await noteEndings(db, whose, why);
  await db
    .deleteFrom('sessions')
    .where((row) => row.and(selecting(whose)))
    .$if(except !== undefined, (query) => query.where('id', '!=', except as number))
    .execute();
}

/** Ids of the stays that sessions were opened for, in their order. */
export async function listStaysOfSessions({ db, engine }: Database, ids: readonly number[]) {
  const rows = await db
    .selectFrom('sessions')
    .select('stage_id')
    .distinct()
    .where('id', 'in', jsonIds(engine, ids))
    .where('stage_id', 'is not', null)
    .orderBy('stage_id')
    .execute();
  return rows.map(({ stage_id }) => stage_id);
}

/** Limits the sessions of a stay: those that would last beyond `end` end then. */
export async function shortenSessions(db: Access, stageId: number, end: Date): Promise<void> {
  const expire_le = end.toISOString();
  await db
    .updateTable('sessions')
    .set({ expire_le })
    .where('stage_id', '=', stageId)
    .where('expire_le', '>', expire_le)
    .execute();
}

/** Time, in ms, for which a proof of who somebody is lets them do what asks for one. */
const PROOF_MS = 10 * 60_000;

/** Whether whoever has a session has just proved who they are. */
export function isProven(session: Pick<Session, 'provenAt'> | undefined, now: Date): boolean {
  return typeof session?.provenAt === 'string' && isWithin(session.provenAt, PROOF_MS, now);
}

export function proofWanted(): HttpError {
  const message = 'Confirmez que c’est vous\u202f: votre dernière preuve a plus de dix minutes.';
  return new HttpError(403, message, { extra: { etape: 'preuve' } });
}

/** Throws 403 with `etape: preuve` when the last proof of whoever has the session is too old, or there is none. */
export function requireProof(session: Pick<Session, 'provenAt'> | undefined, now: Date): void {
  if (!isProven(session, now)) throw proofWanted();
}
