import { journal } from '#features/audit/server/journal.ts';
import { FIRST_ADMIN, WATCHED } from '#features/audit/shared/journal.ts';
import { OPERATOR } from '#platform/server/actor.ts';
import { ConfigError } from '#platform/server/config.ts';
import type { Access } from '#platform/server/db/database.ts';
import { conflict, HttpError, invalid, unauthorized } from '#platform/server/errors.ts';
import { LONGEST_WAIT_MS } from '#platform/server/http/attemptsStore.ts';
import type { Lane } from '#platform/server/http/rateLimits.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import { newLink } from '#platform/server/links.ts';
import { insertMailing, type NewMailing } from '#platform/server/mail/outboxStore.ts';
import { generatePassword } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import { endSessions, newToken, rightsOf, type Session } from '#platform/server/sessionsStore.ts';
import { openPasswordRule } from '#platform/server/weakPasswords.ts';
import { ALL_RIGHTS, RIGHTS, type Right } from '#platform/shared/roles.ts';
import { REQUIRED } from '#platform/shared/text.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import type { adminCalls } from '../calls.ts';
import {
  type AdminRow,
  deleteAdmin,
  getAdmin,
  holdAdmins,
  type Invitation,
  insertAdmin,
  listAdmins,
  updateAdmin,
} from './adminsStore.ts';
import { hereOf, tellChange } from './devices.ts';
import { hashGood, hashPassword, PASSWORD_LABELS, verifyPassword } from './passwords.ts';
import { deadlineAt } from './secondFactor.ts';

export function adminHandlers(services: Services): HandlersOf<typeof adminCalls> {
  const { database, clock, config, jobs, secrets } = services;
  const { db } = database;

  /** Another link for somebody invited, mailed once it is written; it is read when it is sent (`composers` of mails). */
  function newInvitation(): Invitation {
    if (config.SMTP_URL === undefined) throw conflict(NO_MAILS);
    const end = new Date(clock().getTime() + INVITATION_MS);
    return { ...newLink(secrets), invite_jusqua: end.toISOString() };
  }
  const mailInvitation = (transaction: Access, actor: NewMailing['actor'], { email, lien }: AdminRow) => {
    const texts = { objet: 'Votre accès au portail du CSE', texte: lien ?? '' };
    const mailing = { genre: 'invitation', texts, actor, messages: [{ address: email }] } as const;
    return insertMailing(transaction, secrets, mailing, clock());
  };

  return {
    'GET /admins': async () => (await listAdmins(db)).map(shown),
    'POST /admins': async ({ body, ...context }) => {
      const { username, email, password, droits: rights } = body;
      requireRights(context.session, rights);
      if (password === undefined && email === '') throw invalid({ password: REQUIRED }, PASSWORD_LABELS);
      const invitation = password === undefined ? newInvitation() : undefined;
      // Of somebody invited: a password that nobody knows.
      const hash =
        password === undefined
          ? await hashPassword(newToken())
          : await hashGood(services, { password }, username);
      const admin = await database.write(async (transaction) => {
        const factorBefore = await deadlineAt(transaction, config, clock());
        const account = { email, rights, factorBefore, invitation };
        const inserted = await insertAdmin(transaction, username, hash, clock(), account);
        if (invitation) await mailInvitation(transaction, context, inserted);
        await journal(transaction, context, clock(), WATCHED.newAdmin, about(inserted));
        return inserted;
      });
      jobs.wake();
      const message = invitation ? `Invitation envoyée à ${email}` : 'Administrateur ajouté avec succès';
      return { message, ...shown(admin) };
    },
    'PUT /admins/:id': async ({ params, body, ...context }) => {
      // A portal left open must not be enough to take an account over.
      if (body.password !== undefined && params.id === context.session?.adminId) {
        throw invalid(
          { password: 'changez votre propre mot de passe en donnant l’ancien.' },
          PASSWORD_LABELS,
        );
      }
      const before = await getAdmin(db, params.id);
      const name = body.username ?? before.username;
      const invitation = body.inviter && newInvitation();
      const passwordHash = body.password && (await hashGood(services, { password: body.password }, name));
      const admin = await database.write(async (transaction) => {
        const { username, email, droits: rights } = body;
        const all = await holdAdmins(database, transaction);
        requireRights(context.session, [...rightsHeld(all, params.id), ...(rights ?? [])]);
        if (rights) requireFullAdmin(all, params.id, rights);
        const held = all.find(({ id }) => id === params.id);
        if (invitation && !held?.invite_jusqua) throw conflict('Cette personne n’est pas, ou plus, invitée.');
        const change = { username, email, passwordHash, rights, invitation };
        const changed = await updateAdmin(transaction, params.id, change);
        if (invitation) await mailInvitation(transaction, context, changed);
        // What is open on other devices may show what the account no longer may.
        if (rights) await endSessions(transaction, { adminId: params.id }, { except: context.session?.id });
        const action = rights ? WATCHED.rights : 'modification d’un administrateur';
        await journal(transaction, context, clock(), action, about(changed));
        // To the address that it had until now.
        const news = held && newsOf(held, changed, passwordHash !== undefined);
        if (news) await tellChange(services, transaction, held, context, clock(), news);
        return changed;
      });
      jobs.wake();
      const message = invitation
        ? `Nouvelle invitation envoyée à ${admin.email}`
        : 'Administrateur modifié avec succès';
      return { message, ...shown(admin) };
    },
    'DELETE /admins/:id': async ({ params, ...context }) => {
      const isAwaited = await database.write(async (transaction) => {
        const all = await holdAdmins(database, transaction);
        requireRights(context.session, rightsHeld(all, params.id));
        requireFullAdmin(all, params.id, []);
        await deleteAdmin(transaction, params.id);
        await journal(transaction, context, clock(), 'suppression d’un administrateur', about(params));
        return all.some(({ id, invite_jusqua }) => id === params.id && invite_jusqua !== null);
      });
      return { message: isAwaited ? 'Invitation retirée' : 'Administrateur supprimé avec succès' };
    },
    'POST /admins/moi/mot-de-passe': async ({ body, ...context }) => {
      const admin = await requireOwnPassword(services, context, 'ancien', body.ancien);
      const passwordHash = await hashGood(services, { nouveau: body.nouveau }, admin.username);
      await database.write(async (transaction) => {
        await updateAdmin(transaction, admin.id, { passwordHash }, hereOf(context));
        await journal(transaction, context, clock(), 'changement de son mot de passe', about(admin));
        await tellChange(services, transaction, admin, context, clock(), NEW_PASSWORD);
      });
      jobs.wake();
      return { message: 'Mot de passe modifié avec succès' };
    },
  };
}

/** How long, in ms, the link of an invitation opens. */
const INVITATION_MS = 7 * DAY_MS;

const NO_MAILS =
  'Le site n’envoie pas encore d’e-mails\u202f: ajoutez cette personne avec un premier mot de passe, à lui dire de vive voix.';

const NEW_PASSWORD = 'nouveau mot de passe';

/** What has changed of what opens an account, or of where its owner is told so; blank: nothing. */
function newsOf(before: AdminRow, after: AdminRow, hasNewPassword: boolean): string {
  const news = [
    hasNewPassword && NEW_PASSWORD,
    before.username !== after.username && 'nouvel identifiant',
    before.email !== after.email && 'nouvelle adresse e-mail',
  ];
  return news.filter((one) => one !== false).join(', ');
}

const shown = ({ droits, ...admin }: AdminRow) => ({ ...admin, droits: rightsOf(droits) });

function rightsHeld(all: readonly AdminRow[], id: number): Right[] {
  return rightsOf(all.find((admin) => admin.id === id)?.droits ?? null);
}

/**
 * Throws 403 unless whoever asks has all of these rights: nobody gives rights, or takes over an account with rights,
 * beyond their own.
 */
function requireRights(session: Session | undefined, rights: readonly Right[]): void {
  const missing = ALL_RIGHTS.filter((right) => rights.includes(right) && !session?.rights.includes(right));
  if (missing.length === 0) return;
  const names = missing.map((right) => `«\u00a0${RIGHTS[right]}\u00a0»`).join(' et ');
  throw new HttpError(
    403,
    `Vous n’avez pas vous-même le droit ${names}\u202f: demandez à quelqu’un qui l’a.`,
  );
}

/**
 * Throws 409 when nobody would have every right once an admin has only these: a site without such a one would need its
 * operator.
 */
function requireFullAdmin(all: readonly AdminRow[], id: number, rights: readonly Right[]): void {
  const isFull = (held: readonly Right[]) => ALL_RIGHTS.every((right) => held.includes(right));
  if (isFull(rights) || !isFull(rightsHeld(all, id))) return;
  if (all.length === 1 && rights.length === 0)
    throw conflict('Le dernier administrateur ne peut pas être supprimé.');
  // Whoever is invited has not come yet.
  const others = all.filter((admin) => admin.id !== id && admin.invite_jusqua === null);
  if (!others.some(({ droits }) => isFull(rightsOf(droits))))
    throw conflict(
      'Un administrateur au moins garde tous les droits\u202f: donnez-les d’abord à quelqu’un d’autre.',
    );
}

export function about(admin: Pick<AdminRow, 'id'>) {
  return { table: 'admins', id: admin.id };
}

/** Guesses at an account are few, as its owner has a device that it knows. */
export const PORTAL_LANE: Lane = {
  name: 'portail',
  longestWait: LONGEST_WAIT_MS,
  burst: 20,
  everyMs: 1_000,
};

/**
 * Tries of one's own password in ten minutes, from all addresses together: only somebody with an open session gets this
 * far, and whoever is kept waiting by a thief of it signs in anew.
 */
const OWN_TRIED = 20;
const OWN_LIMIT = {
  most: OWN_TRIED,
  refusal: 'Trop d’essais du mot de passe de ce compte\u202f: réessayez dans quelques minutes.',
};

const OWN_LANE: Lane = { ...PORTAL_LANE, name: 'mot-de-passe' };

/**
 * Returns the admin who makes the call, after checking their own password: a portal left open must not be enough to
 * take an account over. Throws 422 for a wrong password, with the message beside `field`.
 */
export async function requireOwnPassword(
  { rateLimits, database }: Services,
  { session, ip }: { session?: { adminId: number | null } | undefined; ip: string },
  field: string,
  typed: string,
): Promise<AdminRow> {
  if (!session?.adminId) throw unauthorized();
  const admin = await getAdmin(database.db, session.adminId);
  await rateLimits.count('mot de passe à soi', String(admin.id), OWN_LIMIT);
  const isRight = await rateLimits.check(
    OWN_LANE,
    { ip, account: String(admin.id), isKnown: true },
    async (rank) => (await verifyPassword(admin.mot_de_passe, typed, rank)) || undefined,
  );
  if (!isRight)
    throw invalid({ [field]: 'ce n’est pas votre mot de passe actuel.' }, { [field]: 'Mot de passe actuel' });
  return admin;
}

/**
 * Creates the first admin of an empty site, from `ADMIN_USERNAME` and `ADMIN_PASSWORD` or with a generated
 * password; returns what to print once. On a site that has an admin, does nothing and does not read these variables.
 */
export async function ensureFirstAdmin(
  services: Services,
): Promise<{ username: string; password: string | undefined } | undefined> {
  const { config, database, clock } = services;
  if ((await listAdmins(database.db)).length > 0) return undefined;
  const generated = config.ADMIN_PASSWORD === undefined ? generatePassword() : undefined;
  const weak =
    config.ADMIN_PASSWORD && (await openPasswordRule())(config.ADMIN_PASSWORD, [config.ADMIN_USERNAME]);
  if (weak) throw new ConfigError(`ADMIN_PASSWORD\u202f: ${weak}`);
  const hash = await hashPassword(config.ADMIN_PASSWORD ?? generated ?? '');
  try {
    await database.write(async (transaction) => {
      const admin = await insertAdmin(transaction, config.ADMIN_USERNAME, hash, clock(), {
        isProvisional: generated !== undefined,
      });
      await journal(transaction, OPERATOR, clock(), FIRST_ADMIN, {
        table: 'admins',
        id: admin.id,
      });
    });
  } catch (error) {
    // Another process, started at the same time with the same name, was faster.
    if (error instanceof HttpError && error.status === 409) return undefined;
    throw error;
  }
  return { username: config.ADMIN_USERNAME, password: generated };
}
