import { type AdminRow, getAdmin } from '#features/accounts/server/admins.ts';
import { verifyPassword } from '#features/accounts/server/passwords.ts';
import { invalid, unauthorized } from '#platform/server/http/errors.ts';
import type { Services } from '#platform/server/services.ts';

/**
 * The admin who asks, once their own password was typed as well: a portal left open must not be enough to take an
 * account over. Throws 422 for a wrong one, which is said beside `field`.
 */
export async function requireOwnPassword(
  { attempts, database }: Services,
  { session, ip }: { session?: { adminId: number | null } | undefined; ip: string },
  field: string,
  typed: string,
): Promise<AdminRow> {
  if (!session?.adminId) throw unauthorized();
  const admin = await getAdmin(database.db, session.adminId);
  const isRight = await attempts.check(
    'mot-de-passe',
    ip,
    String(admin.id),
    async () => (await verifyPassword(admin.mot_de_passe, typed)) || undefined,
  );
  if (!isRight)
    throw invalid({ [field]: 'ce n’est pas votre mot de passe actuel.' }, { [field]: 'Mot de passe actuel' });
  return admin;
}
