import {
  type AdminRow,
  deleteAdmin,
  getAdmin,
  insertAdmin,
  listAdmins,
  updateAdmin,
} from '#features/accounts/server/admins.ts';
import { hashPassword, whyPasswordWeak } from '#features/accounts/server/passwords.ts';
import { journal } from '#features/audit/server/journal.ts';
import { invalid } from '#platform/server/http/errors.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import { endSessions } from '#platform/server/http/sessions.ts';
import type { Services } from '#platform/server/services.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { requireOwnPassword } from './ownPassword.ts';
import { secondFactorHandlers } from './secondFactor.ts';

type AdminKeys = Extract<CallKey, `${string} /admins${string}`>;

export function adminHandlers(services: Services): Pick<Handlers, AdminKeys> {
  const { database, clock, config } = services;
  const { db } = database;

  async function hashGood(password: string, field: string, username: string): Promise<string> {
    const weak = await whyPasswordWeak(password, [username, config.ORGANISATION_NAME]);
    if (weak) throw invalid({ [field]: weak }, LABELS);
    return hashPassword(password);
  }

  return {
    'GET /admins': async () => listAdmins(db),
    'POST /admins': async ({ body, ...context }) => {
      const hash = await hashGood(body.password, 'password', body.username);
      const admin = await database.write(async (transaction) => {
        const inserted = await insertAdmin(transaction, body.username, hash, clock());
        await journal(transaction, context, clock(), 'création d’un administrateur', about(inserted));
        return inserted;
      });
      return { message: 'Administrateur ajouté avec succès', ...admin };
    },
    'PUT /admins/:id': async ({ params, body, ...context }) => {
      // A portal left open must not be enough to take an account over.
      if (body.password !== undefined && params.id === context.session?.adminId) {
        throw invalid({ password: 'changez votre propre mot de passe en donnant l’ancien.' }, LABELS);
      }
      const before = await getAdmin(db, params.id);
      const name = body.username ?? before.username;
      const passwordHash = body.password && (await hashGood(body.password, 'password', name));
      const admin = await database.write(async (transaction) => {
        const changed = await updateAdmin(transaction, params.id, { username: body.username, passwordHash });
        if (passwordHash) await endSessions(transaction, { adminId: params.id }, context.session?.id);
        await journal(transaction, context, clock(), 'modification d’un administrateur', about(changed));
        return changed;
      });
      return { message: 'Administrateur modifié avec succès', ...admin };
    },
    'DELETE /admins/:id': async ({ params, ...context }) => {
      await database.write(async (transaction) => {
        await deleteAdmin(database, transaction, params.id);
        await journal(transaction, context, clock(), 'suppression d’un administrateur', about(params));
      });
      return { message: 'Administrateur supprimé avec succès' };
    },
    'POST /admins/moi/mot-de-passe': async ({ body, ...context }) => {
      const admin = await requireOwnPassword(services, context, 'ancien', body.ancien);
      const passwordHash = await hashGood(body.nouveau, 'nouveau', admin.username);
      await database.write(async (transaction) => {
        await updateAdmin(transaction, admin.id, { passwordHash });
        await endSessions(transaction, { adminId: admin.id }, context.session?.id);
        await journal(transaction, context, clock(), 'changement de son mot de passe', about(admin));
      });
      return { message: 'Mot de passe modifié avec succès' };
    },
    ...secondFactorHandlers(services),
  };
}

const LABELS = { password: 'Mot de passe', nouveau: 'Nouveau mot de passe' };

function about(admin: Pick<AdminRow, 'id'>) {
  return { table: 'admins', id: admin.id };
}
