import { type Check, type Finding, fail, fine, warn } from '#platform/server/checks/check.ts';
import { isClockTrusted } from '#platform/server/clockStore.ts';
import { type Sealed, WRONG_KEY } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import { findLastInstant } from './store.ts';

/** Checks that hold the facts of several features against one another. */
export function commonChecks(services: Services, sealed: readonly Sealed[]): Check[] {
  return [
    { key: 'horloge', part: 'base', operator: () => checkClock(services) },
    { key: 'cle-secrete', part: 'base', operator: () => checkSealed(services, sealed) },
  ];
}

/** Tolerated difference between clocks, in ms; an instant further ahead was written by a wrong clock. */
const DIFFER_MS = 5 * 60_000;

async function checkClock({ database: { db }, clock }: Services): Promise<Finding> {
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

async function checkSealed(
  { database: { db }, secrets }: Services,
  sealed: readonly Sealed[],
): Promise<Finding> {
  const counts: string[] = [];
  let closed = 0;
  for (const { label, countClosed } of sealed.toSorted((one, other) => one.place - other.place)) {
    const count = await countClosed(db, secrets);
    closed += count;
    counts.push(`${label} ${count}`);
  }
  if (closed === 0) return fine('Clé secrète\u202f: elle ouvre tout ce qui est scellé.');
  return fail(`${WRONG_KEY} Elle n’ouvre pas\u202f: ${counts.join(', ')}.`);
}
