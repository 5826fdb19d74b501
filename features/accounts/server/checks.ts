import type { Check } from '#platform/server/checks/check.ts';
import { STAY_SIGN_IN } from '#platform/server/http/rateLimits.ts';
import { listStaysOfSessions } from '#platform/server/http/sessions.ts';
import {
  ALL_SIGN_INS,
  listSpikes,
  REFUSALS,
  REFUSALS_MANY,
  type Spike,
} from '#platform/server/http/spikes.ts';
import type { Services } from '#platform/server/services.ts';

/** Wrong passwords in an hour, on the whole site and for one account, that exceed what a whole summer camp mistypes. */
const WRONG_OF_ALL = 500;
const WRONG_OF_ONE = 100;

/** Checks of sign-ins: somebody may be guessing passwords, or trying out what is not theirs. */
export function signInChecks({ database, clock }: Pick<Services, 'database' | 'clock'>): Check[] {
  return [
    {
      key: 'mots-de-passe',
      part: 'connexions',
      label: 'beaucoup de mots de passe faux',
      async staff() {
        const spikes = await listSpikes(database.db, clock(), WRONG_OF_ONE);
        const where = spikes
          .filter(({ genre }) => genre !== REFUSALS)
          .filter(({ genre, nombre }) => genre !== ALL_SIGN_INS || nombre >= WRONG_OF_ALL)
          .map(whereOf);
        if (where.length === 0) return undefined;
        const list = new Intl.ListFormat('fr').format(new Set(where));
        return (
          `Beaucoup de mots de passe faux en une heure (${list})\u202f: quelqu’un essaie peut-être d’en deviner, et le site ` +
          'ralentit ces essais de lui-même. Si ce sont des familles qui ont un ancien code, renvoyez-leur le bon.'
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
  ];
}

function whereOf({ genre, cle }: Spike): string {
  return genre === STAY_SIGN_IN ? `séjour nº\u00a0${cle}` : (WHERE[genre] ?? 'portail');
}

const WHERE: Record<string, string> = {
  [ALL_SIGN_INS]: 'tout le site',
  'comptes-rendus': 'comptes rendus',
};
