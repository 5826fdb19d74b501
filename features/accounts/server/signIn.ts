import { journal } from '#features/audit/server/journal.ts';
import { readMeetingPassword, readSettings } from '#features/site/server/settingsStore.ts';
import type { Actor } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import { unauthorized } from '#platform/server/errors.ts';
import { cookieLine, namedCookieLine } from '#platform/server/http/access.ts';
import { LONGEST_WAIT_MS } from '#platform/server/http/attemptsStore.ts';
import type { Lane } from '#platform/server/http/rateLimits.ts';
import type { Context, Handlers } from '#platform/server/http/serve.ts';
import { networkOf } from '#platform/server/networks.ts';
import { sameText } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import { endSession, LIFETIME, noteProof, openSession } from '#platform/server/sessionsStore.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { folded } from '#platform/shared/fold.ts';
import { about, PORTAL_LANE, requireOwnPassword } from './admins.ts';
import {
  type AdminRow,
  findAdminByName,
  findInvited,
  holdAdmins,
  updateAdmin,
  writeFactorBefore,
  writeSignIn,
} from './adminsStore.ts';
import { DEVICE_COOKIE, DEVICE_MS, isKnownDevice, noteDevice } from './devices.ts';
import { passPasskey, signInOptions, WrongPasskey } from './passkeys.ts';
import { hashGood, verifyPassword } from './passwords.ts';
import { deadlineAt, hasFactor, passSecondFactor, readFactors, WrongCode } from './secondFactor.ts';

type Visit = Actor & Pick<Context<CallKey>, 'device' | 'cookie' | 'session' | 'header' | 'ip'>;

/** Tells whose account it is, and how they showed it. */
type Proof = (transaction: Access, now: Date) => Promise<{ admin: AdminRow; how: keyof typeof HOW }>;

/** Sign-ins to the portal, and new proofs of who one is: by a password, with a code where the account asks for one, or by a passkey. */
export function signInHandlers(services: Services) {
  const { database, rateLimits, secrets, clock, config, jobs } = services;

  /** Opens the portal once `prove` has told, in the same transaction, whose account it is and how they showed it. */
  async function open(context: Visit, prove: Proof) {
    const now = clock();
    const end = new Date(now.getTime() + LIFETIME.admin);
    const { token, device } = await database.write(async (transaction) => {
      const { portail_inactivite_heures: hours } = await readSettings(transaction, config);
      const { admin, how } = await prove(transaction, now);
      const { id, username } = admin;
      await journal(
        transaction,
        { ip: context.ip, username },
        now,
        `connexion au portail${HOW[how]}`,
        about(admin),
      );
      const device = await noteDevice(services, transaction, admin, context, now);
      const opening = { role: 'admin', adminId: id, from: context, idleMinutes: hours * 60 } as const;
      return { token: await openSession(transaction, opening, now, end), device };
    });
    context.header('set-cookie', cookieLine(services, { role: 'admin', stageId: null }, token, end));
    const until = new Date(now.getTime() + DEVICE_MS);
    context.header('set-cookie', namedCookieLine(services, DEVICE_COOKIE, device, until));
    jobs.wake();
    return { tokenAdmin: token, message: 'Connexion réussie. Redirection...' };
  }

  /** Records the session of a call as that of somebody who has just shown that it is theirs. */
  async function noteProven(context: Pick<Visit, 'session' | 'ip'>, prove: Proof) {
    const { session } = context;
    if (!session) throw unauthorized();
    await database.write(async (transaction) => {
      const now = clock();
      const { admin, how } = await prove(transaction, now);
      await noteProof(transaction, session.id, now);
      await journal(transaction, context, now, `identité confirmée${HOW[how]}`, about(admin));
    });
    return { message: 'Vous avez confirmé que c’est vous.' };
  }

  /** Runs what checks the code of an admin whose password was right. Counts the code before; journals a refused one. */
  async function tryCode<T>(ip: string, admin: AdminRow, code: string, work: () => Promise<T>): Promise<T> {
    const isTried = code !== '' && hasFactor(await readFactors(database.db, admin.id));
    if (isTried) await rateLimits.count('code', String(admin.id), CODE_LIMIT);
    try {
      return await work();
    } catch (error) {
      const who = { ip, username: admin.username };
      if (error instanceof WrongCode)
        await database.write((transaction) =>
          journal(transaction, who, clock(), 'code de connexion refusé', about(admin)),
        );
      throw error;
    }
  }

  return {
    'POST /loginAdmin': async (context) => {
      const { username, password, code } = context.body;
      const named = await findAdminByName(database.db, username);
      // As long for a name that does not exist.
      const isKnown = await isKnownDevice(database.db, named?.id ?? 0, context);
      const attempt = { ip: context.ip, account: username, isKnown };
      const admin = await rateLimits.check(PORTAL_LANE, attempt, async (rank) => {
        // Read again: it may have changed while its check waited.
        const found = await findAdminByName(database.db, username);
        const isRight = await verifyPassword(found?.mot_de_passe, password, rank);
        return isRight ? found : undefined;
      });
      // Same message and same time whether the name or the password is wrong, so that neither is revealed.
      if (!admin) throw wrongPassword();
      return tryCode(context.ip, admin, code, () =>
        open(context, async (transaction, now) => {
          // The password may have changed since it was compared: the old one no longer opens.
          if (!(await writeSignIn(transaction, admin, now))) throw wrongPassword();
          return { admin, how: await passSecondFactor(transaction, secrets, admin.id, code, now, 401) };
        }),
      );
    },
    'POST /loginAdmin/cle-acces': async (context) => {
      const { body, ip } = context;
      await rateLimits.count('clé d’accès', networkOf(ip), PASSKEY_LIMIT);
      return open(context, async (transaction, now) => {
        const admin = await passPasskey(services, transaction, body, now, 401);
        if (body.username !== '' && folded(body.username) !== folded(admin.username))
          throw new WrongPasskey(401);
        await writeSignIn(transaction, admin, now);
        return { admin, how: 'passkey' };
      });
    },
    'POST /admins/invitation': async (context) => {
      const { jeton, password } = context.body;
      const find = async (db: Access, now: Date) => {
        const invited = await findInvited(db, jeton, now);
        if (!invited) throw unauthorized(NOT_INVITED);
        return invited;
      };
      const { username } = await find(database.db, clock());
      const passwordHash = await hashGood(services, { password }, username);
      return open(context, async (transaction, now) => {
        // Again under the lock: it may have been used, sent again or withdrawn meanwhile.
        await holdAdmins(database, transaction);
        const { id } = await find(transaction, now);
        const admin = await updateAdmin(transaction, id, { passwordHash });
        await writeSignIn(transaction, admin, now);
        // The time for a second factor begins only now.
        await writeFactorBefore(transaction, id, await deadlineAt(transaction, config, now));
        return { admin, how: 'invitation' };
      });
    },
    'POST /cles-acces/defi': () => signInOptions(services, clock()),
    // Not 401, which would tell that the session has ended.
    'POST /admins/moi/preuve': async ({ body: { password, code }, ...context }) => {
      const admin = await requireOwnPassword(services, context, 'password', password);
      return tryCode(context.ip, admin, code, () =>
        noteProven(context, async (transaction, now) => ({
          admin,
          how: await passSecondFactor(transaction, secrets, admin.id, code, now, 422),
        })),
      );
    },
    'POST /admins/moi/preuve/cle-acces': async ({ body, ...context }) => {
      await rateLimits.count('clé d’accès', networkOf(context.ip), PASSKEY_LIMIT);
      return noteProven(context, async (transaction, now) => {
        const admin = await passPasskey(services, transaction, body, now, 422);
        if (admin.id !== context.session?.adminId) throw new WrongPasskey(422);
        return { admin, how: 'passkey' };
      });
    },
  } satisfies Partial<Handlers>;
}

export function sessionHandlers(services: Services) {
  return {
    'GET /verifyToken': async ({ session }) => ({
      message: 'Jeton valable.',
      username: session?.username ?? '',
      expire_le: session?.expiresAt ?? '',
      droits: [...(session?.rights ?? [])],
      facteur_avant: session?.factorBefore ?? null,
    }),
    'GET /session': async ({ session }) => {
      if (!session) throw unauthorized();
      const { role, username, stageId, expiresAt, rights } = session;
      return { role, username, stageId, expire_le: expiresAt, droits: [...rights] };
    },
    'POST /auth/logout': async (context) => {
      const { session } = context;
      if (!session) throw unauthorized();
      await services.database.write((transaction) => endSession(transaction, session.id));
      context.header('set-cookie', cookieLine(services, session, undefined));
      context.header('clear-site-data', '"cache"');
      return { message: 'Vous êtes déconnecté.' };
    },
  } satisfies Partial<Handlers>;
}

export function readerHandlers(services: Services) {
  const { database, rateLimits, secrets, clock } = services;
  const isRight = async (db: Access, password: string) =>
    sameText((await readMeetingPassword(db, secrets)).unseen, password);
  return {
    'POST /documents/acces': async (context) => {
      const { password } = context.body;
      const isOpen = await rateLimits.check(
        MINUTES_LANE,
        { ip: context.ip },
        async () => (await isRight(database.db, password)) || undefined,
      );
      if (!isOpen) throw wrongMeetingPassword();
      const now = clock();
      const end = new Date(now.getTime() + LIFETIME.reader);
      const token = await database.write(async (transaction) => {
        // It may have changed since it was compared: the old one no longer opens.
        if (!(await isRight(transaction, password))) throw wrongMeetingPassword();
        await journal(transaction, context, now, 'ouverture des comptes rendus');
        return openSession(transaction, { role: 'reader', from: context }, now, end);
      });
      context.header('set-cookie', cookieLine(services, { role: 'reader', stageId: null }, token, end));
      return { token, message: 'Accès ouvert.', expire_le: end.toISOString() };
    },
  } satisfies Partial<Handlers>;
}

/**
 * Codes that may be tried for one account in ten minutes, from all addresses together. Three of a million codes are
 * valid, so guessing one takes months, and each attempt is in the journal. Only someone with the password gets this
 * far, so nobody else can lock the account out.
 */
const CODES_TRIED = 10;
const CODE_LIMIT = {
  most: CODES_TRIED,
  refusal: 'Trop de codes ont été essayés pour ce compte\u202f: réessayez dans quelques minutes.',
};

/** The password of the minutes, which a whole office may mistype. */
const MINUTES_LANE: Lane = {
  name: 'comptes-rendus',
  longestWait: LONGEST_WAIT_MS,
  burst: 100,
  everyMs: 100,
};

/** Passkeys that one address may try in ten minutes. They cannot be guessed: only the work of checking them is limited. */
const PASSKEY_LIMIT = {
  most: 60,
  refusal: 'Trop d’essais de clés d’accès\u202f: réessayez dans quelques minutes.',
};

/** How somebody passed, as the journal says it. */
const HOW = {
  password: '',
  code: '',
  recovery: ' avec un code de secours',
  passkey: ' avec une clé d’accès',
  invitation: ' par une invitation',
};

const NOT_INVITED =
  'Ce lien n’ouvre plus rien\u202f: demandez à la personne qui vous a invité de l’envoyer de nouveau.';

const wrongPassword = () => unauthorized('Identifiant ou mot de passe incorrect.');

const wrongMeetingPassword = () => unauthorized('Mot de passe incorrect');
