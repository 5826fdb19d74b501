import type { CallKey } from '../../../shared/api.ts';
import { type AdminRow, deleteAdmin, getAdmin, insertAdmin, listAdmins, updateAdmin } from '../../admins.ts';
import { invalid, unauthorized } from '../../http/errors.ts';
import type { Handlers } from '../../http/serve.ts';
import { endSessions } from '../../http/sessions.ts';
import { journal } from '../../journal.ts';
import { hashPassword, verifyPassword, whyPasswordWeak } from '../../passwords.ts';
import type { Services } from '../../services.ts';

type AdminKeys = Extract<CallKey, `${string} /admins${string}` | `${string} /journal`>;

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
      const { adminId } = context.session ?? {};
      if (!adminId) throw unauthorized();
      const admin = await getAdmin(db, adminId);
      const isRight = await services.attempts.check(
        'mot-de-passe',
        context.ip,
        String(adminId),
        async () => (await verifyPassword(admin.mot_de_passe, body.ancien)) || undefined,
      );
      if (!isRight) throw invalid({ ancien: 'ce n’est pas votre mot de passe actuel.' }, LABELS);
      const passwordHash = await hashGood(body.nouveau, 'nouveau', admin.username);
      await database.write(async (transaction) => {
        await updateAdmin(transaction, adminId, { passwordHash });
        await endSessions(transaction, { adminId }, context.session?.id);
        await journal(transaction, context, clock(), 'changement de son mot de passe', about(admin));
      });
      return { message: 'Mot de passe modifié avec succès' };
    },
    'GET /journal': async ({ query }) => {
      const rows = await db
        .selectFrom('journal')
        .selectAll()
        .$if(query.avant !== undefined, (select) => select.where('id', '<', query.avant as number))
        .orderBy('id', 'desc')
        .limit(query.limite + 1)
        .execute();
      const entrees = rows.slice(0, query.limite);
      return { entrees, suite: rows.length > query.limite ? (entrees.at(-1)?.id ?? null) : null };
    },
  };
}

const LABELS = { password: 'Mot de passe', ancien: 'Mot de passe actuel', nouveau: 'Nouveau mot de passe' };

function about(admin: Pick<AdminRow, 'id'>) {
  return { table: 'admins', id: admin.id };
}
