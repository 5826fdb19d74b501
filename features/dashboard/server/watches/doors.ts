import { jsonIds } from '#platform/server/db/json.ts';
import { ALL_SIGN_INS, type Burst, listBursts, REFUSALS } from '#platform/server/http/bursts.ts';
import { STAY_SIGN_IN } from '#platform/server/http/limits.ts';
import { REFUSALS_MANY } from '#platform/server/http/refusals.ts';
import type { Services } from '#platform/server/services.ts';
import type { Watch } from './watch.ts';

/** Wrong passwords in an hour, of everybody and for one account: more than a whole summer camp mistypes. */
const WRONG_OF_ALL = 500;
const WRONG_OF_ONE = 100;

export function doorWatches(services: Services): Watch[] {
  return [
    {
      key: 'mots-de-passe',
      part: 'connexions',
      label: 'beaucoup de mots de passe faux',
      look: () => wrongPasswords(services),
    },
    {
      key: 'refus',
      part: 'connexions',
      label: 'une connexion qui essuie beaucoup de refus',
      look: () => refusals(services),
    },
  ];
}

async function wrongPasswords({ database, clock }: Services): Promise<string | undefined> {
  const bursts = await listBursts(database.db, clock(), WRONG_OF_ONE);
  const where = bursts
    .filter(({ genre }) => genre !== REFUSALS)
    .filter(({ genre, nombre }) => genre !== ALL_SIGN_INS || nombre >= WRONG_OF_ALL)
    .map(whereOf);
  if (where.length === 0) return undefined;
  const list = new Intl.ListFormat('fr').format(new Set(where));
  return (
    `Beaucoup de mots de passe faux en une heure (${list})\u202f: quelqu’un essaie peut-être d’en deviner, et le site ` +
    'ralentit ces essais de lui-même. Si ce sont des familles qui ont un ancien code, renvoyez-leur le bon.'
  );
}

function whereOf({ genre, cle }: Burst): string {
  return genre === STAY_SIGN_IN ? `séjour nº\u00a0${cle}` : (WHERE[genre] ?? 'portail');
}

const WHERE: Record<string, string> = {
  [ALL_SIGN_INS]: 'tout le site',
  'comptes-rendus': 'comptes rendus',
};

async function refusals({ database, clock }: Services): Promise<string | undefined> {
  const found = await listBursts(database.db, clock(), REFUSALS_MANY);
  const bursts = found.filter(({ genre }) => genre === REFUSALS);
  if (bursts.length === 0) return undefined;
  const stays = await database.db
    .selectFrom('sessions')
    .select('stage_id')
    .distinct()
    .where(
      'id',
      'in',
      jsonIds(
        database.engine,
        bursts.map(({ cle }) => Number(cle)),
      ),
    )
    .where('stage_id', 'is not', null)
    .orderBy('stage_id')
    .execute();
  const names = new Intl.ListFormat('fr').format(stays.map(({ stage_id }) => `séjour nº\u00a0${stage_id}`));
  const who = bursts.length === 1 ? 'une même connexion' : `${bursts.length} connexions`;
  return (
    `Plus de ${REFUSALS_MANY} refus en dix minutes pour ${who}${names === '' ? '' : ` (${names})`}\u202f: quelqu’un cherche ` +
    'peut-être ce qui ne lui est pas ouvert. Si rien ne l’explique, donnez un nouveau mot de passe au séjour ou au ' +
    'compte, ce qui met fin à ses connexions.'
  );
}
