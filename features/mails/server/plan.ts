import { readSettings } from '#features/site/server/settingsStore.ts';
import type { Stay } from '#features/stays/server/staysStore.ts';
import type { Access, Database } from '#platform/server/db/open.ts';
import { invalid, tooMany } from '#platform/server/http/errors.ts';
import type { Services } from '#platform/server/services.ts';
import type { BodyOf } from '#platform/shared/call.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { codesOpenUntil, passwordMark } from './compose.ts';
import { around, secondsLeft } from './limit.ts';
import { listRecipients, type Recipient } from './recipients.ts';
import { findLastCodes, listReached } from './store.ts';

/** Messages of one mailing, at most. */
const MESSAGES_MAX = 20_000;
/** How long the codes of a stay are not sent to everybody again, in ms. */
const AGAIN_MS = 10 * 60_000;

const LABELS = { stageIds: 'Séjours', stageId: 'Séjour' };

export interface PlannedStay {
  stay: Stay;
  /** How many messages it would be sent. */
  nombre: number;
  /** How many of its addresses have the password that counts now, or are about to. */
  deja: number;
}

/** Whom codes would be sent to. */
export interface Plan {
  stays: PlannedStay[];
  recipients: Recipient[];
}

type Codes = Pick<BodyOf<'POST /stages/envoi-mots-de-passe'>, 'type' | 'stageIds' | 'seulement'>;

/** Whom these codes go to; throws 422 for a stay that there is not, or whose codes open nothing. */
export async function planCodes(
  services: Services,
  transaction: Access,
  { type, stageIds, seulement }: Codes,
): Promise<Plan> {
  const stays = await getOpenStays(services, transaction, type, [...new Set(stageIds)], 'stageIds');
  const marks = stays.map((stay) => passwordMark(services.secrets, stay, type));
  const ids = stays.map(({ id }) => id);
  const all = await listRecipients(transaction, type, ids);
  const reached = await listReached(transaction, type, ids, marks);
  const hasIt = ({ stageId, key }: Recipient) => reached.has(`${stageId} ${key}`);
  const recipients = seulement ? all.filter((recipient) => !hasIt(recipient)) : all;
  if (recipients.length > MESSAGES_MAX) {
    const [found, most] = [recipients.length, MESSAGES_MAX].map((count) => count.toLocaleString('fr'));
    const why = `${found} messages à la fois, c’est trop\u202f: ${most} au plus.`;
    throw invalid({ stageIds: why }, LABELS);
  }
  const counted = countByStay(recipients);
  const countedReached = countByStay(all.filter(hasIt));
  return {
    stays: stays.map((stay) => ({
      stay,
      nombre: counted.get(stay.id) ?? 0,
      deja: countedReached.get(stay.id) ?? 0,
    })),
    recipients,
  };
}

/** The stays, in this order, held until the end of the transaction: of two sendings at once, one comes first. */
export async function getOpenStays(
  services: Services,
  transaction: Access,
  type: PasswordType,
  ids: readonly number[],
  field: keyof typeof LABELS,
): Promise<Stay[]> {
  const settings = await readSettings(transaction, services.config);
  const found = new Map(
    (await holdStays(services.database, transaction, ids)).map((stay) => [stay.id, stay]),
  );
  return ids.map((id) => {
    const stay = found.get(id);
    if (!stay) throw invalid({ [field]: `le séjour n°\u00a0${id} n’existe pas ou n’existe plus.` }, LABELS);
    if (codesOpenUntil(services, settings, stay, type) === undefined) {
      const name = `«\u00a0${stay.nom_stage}\u00a0»`;
      const why = `les photos du séjour ${name} ne sont plus en ligne, ses codes n’ouvrent rien.`;
      throw invalid({ [field]: why }, LABELS);
    }
    return stay;
  });
}

function holdStays(database: Database, transaction: Access, ids: readonly number[]): Promise<Stay[]> {
  return transaction
    .selectFrom('stages')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .modifyEnd(database.rowLock)
    .execute();
}

function countByStay(recipients: readonly Recipient[]): Map<number, number> {
  const counted = new Map<number, number>();
  for (const { stageId } of recipients) counted.set(stageId, (counted.get(stageId) ?? 0) + 1);
  return counted;
}

/**
 * Throws 429 when one of these stays was just sent these codes: a form sent twice must not be two mails for all. `now`
 * is read once the stays are held.
 */
export async function refuseAgain(transaction: Access, { type, stageIds }: Codes, now: Date): Promise<void> {
  const last = await findLastCodes(transaction, type, stageIds, around(now, AGAIN_MS));
  if (!last) return;
  const seconds = secondsLeft(last.created_at, AGAIN_MS, now);
  throw tooMany(
    seconds,
    `Un envoi de ces codes vient de partir pour «\u00a0${last.nom_stage}\u00a0»\u202f: attendez ${Math.ceil(seconds / 60)}\u00a0min, ou n’écrivez qu’aux adresses qui n’ont pas reçu le mot de passe actuel.`,
  );
}

/** Throws 422 when there is nobody to write to. */
export function refuseNobody({ recipients }: Plan, { type, seulement }: Codes): void {
  if (recipients.length > 0) return;
  const nobody =
    type === 'stagiaire'
      ? 'aucune famille n’y a d’adresse e-mail\u202f: ajoutez d’abord les familles.'
      : 'aucun directeur n’y est affecté\u202f: affectez-les d’abord.';
  const why = seulement ? 'personne n’attend ce mot de passe\u202f: rien à envoyer.' : nobody;
  throw invalid({ stageIds: why }, LABELS);
}
