import { journal } from '#features/audit/server/journal.ts';
import { NEW_PASSKEY } from '#features/audit/shared/journal.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import type { Actor } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import { conflict, invalid, notFound, unauthorized } from '#platform/server/errors.ts';
import type { Context, Handlers } from '#platform/server/http/serve.ts';
import { qrOf } from '#platform/server/qr.ts';
import type { Services } from '#platform/server/services.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { about, requireOwnPassword } from './admins.ts';
import { getAdmin, holdAdmin, shutElsewhere, writeFactorBefore } from './adminsStore.ts';
import { hereOf, tellChange } from './devices.ts';
import { deletePasskeys, deleteSecondFactor, writeRecoveryCodes } from './factorsStore.ts';
import { addPasskey, creationOptions } from './passkeys.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  hasFactor,
  newRecoveryCodes,
  readFactors,
  requireFactorLeft,
} from './secondFactor.ts';

/** Each admin manages only their own passkeys, application and recovery codes: nobody else reads or sets them. */
export function ownFactorHandlers(services: Services) {
  const { database, secrets, config, clock, jobs } = services;

  /** Runs a change of an account's own factors in a transaction that others of it wait for; journals it and tells it by mail. */
  async function change<T>(
    context: Actor & Pick<Context<CallKey>, 'session' | 'ip' | 'device' | 'cookie'>,
    action: string,
    work: (transaction: Access, adminId: number, now: Date) => Promise<T>,
  ): Promise<T> {
    const { session } = context;
    if (!session?.adminId) throw unauthorized();
    const { adminId } = session;
    const result = await database.write(async (transaction) => {
      const now = clock();
      await holdAdmin(database, transaction, adminId);
      const result = await work(transaction, adminId, now);
      // Somebody else who knows the password may have one of the others, or have passed what is gone now.
      await shutElsewhere(transaction, adminId, hereOf(context));
      await journal(transaction, context, now, action, about({ id: adminId }));
      await tellChange(services, transaction, await getAdmin(transaction, adminId), context, now, action);
      return result;
    });
    jobs.wake();
    return result;
  }

  /** After a factor went: the recovery codes go with the last one, unless one is compulsory. */
  async function afterRemoval(transaction: Access, adminId: number, now: Date): Promise<void> {
    await requireFactorLeft(transaction, config, adminId, now);
    if (!hasFactor(await readFactors(transaction, adminId)))
      await writeRecoveryCodes(transaction, adminId, []);
  }

  return {
    'GET /admins/moi/second-facteur': async ({ session }) => ({
      ...(await readFactors(database.db, session?.adminId ?? 0)),
      exige_avant: session?.factorBefore ?? null,
    }),
    'POST /admins/moi/second-facteur': async ({ body, ...context }) => {
      const { id, username } = await requireOwnPassword(services, context, 'mot_de_passe', body.mot_de_passe);
      return database.write(async (transaction) => {
        const secret = await beginSecondFactor(transaction, secrets, id);
        return { secret, qr: qrOf(addressOf(secret, username, await nameOfSite(transaction))) };
      });
    },
    'POST /admins/moi/second-facteur/confirmation': async ({ body, ...context }) => {
      const action = 'mise en place de la connexion en deux étapes';
      const codes_secours = await change(context, action, async (transaction, adminId, now) => {
        const codes = await confirmSecondFactor(transaction, secrets, adminId, body.code, now);
        if (!codes) throw invalid({ code: 'ce n’est pas le code que l’application montre.' }, CODE_LABELS);
        await writeFactorBefore(transaction, adminId, null);
        return codes;
      });
      return { message: 'Connexion en deux étapes mise en place', codes_secours };
    },
    'POST /admins/moi/second-facteur/arret': async ({ body, ...context }) => {
      const { id } = await requireOwnPassword(services, context, 'mot_de_passe', body.mot_de_passe);
      const message = 'Connexion en deux étapes arrêtée';
      if ((await readFactors(database.db, id)).actif_le === null) return { message };
      await change(context, 'arrêt de la connexion en deux étapes', async (transaction, adminId, now) => {
        await deleteSecondFactor(transaction, adminId);
        await afterRemoval(transaction, adminId, now);
      });
      return { message };
    },
    'POST /admins/moi/codes-secours': async (context) => {
      const codes_secours = await change(
        context,
        'nouveaux codes de secours',
        async (transaction, adminId) => {
          if (!hasFactor(await readFactors(transaction, adminId)))
            throw conflict('Les codes de secours vont avec une clé d’accès ou la connexion en deux étapes.');
          return newRecoveryCodes(transaction, secrets, adminId);
        },
      );
      return { message: 'Les anciens codes de secours ne valent plus rien.', codes_secours };
    },
    'POST /admins/moi/cles-acces/defi': async ({ session }) => {
      const admin = await getAdmin(database.db, session?.adminId ?? 0);
      return creationOptions(services, database.db, admin, await nameOfSite(database.db), clock());
    },
    'POST /admins/moi/cles-acces': async ({ body, ...context }) => {
      const codes_secours = await change(context, NEW_PASSKEY, async (transaction, adminId, now) => {
        const hadFactor = hasFactor(await readFactors(transaction, adminId));
        await addPasskey(services, transaction, adminId, body, now);
        await writeFactorBefore(transaction, adminId, null);
        return hadFactor ? [] : newRecoveryCodes(transaction, secrets, adminId);
      });
      return { message: 'Clé d’accès ajoutée', codes_secours };
    },
    'DELETE /admins/moi/cles-acces/:id': async ({ params, ...context }) => {
      await change(context, 'suppression d’une clé d’accès', async (transaction, adminId, now) => {
        if ((await deletePasskeys(transaction, adminId, params.id)) === 0)
          throw notFound('Cette clé d’accès n’existe plus.');
        await afterRemoval(transaction, adminId, now);
      });
      return { message: 'Clé d’accès supprimée' };
    },
  } satisfies Partial<Handlers>;

  async function nameOfSite(db: Access): Promise<string> {
    return (await readSettings(db, config)).organisation_nom || 'Passerelle';
  }
}

const CODE_LABELS = { code: 'Code' };

/** The address in the QR code. Other parameters keep their defaults, as not all applications read them. */
function addressOf(secret: string, username: string, site: string): string {
  // A colon separates the two.
  const [issuer, account] = [site.replaceAll(':', ' '), username].map(encodeURIComponent);
  return `otpauth://totp/${issuer}:${account}?secret=${secret}&issuer=${issuer}`;
}
