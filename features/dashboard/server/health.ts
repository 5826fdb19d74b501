import {
  byPart,
  type Check,
  type Finding,
  fail,
  fine,
  type Part,
  type StaffCheck,
  warn,
} from '#platform/server/checks/check.ts';
import { isClockTrusted } from '#platform/server/clockStore.ts';
import { ALL_SIGN_INS, countLate } from '#platform/server/countsStore.ts';
import { BACKUP, countGivenUp, listSuccesses } from '#platform/server/jobs/jobsStore.ts';
import { INTEGRITY_CHECK, listMissed, type Scheduled } from '#platform/server/jobs/schedule.ts';
import { countWaiting } from '#platform/server/mail/outboxStore.ts';
import { countSent } from '#platform/server/mail/pacingStore.ts';
import { type Sealed, WRONG_KEY } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import { weightOf } from '#platform/shared/bytes.ts';
import { longMoment } from '#platform/shared/dates.ts';
import { wallClock } from '#platform/shared/time.ts';
import type { HealthPart } from '../calls.ts';
import { findLastInstant, sumPhotoBytes } from './store.ts';

/* The parts of the site as the portal shows them: for each a state, facts, and advice. */

const SHOWN_PARTS = {
  base: 'Base de données',
  disque: 'Disque',
  envois: 'E-mails',
  travaux: 'Travaux du site',
  sauvegardes: 'Sauvegardes',
  fichiers: 'Fichiers',
  connexions: 'Connexions',
} as const;
type ShownPart = keyof typeof SHOWN_PARTS;

/** Where the portal shows the troubles of each part; the parts with the most serious ones first. */
const SHOWN_IN: Record<Part, ShownPart> = {
  machine: 'disque',
  base: 'base',
  travaux: 'travaux',
  sauvegardes: 'sauvegardes',
  fichiers: 'fichiers',
  effacements: 'sauvegardes',
  envois: 'envois',
  connexions: 'connexions',
};

/** The checks that staff are told of, the most serious first. */
export function staffChecks(checks: readonly Check[]): StaffCheck[] {
  const told = checks.filter((check): check is StaffCheck => check.staff !== undefined);
  return byPart(told, Object.keys(SHOWN_IN) as Part[]);
}

export type Trouble = StaffCheck & { texte: string };

export async function listTroubles(checks: readonly Check[]): Promise<Trouble[]> {
  const troubles: Trouble[] = [];
  for (const check of staffChecks(checks).filter(({ only }) => only !== 'mail')) {
    const texte = await check.staff();
    if (texte !== undefined) troubles.push({ ...check, texte });
  }
  return troubles;
}

export async function listParts(
  services: Services,
  works: readonly Scheduled[],
  troubles: readonly Trouble[],
): Promise<HealthPart[]> {
  const facts = await readFacts(services, works);
  return (Object.keys(SHOWN_PARTS) as ShownPart[]).map((part) => {
    const own = troubles.filter((trouble) => SHOWN_IN[trouble.part] === part);
    const isUrgent = own.some((trouble) => trouble.isUrgent);
    const others = own.filter((trouble) => !trouble.isUrgent).map(({ texte }) => texte);
    if (part === 'envois' && services.config.SMTP_URL === undefined && !isUrgent) others.unshift(NO_SERVER);
    return {
      nom: SHOWN_PARTS[part],
      etat: isUrgent ? 'traiter' : others.length > 0 ? 'surveiller' : 'bon',
      fait: facts[part],
      // Urgent troubles are told once, at the top of the page.
      conseil: [...(isUrgent ? [ABOVE] : []), ...others].join(' '),
    };
  });
}

/** Nothing is wrong with a site that writes to nobody, nor all well with one that cannot. */
const NO_SERVER =
  'Aucun serveur d’envoi n’est réglé\u202f: les e-mails attendraient dans «\u00a0E-mails envoyés\u00a0». La personne qui héberge le site règle SMTP_URL.';
const ABOVE = 'Ce qu’il faut faire est dit en haut de cette page.';

async function readFacts(
  services: Services,
  works: readonly Scheduled[],
): Promise<Record<ShownPart, string>> {
  const { database, staging, clock, config } = services;
  const now = clock();
  const successes = await listSuccesses(database.db);
  const missed = await listMissed(database.db, works, now);
  const { free, total } = await staging.disk();
  const photos = await sumPhotoBytes(database.db);
  const givenUp = await countGivenUp(database.db, now);
  const waiting = await countWaiting(database.db);
  const sent = await countSent(database.db, now);
  const wrong = await countLate(database.db, ALL_SIGN_INS, now);
  const at = (work: string) => {
    const success = successes.get(work);
    return success && longMoment(wallClock(new Date(success), config.TIME_ZONE));
  };
  const [backup, tidying, checked] = [at(BACKUP), at('balayage'), at(INTEGRITY_CHECK)];
  return {
    base: `${weightOf(await database.size())} (${ENGINES[database.engine]}).`,
    disque: `${weightOf(free)} libres sur ${weightOf(total)}\u202f; les photos des séjours prennent ${weightOf(photos)}.`,
    envois: `${waiting.count} en attente, ${counted(sent, 'parti')} en 24 heures.`,
    travaux: `${works.length - missed.length} travaux réguliers sur ${works.length} aboutissent\u202f; tâches abandonnées\u202f: ${givenUp}.`,
    sauvegardes: backup ? `La dernière date du ${backup}.` : 'Aucune n’est connue du site.',
    fichiers: tidying
      ? `Rangés le ${tidying}${checked ? `, relus le ${checked}` : ''}.`
      : 'Pas encore rangés.',
    connexions: `${counted(wrong, 'mot')} de passe faux dans l’heure.`,
  };
}

/** « 0 mot », « 2 mots ». */
function counted(count: number, noun: string): string {
  return `${count} ${noun}${count > 1 ? 's' : ''}`;
}

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

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
