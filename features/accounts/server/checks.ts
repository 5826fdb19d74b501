import { listLateActs, readTold } from '#features/audit/server/store.ts';
import { FIRST_ADMIN, JOURNAL_DAYS, NEW_PASSKEY, WATCHED } from '#features/audit/shared/journal.ts';
import { ARCHIVES, overspent, REFUSALS, REFUSALS_MANY } from '#platform/server/budgets.ts';
import { type Check, COMMANDS, fail, fine, listed } from '#platform/server/checks/check.ts';
import { ALL_SIGN_INS, listSpikes, type Spike } from '#platform/server/countsStore.ts';
import type { Services } from '#platform/server/services.ts';
import { listStaysOfSessions } from '#platform/server/sessionsStore.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { PORTAL_LANE } from './admins.ts';
import { listAdmins } from './adminsStore.ts';
import { listAllPasskeys } from './factorsStore.ts';

export const STAY_SIGN_IN = 'sejour';

/** Wrong passwords in an hour, on the whole site and for one account, that exceed what a whole summer camp mistypes. */
const WRONG_OF_ALL = 500;
const WRONG_OF_ONE = 100;

/** Wrong passwords of one account of the portal in an hour that exceed what its owner mistypes. */
const WRONG_OF_STAFF = 20;
/** Whole archives of photos that one sign-in fetches in an hour: a family needs one a stay. */
const ARCHIVES_MANY = 5;

const actsOfDay = ({ database, clock }: Services) =>
  listLateActs(database.db, new Date(clock().getTime() - DAY_MS));

/** What was done within a day that a thief of a session would do, in words without names; blank: nothing. */
async function watchedActs(services: Services) {
  const now = services.clock();
  const { db } = services.database;
  const acts = await actsOfDay(services);
  const count = (action: string) => acts.filter((act) => act.action === action).length;
  const some = (n: number, one: string, several: string) =>
    n === 0 ? [] : [n === 1 ? one : `${n} ${several}`];
  const archives = (await listSpikes(db, now, ARCHIVES_MANY)).filter(({ genre }) => genre === ARCHIVES);
  return [
    ...some(count(WATCHED.newAdmin), 'un compte du portail créé', 'comptes du portail créés'),
    ...some(count(WATCHED.rights), 'les droits d’un compte changés', 'changements de droits'),
    ...some(
      count(WATCHED.allPasswords),
      'les mots de passe de tous les séjours téléchargés',
      'téléchargements des mots de passe de tous les séjours',
    ),
    ...some(count(WATCHED.export), 'tout le site exporté', 'exports de tout le site'),
    ...some(
      count(WATCHED.lostToYoung) + count(WATCHED.lostToAdded),
      'un mot de passe de séjour demandé par une adresse ajoutée depuis peu',
      'mots de passe de séjours demandés par des adresses ajoutées depuis peu',
    ),
    ...(await overspent(db, now)).map(({ label, count }) => `${count} ${label} par une même personne`),
    ...some(
      archives.length,
      `${ARCHIVES_MANY} archives entières de photos ou plus prises en une heure par une même connexion`,
      `connexions qui ont pris ${ARCHIVES_MANY} archives entières de photos ou plus en une heure`,
    ),
  ];
}

/**
 * Names of the accounts that are younger than the journal's oldest line or than an account that it knows, and whose making
 * it does not tell; and passkeys that it does not tell of. They were written into the database by another way than the
 * site's. Ids only grow, whatever date a row bears; a line cannot be added without the key of the chain.
 */
async function untoldAdmins({ database: { db }, clock }: Services): Promise<string[]> {
  const { lines, since } = await readTold(db, 'admins', [FIRST_ADMIN, WATCHED.newAdmin, NEW_PASSKEY]);
  // A journal whose lines are all too old to be kept tells nothing.
  if (since === undefined) return [];
  const { passkeys = [], accounts = [] } = Object.groupBy(lines, ({ action }) =>
    action === NEW_PASSKEY ? 'passkeys' : 'accounts',
  );
  const ids = new Set(accounts.flatMap(({ objet_id }) => objet_id ?? []));
  const firstKnown = Math.min(...ids);
  const admins = await listAdmins(db);
  const untold = admins
    .filter(({ id, created_at }) => !ids.has(id) && (id > firstKnown || since < created_at))
    .map(({ username }) => username);
  const names = new Map(admins.map(({ id, username }) => [id, username]));
  const isFull = Date.parse(since) + (JOURNAL_DAYS - 1) * DAY_MS < clock().getTime();
  // The line of a passkey bears its instant. Of those that are older than a full journal, nothing is known.
  for (const { admin_id, created_at } of await listAllPasskeys(db)) {
    const place = passkeys.findIndex((line) => line.objet_id === admin_id && line.instant === created_at);
    if (place >= 0) passkeys.splice(place, 1);
    else if (!isFull || created_at >= since) untold.push(`une clé d’accès de ${names.get(admin_id)}`);
  }
  return untold;
}

/** Checks of sign-ins: somebody may be guessing passwords, trying out what is not theirs, or using a stolen session. */
export function signInChecks(services: Services): Check[] {
  const { database, clock } = services;
  return [
    {
      key: 'mots-de-passe',
      part: 'connexions',
      label: 'beaucoup de mots de passe faux',
      async staff() {
        const spikes = await listSpikes(database.db, clock(), WRONG_OF_STAFF);
        const where = spikes.filter(({ genre, nombre }) => nombre >= manyOf(genre)).map(whereOf);
        if (where.length === 0) return undefined;
        const list = new Intl.ListFormat('fr').format(new Set(where));
        return (
          `Beaucoup de mots de passe faux en une heure (${list})\u202f: quelqu’un essaie peut-être d’en deviner, et le site ` +
          'ralentit ces essais de lui-même. Si ce sont des familles qui ont un ancien mot de passe, renvoyez-leur les codes.'
        );
      },
    },
    {
      key: 'refus',
      part: 'connexions',
      label: 'une connexion qui essuie beaucoup de refus',
      async staff() {
        const found = await listSpikes(database.db, clock(), REFUSALS_MANY);
        const spikes = found.filter(({ genre }) => genre === REFUSALS);
        if (spikes.length === 0) return undefined;
        const sessionIds = spikes.map(({ cle }) => Number(cle));
        const stays = await listStaysOfSessions(database, sessionIds);
        const names = new Intl.ListFormat('fr').format(stays.map((id) => `séjour nº\u00a0${id}`));
        const who = spikes.length === 1 ? 'une même connexion' : `${spikes.length} connexions`;
        return (
          `Plus de ${REFUSALS_MANY} refus en dix minutes pour ${who}${names === '' ? '' : ` (${names})`}\u202f: quelqu’un cherche ` +
          'peut-être ce qui ne lui est pas ouvert. Si rien ne l’explique, donnez un nouveau mot de passe au séjour ou au ' +
          'compte, ce qui met fin à ses connexions.'
        );
      },
    },
    {
      key: 'comptes',
      part: 'connexions',
      label: 'un compte que le journal ne connaît pas',
      command: COMMANDS.doctor,
      panel: 'administrateurs',
      isUrgent: true,
      async staff() {
        const names = await untoldAdmins(services);
        if (names.length === 0) return undefined;
        return (
          'Un compte du portail, ou une clé d’accès qui en ouvre un, n’a pas été créé par le site\u202f: quelqu’un a ' +
          'peut-être écrit dans sa base de données. Supprimez ce que personne ne connaît dans ' +
          '«\u00a0Administrateurs\u00a0», et prévenez la personne qui héberge le site\u202f: «\u00a0passerelle doctor\u00a0» le nomme.'
        );
      },
      async operator() {
        const names = await untoldAdmins(services);
        if (names.length === 0)
          return fine('Comptes et clés d’accès\u202f: le journal sait qui a créé chacun.');
        return fail(
          `Comptes et clés d’accès\u202f: le journal ne dit rien de la création de ${names.length} d’entre eux ${listed(names)}. ` +
            'Le site ne les a pas créés\u202f: quelqu’un a écrit dans la base de données. Supprimez-les dans ' +
            '«\u00a0Administrateurs\u00a0», changez les mots de passe de la base et cherchez par où.',
        );
      },
    },
    {
      key: 'actes',
      part: 'connexions',
      label: 'actes sensibles',
      panel: 'journal',
      latest: async () => (await actsOfDay(services))[0]?.instant,
      async staff() {
        const acts = await watchedActs(services);
        if (acts.length === 0) return undefined;
        return (
          `Depuis 24 heures\u202f: ${acts.join('\u202f; ')}. Si personne ne sait qui l’a fait, «\u00a0Journal\u00a0» le dit\u202f: ` +
          'donnez alors un nouveau mot de passe à ce compte, ce qui met fin à ses connexions.'
        );
      },
    },
  ];
}

/** Wrong passwords in an hour that are many where they were typed; infinitely many of what are none. */
function manyOf(genre: string): number {
  if (genre === ALL_SIGN_INS) return WRONG_OF_ALL;
  if (genre === PORTAL_LANE.name) return WRONG_OF_STAFF;
  return genre === STAY_SIGN_IN || genre in WHERE ? WRONG_OF_ONE : Number.POSITIVE_INFINITY;
}

function whereOf({ genre, cle }: Spike): string {
  return genre === STAY_SIGN_IN ? `séjour nº\u00a0${cle}` : (WHERE[genre] ?? 'portail');
}

const WHERE: Record<string, string> = {
  [PORTAL_LANE.name]: 'portail',
  'mot-de-passe': 'portail',
  [ALL_SIGN_INS]: 'tout le site',
  'comptes-rendus': 'comptes rendus',
};
