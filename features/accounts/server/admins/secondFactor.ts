import {
  beginSecondFactor,
  confirmSecondFactor,
  deleteSecondFactor,
  findSecondFactor,
} from '#features/accounts/server/secondFactor.ts';
import { journal } from '#features/audit/server/journal.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { invalid, unauthorized } from '#platform/server/http/errors.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import { endSessions } from '#platform/server/http/sessions.ts';
import { qrOf } from '#platform/server/qr.ts';
import type { Services } from '#platform/server/services.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { requireOwnPassword } from './ownPassword.ts';

type Keys = Extract<CallKey, `${string} /admins/moi/second-facteur${string}`>;

/** Everybody decides for their own account: nobody else reads the secret or sets it. */
export function secondFactorHandlers(services: Services): Pick<Handlers, Keys> {
  const { database, secrets, config, clock } = services;
  return {
    'GET /admins/moi/second-facteur': async ({ session }) => {
      const found = await findSecondFactor(database.db, session?.adminId ?? 0);
      return found ?? { actif_le: null, codes_restants: 0 };
    },
    'POST /admins/moi/second-facteur': async ({ body, ...context }) => {
      const { id, username } = await requireOwnPassword(services, context, 'mot_de_passe', body.mot_de_passe);
      return database.write(async (transaction) => {
        const secret = await beginSecondFactor(transaction, secrets, id);
        const { organisation_nom } = await readSettings(transaction, config);
        return { secret, qr: qrOf(addressOf(secret, username, organisation_nom || 'Passerelle')) };
      });
    },
    'POST /admins/moi/second-facteur/confirmation': async ({ body, ...context }) => {
      const { session } = context;
      if (!session?.adminId) throw unauthorized();
      const { adminId } = session;
      const codes_secours = await database.write(async (transaction) => {
        const now = clock();
        const codes = await confirmSecondFactor(transaction, secrets, adminId, body.code, now);
        if (!codes) throw invalid({ code: 'ce n’est pas le code que l’application montre.' }, LABELS);
        // Whoever else knows the password may be among them.
        await endSessions(transaction, { adminId }, session.id);
        const about = { table: 'admins', id: adminId };
        await journal(transaction, context, now, 'mise en place de la connexion en deux étapes', about);
        return codes;
      });
      return { message: 'Connexion en deux étapes mise en place', codes_secours };
    },
    'POST /admins/moi/second-facteur/arret': async ({ body, ...context }) => {
      const { id } = await requireOwnPassword(services, context, 'mot_de_passe', body.mot_de_passe);
      await database.write(async (transaction) => {
        if (!(await deleteSecondFactor(transaction, id))) return;
        const about = { table: 'admins', id };
        await journal(transaction, context, clock(), 'arrêt de la connexion en deux étapes', about);
      });
      return { message: 'Connexion en deux étapes arrêtée' };
    },
  };
}

const LABELS = { code: 'Code' };

/** What applications read in the QR code; their other values are the usual ones, and not all of them read these. */
function addressOf(secret: string, username: string, site: string): string {
  // A colon parts the two.
  const [issuer, account] = [site.replaceAll(':', ' '), username].map(encodeURIComponent);
  return `otpauth://totp/${issuer}:${account}?secret=${secret}&issuer=${issuer}`;
}
