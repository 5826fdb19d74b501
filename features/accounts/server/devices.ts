import { z } from 'zod';
import { journal } from '#features/audit/server/journal.ts';
import { alertAddresses } from '#features/site/server/settingsStore.ts';
import { type Actor, SITE } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import { notFound, unauthorized } from '#platform/server/errors.ts';
import type { Context, Handlers } from '#platform/server/http/serve.ts';
import { insertMailing } from '#platform/server/mail/outboxStore.ts';
import { shortened } from '#platform/server/networks.ts';
import type { Services } from '#platform/server/services.ts';
import { endSessionOf, isToken, listSessions, newToken, tokenHash } from '#platform/server/sessionsStore.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { longMoment } from '#platform/shared/dates.ts';
import { DAY_MS, wallClock } from '#platform/shared/time.ts';
import {
  type AdminRow,
  deleteDevice,
  type Here,
  hasDevice,
  listDevices,
  putDevice,
  shutElsewhere,
} from './adminsStore.ts';

/*
 * The devices that an account of the portal knows: a cookie of each, of which the database has the hash. A sign-in from
 * another one is told by mail, as it may be somebody else's, and so is a change of what opens the account. Whoever knows
 * the password may have made theirs known: a new one forgets them (`updateAdmin`).
 */

/** Name, without prefix, of the cookie that a device keeps, whoever signs in on it. */
export const DEVICE_COOKIE = 'passerelle_appareil';
/** How long, in ms, a device that is not used stays known; browsers keep no cookie longer. */
export const DEVICE_MS = 400 * DAY_MS;

const plainAddress = z.email();

type SignIn = Pick<Context<CallKey>, 'ip' | 'device' | 'cookie'>;
type Asking = Pick<Context<CallKey>, 'session' | 'cookie'>;

/**
 * Notes the device of a sign-in, in its transaction, and writes the mail about one that the account does not know, unless
 * it is the account's first sign-in. Returns the cookie that the device is to keep.
 */
export async function noteDevice(
  services: Services,
  transaction: Access,
  admin: AdminRow,
  signIn: SignIn,
  now: Date,
): Promise<string> {
  const value = tokenIn(signIn) ?? newToken();
  const use = { vu_le: now.toISOString(), appareil: signIn.device, reseau: shortened(signIn.ip) };
  const isNew = await putDevice(transaction, admin.id, tokenHash(value), use);
  if (isNew && admin.vu_le !== null)
    await tellOwner(services, transaction, admin, signIn, now, {
      objet: `Nouvelle connexion au compte ${admin.username}`,
      what: `Le compte «\u00a0${admin.username}\u00a0» du portail vient d’être ouvert sur un appareil qu’il ne connaissait pas\u202f:`,
      otherwise: 'les autres connexions du compte prendront fin.',
    });
  return value;
}

export async function isKnownDevice(db: Access, adminId: number, context: Asking): Promise<boolean> {
  const { device } = hereOf(context);
  return device !== undefined && (await hasDevice(db, adminId, device));
}

export function hereOf({ session, cookie }: Asking): Here {
  const value = tokenIn({ cookie });
  return { sessionId: session?.id, device: value && tokenHash(value) };
}

function tokenIn({ cookie }: Pick<SignIn, 'cookie'>): string | undefined {
  const value = cookie(DEVICE_COOKIE);
  return value !== undefined && isToken(value) ? value : undefined;
}

/** Writes the mail about a change of what opens an account: a thief of an open session would begin with it. */
export function tellChange(
  services: Services,
  transaction: Access,
  admin: AdminRow,
  from: Pick<SignIn, 'ip' | 'device'>,
  now: Date,
  action: string,
): Promise<void> {
  return tellOwner(services, transaction, admin, from, now, {
    objet: `Compte ${admin.username}\u202f: ${action}`,
    what: `Ce qui ouvre le compte «\u00a0${admin.username}\u00a0» du portail a changé (${action})\u202f:`,
    otherwise: 'retirez ensuite dans «\u00a0Mon compte\u00a0» ce que vous ne reconnaissez pas.',
  });
}

/**
 * Writes a mail to the owner of an account, or to who runs the site where the account has no address. `otherwise` goes on
 * with what to do beside changing the password, when it was somebody else.
 */
async function tellOwner(
  { config, secrets, publicUrl }: Services,
  transaction: Access,
  { username, email }: AdminRow,
  { device, ip }: Pick<SignIn, 'ip' | 'device'>,
  now: Date,
  { objet, what, otherwise }: Record<'objet' | 'what' | 'otherwise', string>,
): Promise<void> {
  if (config.SMTP_URL === undefined) return;
  const own = [email, username].find((one) => plainAddress.safeParse(one).success);
  const addresses = own ? [own] : await alertAddresses({ config }, transaction);
  if (addresses.length === 0) return;
  const when = longMoment(wallClock(now, config.TIME_ZONE));
  const texte = [
    what,
    `– ${device || 'appareil inconnu'}\n– depuis le réseau ${shortened(ip)}\n– le ${when}`,
    `Si c’était vous, il n’y a rien à faire. Sinon, changez tout de suite votre mot de passe\u202f: ${otherwise}`,
    `${publicUrl}/portail?panneau=compte`,
  ].join('\n\n');
  const messages = addresses.map((address) => ({ address }));
  const texts = { objet, texte };
  await insertMailing(transaction, secrets, { genre: 'connexion', texts, actor: SITE, messages }, now);
}

/** What everybody does with the sign-ins and the devices of their own account. */
export function placeHandlers({ database, clock }: Services) {
  async function change(
    context: Actor & Pick<Context<CallKey>, 'session'>,
    action: string,
    work: (transaction: Access, adminId: number) => Promise<void>,
  ): Promise<void> {
    const { adminId } = context.session ?? {};
    if (!adminId) throw unauthorized();
    await database.write(async (transaction) => {
      await work(transaction, adminId);
      await journal(transaction, context, clock(), action, { table: 'admins', id: adminId });
    });
  }

  return {
    'GET /admins/moi/connexions': async ({ session }) => {
      if (!session?.adminId) throw unauthorized();
      const found = await listSessions(database.db, { adminId: session.adminId }, clock());
      return found.map((one) => ({ ...one, est_celle_ci: one.id === session.id }));
    },
    'DELETE /admins/moi/connexions/:id': async ({ params, ...context }) => {
      await change(context, 'fin d’une de ses connexions', async (transaction, adminId) => {
        if (!(await endSessionOf(transaction, { adminId }, params.id)))
          throw notFound('Cette connexion a déjà pris fin.');
      });
      return { message: 'Connexion terminée.' };
    },
    'DELETE /admins/moi/connexions': async (context) => {
      await change(context, 'fin de ses autres connexions', (transaction, adminId) =>
        shutElsewhere(transaction, adminId, hereOf(context)),
      );
      return { message: 'Vos autres connexions ont pris fin.' };
    },
    'GET /admins/moi/appareils': async (context) => {
      const { device } = hereOf(context);
      const found = await listDevices(database.db, context.session?.adminId ?? 0);
      return found.map((one) => ({ ...one, est_celui_ci: one.id === device }));
    },
    'DELETE /admins/moi/appareils/:id': async ({ params, ...context }) => {
      await change(context, 'oubli d’un de ses appareils', async (transaction, adminId) => {
        if (!(await deleteDevice(transaction, adminId, params.id)))
          throw notFound('Cet appareil est déjà oublié.');
      });
      return { message: 'Appareil oublié.' };
    },
  } satisfies Partial<Handlers>;
}
