import { openSecret } from '#features/accounts/server/secondFactor.ts';
import { listSealedFactors } from '#features/accounts/server/secondFactorStore.ts';
import { listSealedMailings } from '#features/mails/server/store.ts';
import { hasMeetingPassword, readMeetingPassword, WRONG_KEY } from '#features/site/server/settingsStore.ts';
import { listSealedStays, openStayPassword } from '#features/stays/server/staysStore.ts';
import { type Check, type Finding, fail, fine, warn } from '#platform/server/checks/check.ts';
import { isClockTrusted } from '#platform/server/clock.ts';
import { openTexts } from '#platform/server/mail/outbox.ts';
import type { Services } from '#platform/server/services.ts';
import { PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { findLastInstant } from './store.ts';

/** Checks that hold the facts of several features against one another. */
export function commonChecks(services: Pick<Services, 'database' | 'clock' | 'secrets'>): Check[] {
  return [
    { key: 'horloge', part: 'base', operator: () => checkClock(services) },
    { key: 'cle-secrete', part: 'base', operator: () => checkSealed(services) },
  ];
}

/** Tolerated difference between clocks, in ms; an instant further ahead was written by a wrong clock. */
const DIFFER_MS = 5 * 60_000;

async function checkClock({
  database: { db },
  clock,
}: Pick<Services, 'database' | 'clock'>): Promise<Finding> {
  const now = clock();
  const last = await findLastInstant(db);
  if (last !== null && Date.parse(last) > now.getTime() + DIFFER_MS)
    return fail(
      `Horloge\u202f: la base de données a déjà vu le ${last}, et cette machine dit ${now.toISOString()}. Mettez-la à l’heure.`,
    );
  if (!(await isClockTrusted(db, now)))
    return warn(
      'Horloge\u202f: plus de 40 jours sans travail du site, ou l’horloge a sauté. Confirmez la date sur la première page du portail.',
    );
  return fine('Horloge\u202f: elle suit les derniers instants de la base de données.');
}

const TYPES = Object.keys(PASSWORD_TYPES) as PasswordType[];

/** Checks that the secret key opens everything that is sealed. */
async function checkSealed({
  database: { db },
  secrets,
}: Pick<Services, 'database' | 'secrets'>): Promise<Finding> {
  const minutes = (await hasMeetingPassword(db)) ? [db] : [];
  const closed = [
    await countClosed(minutes, () => readMeetingPassword(db, secrets)),
    await countClosed(await listSealedStays(db), (stay) =>
      TYPES.map((type) => openStayPassword(secrets, stay, type)),
    ),
    await countClosed(await listSealedMailings(db), (mailing) => openTexts(secrets, mailing)),
    await countClosed(await listSealedFactors(db), (factor) => openSecret(secrets, factor)),
  ] as const;
  if (closed.every((count) => count === 0))
    return fine('Clé secrète\u202f: elle ouvre tout ce qui est scellé.');
  return fail(
    `${WRONG_KEY} Elle n’ouvre pas\u202f: mot de passe des comptes rendus ${closed[0]}, séjours ${closed[1]}, envois ${closed[2]}, secondes étapes ${closed[3]}.`,
  );
}

/** Counts what `open` throws on. */
async function countClosed<T>(sealed: readonly T[], open: (one: T) => unknown): Promise<number> {
  let count = 0;
  for (const one of sealed) {
    try {
      await open(one);
    } catch {
      count++;
    }
  }
  return count;
}
