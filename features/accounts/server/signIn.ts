import { journal } from '#features/audit/server/journal.ts';
import { readMeetingPassword, readSettings } from '#features/site/server/settingsStore.ts';
import { HttpError, notFound, unauthorized } from '#platform/server/errors.ts';
import { cookieLine, namedCookieLine } from '#platform/server/http/access.ts';
import { LONGEST_WAIT_MS } from '#platform/server/http/attemptsStore.ts';
import type { Lane } from '#platform/server/http/rateLimits.ts';
import type { Context, HandlersOf } from '#platform/server/http/serve.ts';
import { networkOf } from '#platform/server/networks.ts';
import { sameText } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import {
  endSession,
  endSessionOf,
  LIFETIME,
  listSessions,
  noteProof,
  openSession,
} from '#platform/server/sessionsStore.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { folded } from '#platform/shared/fold.ts';
import type { authCalls, ownSessionCalls, passkeyCalls } from '../calls.ts';
import { about, PORTAL_LANE, requireOwnPassword } from './admins.ts';
import {
  type AdminRow,
  deleteDevice,
  findAdminByName,
  listDevices,
  shutElsewhere,
  writeSignIn,
} from './adminsStore.ts';
import { DEVICE_COOKIE, DEVICE_MS, hereOf, isKnownDevice, noteDevice } from './devices.ts';
import { passPasskey, type SignedChallenge, signInOptions, WrongPasskey } from './passkeys.ts';
import { verifyPassword } from './passwords.ts';
import { hasFactor, type Missing, passSecondFactor, readFactors } from './secondFactor.ts';

type Calls = typeof authCalls &
  typeof ownSessionCalls &
  Pick<
    typeof passkeyCalls,
    'POST /cles-acces/defi' | 'POST /loginAdmin/cle-acces' | 'POST /admins/moi/preuve/cle-acces'
  >;

export function authHandlers(services: Services): HandlersOf<Calls> {
  const { database, rateLimits, secrets, clock, config, jobs } = services;

  /** Opens a session and sets its cookie beside the token. */
  async function signIn(
    context: Context<CallKey>,
    who:
      | { role: 'reader'; password: string }
      | { role: 'admin'; admin: AdminRow; code: string }
      | { role: 'admin'; passkey: SignedChallenge; username: string },
  ) {
    const now = clock();
    const expiresAt = new Date(now.getTime() + LIFETIME[who.role]);
    let deviceCookie: string | undefined;
    const token = await database.write(async (transaction) => {
      if (who.role === 'reader') {
        // The password may have changed since it was compared: the old one no longer opens.
        const { unseen } = await readMeetingPassword(transaction, secrets);
        if (!sameText(unseen, who.password)) throw unauthorized('Mot de passe incorrect');
        await journal(transaction, context, now, 'ouverture des comptes rendus');
        return openSession(transaction, { role: 'reader', from: context }, now, expiresAt);
      }
      const { portail_inactivite_heures: hours } = await readSettings(transaction, config);
      const isByPasskey = 'passkey' in who;
      const admin = isByPasskey ? await passPasskey(services, transaction, who.passkey, now, 401) : who.admin;
      const { id, username } = admin;
      if (isByPasskey && who.username !== '' && folded(who.username) !== folded(username))
        throw new WrongPasskey(401);
      // The password may have changed since it was compared, as above.
      if (!(await writeSignIn(transaction, admin, now))) throw wrongPassword();
      const passed = isByPasskey
        ? 'passkey'
        : pass(await passSecondFactor(transaction, secrets, id, who.code, now), 401);
      const action = `connexion au portail${HOW[passed]}`;
      await journal(transaction, { ip: context.ip, username }, now, action, about(admin));
      deviceCookie = await noteDevice(services, transaction, admin, context, now);
      const opening = { role: 'admin', adminId: id, from: context, idleMinutes: hours * 60 } as const;
      return openSession(transaction, opening, now, expiresAt);
    });
    context.header('set-cookie', cookieLine(services, { role: who.role, stageId: null }, token, expiresAt));
    if (deviceCookie) {
      const until = new Date(now.getTime() + DEVICE_MS);
      context.header('set-cookie', namedCookieLine(services, DEVICE_COOKIE, deviceCookie, until));
      jobs.wake();
    }
    return { token, expiresAt };
  }

  /** Runs what checks the code of an admin whose password was right. Counts the code before; journals a refused one. */
  async function tryCode<T>(ip: string, admin: AdminRow, code: string, work: () => Promise<T>): Promise<T> {
    const isTried = code !== '' && hasFactor(await readFactors(database.db, admin.id));
    if (isTried) await rateLimits.count('code', String(admin.id), CODE_LIMIT);
    try {
      return await work();
    } catch (error) {
      if (error instanceof WrongCode) await noteRefusal(ip, admin);
      throw error;
    }
  }

  async function noteRefusal(ip: string, admin: AdminRow): Promise<void> {
    const { username } = admin;
    await database.write((transaction) =>
      journal(transaction, { ip, username }, clock(), 'code de connexion refusé', about(admin)),
    );
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
      const { token } = await tryCode(context.ip, admin, code, () =>
        signIn(context as Context<CallKey>, { role: 'admin', admin, code }),
      );
      return { tokenAdmin: token, message: 'Connexion réussie. Redirection...' };
    },
    'POST /admins/moi/preuve': async ({ body: { password, code }, ...context }) => {
      const { session } = context;
      if (!session) throw unauthorized();
      const admin = await requireOwnPassword(services, context, 'password', password);
      const { id } = admin;
      await tryCode(context.ip, admin, code, () =>
        database.write(async (transaction) => {
          const now = clock();
          // Not 401, which would tell that the session has ended.
          const passed = pass(await passSecondFactor(transaction, secrets, id, code, now), 422);
          await noteProof(transaction, session.id, now);
          await journal(transaction, context, now, `identité confirmée${HOW[passed]}`, about(admin));
        }),
      );
      return { message: PROVEN };
    },
    'POST /cles-acces/defi': () => signInOptions(services, clock()),
    'POST /loginAdmin/cle-acces': async (context) => {
      await rateLimits.count('clé d’accès', networkOf(context.ip), PASSKEY_LIMIT);
      const { token } = await signIn(context as unknown as Context<CallKey>, {
        role: 'admin',
        passkey: context.body,
        username: context.body.username,
      });
      return { tokenAdmin: token, message: 'Connexion réussie. Redirection...' };
    },
    'POST /admins/moi/preuve/cle-acces': async ({ body, ...context }) => {
      const { session } = context;
      if (!session) throw unauthorized();
      await rateLimits.count('clé d’accès', networkOf(context.ip), PASSKEY_LIMIT);
      await database.write(async (transaction) => {
        const now = clock();
        const admin = await passPasskey(services, transaction, body, now, 422);
        if (admin.id !== session.adminId) throw new WrongPasskey(422);
        await noteProof(transaction, session.id, now);
        await journal(transaction, context, now, `identité confirmée${HOW.passkey}`, about(admin));
      });
      return { message: PROVEN };
    },
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
      await database.write((transaction) => endSession(transaction, session.id));
      context.header('set-cookie', cookieLine(services, session, undefined));
      context.header('clear-site-data', '"cache"');
      return { message: 'Vous êtes déconnecté.' };
    },
    'GET /admins/moi/connexions': async ({ session }) => {
      if (!session?.adminId) throw unauthorized();
      const found = await listSessions(database.db, { adminId: session.adminId }, clock());
      return found.map((one) => ({ ...one, est_celle_ci: one.id === session.id }));
    },
    'DELETE /admins/moi/connexions/:id': async ({ params, ...context }) => {
      const { session } = context;
      if (!session?.adminId) throw unauthorized();
      const owner = { adminId: session.adminId };
      await database.write(async (transaction) => {
        if (!(await endSessionOf(transaction, owner, params.id)))
          throw notFound('Cette connexion a déjà pris fin.');
        await journal(
          transaction,
          context,
          clock(),
          'fin d’une de ses connexions',
          about({ id: owner.adminId }),
        );
      });
      return { message: 'Connexion terminée.' };
    },
    'DELETE /admins/moi/connexions': async (context) => {
      const { adminId } = context.session ?? {};
      if (!adminId) throw unauthorized();
      await database.write(async (transaction) => {
        await shutElsewhere(transaction, adminId, hereOf(context));
        await journal(transaction, context, clock(), 'fin de ses autres connexions', about({ id: adminId }));
      });
      return { message: 'Vos autres connexions ont pris fin.' };
    },
    'GET /admins/moi/appareils': async (context) => {
      const { device } = hereOf(context);
      const found = await listDevices(database.db, context.session?.adminId ?? 0);
      return found.map((one) => ({ ...one, est_celui_ci: one.id === device }));
    },
    'DELETE /admins/moi/appareils/:id': async ({ params, ...context }) => {
      const { adminId } = context.session ?? {};
      if (!adminId) throw unauthorized();
      await database.write(async (transaction) => {
        if (!(await deleteDevice(transaction, adminId, params.id)))
          throw notFound('Cet appareil est déjà oublié.');
        await journal(transaction, context, clock(), 'oubli d’un de ses appareils', about({ id: adminId }));
      });
      return { message: 'Appareil oublié.' };
    },
    'POST /documents/acces': async (context) => {
      const { password } = context.body;
      const isRight = await rateLimits.check(MINUTES_LANE, { ip: context.ip }, async () => {
        const { unseen } = await readMeetingPassword(database.db, secrets);
        return sameText(unseen, password) || undefined;
      });
      if (!isRight) throw unauthorized('Mot de passe incorrect');
      const { token, expiresAt } = await signIn(context as unknown as Context<CallKey>, {
        role: 'reader',
        password,
      });
      return { token, message: 'Accès ouvert.', expire_le: expiresAt.toISOString() };
    },
  };
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

const PROVEN = 'Vous avez confirmé que c’est vous.';

/** How somebody passed, as the journal says it. */
const HOW = {
  password: '',
  code: '',
  recovery: ' avec un code de secours',
  passkey: ' avec une clé d’accès',
};

/** Returns how the second factor was passed. Throws, with `status`, when a code is missing or wrong. */
function pass<T extends string>(passed: T | Missing | undefined, status: number): Exclude<T, Missing> {
  if (passed === undefined) throw new WrongCode(status);
  if (passed === 'code-missing')
    throw codeWanted(status, 'code', 'Donnez aussi le code que votre application montre.');
  if (passed === 'recovery-missing')
    throw codeWanted(
      status,
      'secours',
      'Ce compte s’ouvre avec une clé d’accès\u202f; sans elle, donnez aussi un de vos codes de secours.',
    );
  return passed as Exclude<T, Missing>;
}

/** `etape`: what was given was right; it goes on with a code of this kind, sent together with it. */
const codeWanted = (status: number, etape: 'code' | 'secours', text: string) =>
  new HttpError(status, text, { extra: { etape } });

class WrongCode extends HttpError {
  constructor(status: number) {
    super(status, 'Ce code est incorrect, périmé ou déjà utilisé.', { extra: { etape: 'code' } });
  }
}

const wrongPassword = () => unauthorized('Identifiant ou mot de passe incorrect.');
