import type { Preparation } from '#features/dashboard/calls.ts';
import { passwordVersion } from '#features/mails/server/compose.ts';
import { listRecipients } from '#features/mails/server/recipientsStore.ts';
import { listReached } from '#features/mails/server/store.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { countConsentsByStay } from '#features/stays/server/familiesStore.ts';
import {
  countWaitingPhotos,
  getCountedStay,
  listComingStays,
  photosUntil,
} from '#features/stays/server/staysStore.ts';
import { PRACTICAL } from '#features/stays/shared/terms.ts';
import type { Services } from '#platform/server/services.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { dayAt } from '#platform/shared/time.ts';

/** What each stay has and lacks: those that are not past, the soonest first, or the one of this id; throws 404. */
export async function listPreparation(
  services: Pick<Services, 'database' | 'config' | 'clock' | 'secrets'>,
  stageId: number | undefined,
): Promise<Preparation[]> {
  const { database, config, clock, secrets } = services;
  const { db } = database;
  const now = clock();
  const { photos_conservation_jours: days } = await readSettings(db, config);
  const stays =
    stageId === undefined
      ? await listComingStays(db, dayAt(now, config.TIME_ZONE))
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
    const { id, nom_stage, date_debut, date_fin, familles, directeurs, photos } = stay;
    const { non = 0, inconnu = 0 } = consents.get(id) ?? {};
    return {
      id,
      nom_stage,
      date_debut,
      date_fin,
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
      photos_finies: photosUntil(stay, days, config.TIME_ZONE).end <= now,
    };
  });
}
