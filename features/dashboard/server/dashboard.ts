import { journal } from '#features/audit/server/journal.ts';
import { passwordVersion } from '#features/mails/server/compose.ts';
import { listRecipients } from '#features/mails/server/recipientsStore.ts';
import { listReached } from '#features/mails/server/store.ts';
import { countWaitingPhotos } from '#features/photos/server/store.ts';
import { IDENTITY } from '#features/site/calls.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { countConsentsByStay } from '#features/stays/server/familiesStore.ts';
import { photoTimes } from '#features/stays/server/photoTime.ts';
import { getCountedStay, listComingStays, namedOf } from '#features/stays/server/staysStore.ts';
import { PRACTICAL } from '#features/stays/shared/terms.ts';
import type { Check } from '#platform/server/checks/check.ts';
import { isClockTrusted, trustClock } from '#platform/server/clockStore.ts';
import { VERSION } from '#platform/server/config.ts';
import { conflict } from '#platform/server/errors.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import type { Scheduled } from '#platform/server/jobs/schedule.ts';
import { bestRows, type SearchSource } from '#platform/server/search.ts';
import type { Services } from '#platform/server/services.ts';
import { longDay } from '#platform/shared/dates.ts';
import { meantWords } from '#platform/shared/meant.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { dayAt } from '#platform/shared/time.ts';
import type { dashboardCalls, Preparation } from '../calls.ts';
import { listAlerts } from './alerts.ts';
import { listParts, listTroubles } from './health.ts';
import { readBeginning } from './store.ts';

/* The portal's first page: the state of the site, and the preparation of its stays. */

/** `works`: the scheduled works, whose failures the dashboard reports. `checks`: those of the site. */
export function dashboardHandlers(
  services: Services,
  works: readonly Scheduled[],
  checks: readonly Check[],
): Omit<HandlersOf<typeof dashboardCalls>, 'GET /recherche'> {
  const { database, config, clock } = services;
  const startedAt = clock();
  return {
    'GET /tableau-de-bord': async ({ session }) => {
      const settings = await readSettings(database.db, config);
      const names = Object.keys(IDENTITY) as (keyof typeof IDENTITY)[];
      const now = clock();
      const rights = session?.rights ?? [];
      const troubles = await listTroubles(checks);
      return {
        identite_manquante: names.filter((name) => settings[name] === ''),
        demarrage: await readBeginning(database.db, session?.adminId ?? 0),
        alertes: await listAlerts(services, troubles, rights),
        sante: {
          parties: rights.includes('reglages') ? await listParts(services, works, troubles) : [],
          version: VERSION,
          depuis: startedAt.toISOString(),
        },
        horloge:
          !rights.includes('reglages') || (await isClockTrusted(database.db, now))
            ? null
            : dayAt(now, config.TIME_ZONE),
      };
    },
    'GET /preparation': ({ query }) => listPreparation(services, query.stageId),
    'POST /horloge': async ({ body: { jour }, ...context }) => {
      await database.write(async (transaction) => {
        const now = clock();
        const today = dayAt(now, config.TIME_ZONE);
        // The clock was changed, or midnight has passed, since the day was shown.
        if (jour !== today)
          throw conflict(`Le site croit maintenant être le ${longDay(today)}\u202f: vérifiez ce jour.`);
        await trustClock(transaction, now);
        await journal(transaction, context, now, 'confirmation de la date du site');
      });
      return { message: 'Date confirmée\u202f: les effacements reprennent' };
    },
  };
}

/** What each stay has and lacks: those that are not past, the soonest first, or the one of this id; throws 404. */
async function listPreparation(services: Services, stageId: number | undefined): Promise<Preparation[]> {
  const { database, config, clock, secrets } = services;
  const { db } = database;
  const timeOf = await photoTimes(services, db);
  const stays =
    stageId === undefined
      ? await listComingStays(db, dayAt(clock(), config.TIME_ZONE))
      : [await getCountedStay(db, stageId)];
  if (stays.length === 0) return [];
  const ids = stays.map(({ id }) => id);
  const consents = await countConsentsByStay(db, ids);
  const { toCheck, asked } = await countWaitingPhotos(db);
  const codes = {
    stagiaire: await countReached('stagiaire'),
    formateur: await countReached('formateur'),
  };

  /** Addresses by stay, and how many of them have the current password, or a message waiting that brings it. */
  async function countReached(type: PasswordType) {
    const withPassword = stays.filter((stay) => stay[`mdp_${type}`] !== '');
    const versions = withPassword.map((stay) => passwordVersion(secrets, stay, type));
    const all = Map.groupBy(await listRecipients(db, type, ids), (recipient) => recipient.stageId);
    const reached = await listReached(db, type, ids, versions);
    return (id: number) => {
      const own = all.get(id) ?? [];
      return { adresses: own.length, recu: own.filter(({ key }) => reached.has(`${id} ${key}`)).length };
    };
  }

  return stays.map((stay) => {
    const { id, familles, directeurs, photos } = stay;
    const { non = 0, inconnu = 0 } = consents.get(id) ?? {};
    return {
      ...namedOf(stay),
      enfants: familles,
      consentements_inconnus: inconnu,
      consentements_refuses: non,
      directeurs,
      codes: {
        stagiaire: codes.stagiaire(id),
        formateur: codes.formateur(id),
      },
      informations_manquantes: PRACTICAL.filter((name) => stay[name] === ''),
      photos,
      photos_a_verifier: toCheck.get(id) ?? 0,
      photos_demandees: asked.get(id) ?? 0,
      photos_finies: timeOf(stay).isOver,
    };
  });
}

/* The search of the portal, in what all features bring. */

/** `sources`: in the order in which kinds that match equally well are shown. */
export function searchHandlers(
  { database, clock }: Services,
  sources: readonly SearchSource[],
): Pick<HandlersOf<typeof dashboardCalls>, 'GET /recherche'> {
  /**
   * Sessions and kinds of people already recorded: each key typed is a search, and a line for each would drown the
   * journal. Another process, or a restart, records them again.
   */
  const recorded = new Set<string>();
  return {
    'GET /recherche': async ({ query, ...context }) => {
      const { words } = meantWords(query.q);
      if (words.length === 0) return [];
      const isOpen = ({ rights }: SearchSource) =>
        rights.some((right) => context.session?.rights.includes(right));
      const groups = await Promise.all(
        sources.filter(isOpen).map(async ({ genre, people, isTrace, list }) => ({
          people,
          isTrace,
          rows: bestRows(await list(words), words).map(({ also: _also, numero: _numero, ...row }) => ({
            dans_la_corbeille: false,
            ...row,
            genre,
          })),
        })),
      );
      const found = groups.filter(({ rows }) => rows.length > 0);
      const looked = found.flatMap(({ people }) => people ?? []);
      const keyOf = (table: string) => `${context.session?.id} ${table}`;
      const unrecorded = [...new Set(looked)].filter((table) => !recorded.has(keyOf(table)));
      if (unrecorded.length > 0) {
        // At once, as the next key may be searched while the lines are written.
        for (const table of unrecorded) recorded.add(keyOf(table));
        try {
          await database.write(async (transaction) => {
            for (const table of unrecorded)
              await journal(transaction, context, clock(), 'recherche', { table });
          });
        } catch (error) {
          for (const table of unrecorded) recorded.delete(keyOf(table));
          throw error;
        }
      }
      // People before things that match as well: those are looked for most.
      const rank = ({ rows, people, isTrace }: (typeof found)[number]) =>
        (rows[0]?.rank ?? 0) + (people ? 0 : 0.5) + (isTrace ? 10 : 0);
      found.sort((a, b) => rank(a) - rank(b));
      return found.flatMap(({ rows }) => rows.map(({ rank: _rank, ...row }) => row));
    },
  };
}
