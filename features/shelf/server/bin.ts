import { settleErased } from '#features/audit/server/erasures.ts';
import { journal } from '#features/audit/server/journal.ts';
import {
  beforesDue,
  countBlurred,
  countFree,
  countToConfirm,
  dropBefores,
  endOf,
  LIMITS,
  listDue,
  listStaysDue,
} from '#features/photos/server/binStore.ts';
import { erasePhotos, numberChange } from '#features/photos/server/changesStore.ts';
import { notePhotoErasures } from '#features/photos/server/erasures.ts';
import { type Deciding, type Held, ofPhotos, onPhotos, several } from '#features/photos/server/held.ts';
import { notifyPhotos } from '#features/photos/server/live.ts';
import { closeRemovals } from '#features/photos/server/removalsStore.ts';
import { changePhotos } from '#features/photos/server/states.ts';
import { areSeen, type PhotoRow } from '#features/photos/server/store.ts';
import { PHOTO_STATES } from '#features/photos/shared/states.ts';
import { PHOTO_BIN_DAYS } from '#features/photos/shared/terms.ts';
import { findStayToChange } from '#features/stays/server/staysStore.ts';
import { SITE, signature } from '#platform/server/actor.ts';
import type { Check } from '#platform/server/checks/check.ts';
import { eachAlone } from '#platform/server/concurrency.ts';
import { conflict } from '#platform/server/errors.ts';
import { tryEraseCondemned } from '#platform/server/files/registerStore.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import { named } from '#platform/server/names.ts';
import type { Services } from '#platform/server/services.ts';

/*
 * The bin. What a director or staff delete is hidden at once, and erased for good days later, so that a lost phone of a
 * director destroys nothing. The photos that directors throw away beyond the limits of `binStore.ts` are not erased by time
 * at all: staff are told, and put them back or confirm. Staff, and they alone, erase for good at once. Only what is erased for
 * good stands in the file of erasures as such: a backup that is put back must not take what was only thrown away.
 */

export function binHandlers(services: Services) {
  const discarding = (context: Deciding, ids: readonly number[]) =>
    onPhotos(services, context, ids, 'stay', discard);
  return {
    'POST /photos/supprimer': ({ body: { ids }, ...context }) => discarding(context, ids),
    'DELETE /photos/:id': ({ params: { id }, ...context }) => discarding(context, [id]),
    'POST /photos/retablir': ({ body: { ids }, ...context }) =>
      onPhotos(services, context, ids, 'bin', putBack),
    'POST /photos/confirmer': ({ body: { ids }, ...context }) =>
      onPhotos(services, context, ids, 'bin', confirm),
    // In the bin or not: what the law asks for does not wait.
    'POST /photos/effacer': async ({ body: { ids }, ...context }) => {
      const answer = await onPhotos(services, context, ids, 'anywhere', erase);
      await settle(services);
      return answer;
    },
  } satisfies Partial<Handlers>;
}

async function discard({ transaction, context, stay, photos, ids, now }: Held) {
  const numero = await numberChange(transaction, stay.id, areSeen(photos, now));
  const free = await countFree(transaction, context, stay.id, now);
  const [within, beyond] = [ids.slice(0, free), ids.slice(free)];
  const change = { transition: 'discard' as const, acteur: signature(context).acteur, numero };
  if (within.length > 0)
    await changePhotos(transaction, within, { ...change, effacement_le: endOf(now) }, now);
  if (beyond.length > 0) await changePhotos(transaction, beyond, { ...change, effacement_le: null }, now);
  const toConfirm = beyond.length > 0 ? `, dont ${beyond.length} à confirmer` : '';
  return {
    answer: { message: discardedText(ids.length, beyond.length) },
    action: `mise à la corbeille ${ofPhotos(ids.length)}${toConfirm}`,
    // Also those whose hour is to come: on an older database they would be shown at that hour.
    hidden: photos.filter(({ statut }) => PHOTO_STATES[statut].isPublic),
  };
}

function discardedText(count: number, toConfirm: number): string {
  const said = `${several(count, 'mise', 'mises')} à la corbeille pour ${PHOTO_BIN_DAYS} jours`;
  if (toConfirm === 0) return said;
  const waiting = toConfirm === 1 ? 'une attend' : `${toConfirm} attendent`;
  return `${said}. ${LIMITS}, l’équipe du CSE doit confirmer\u202f: ${waiting} sa réponse.`;
}

async function putBack({ transaction, stay, photos, ids, now }: Held) {
  requirePictures(photos);
  const numero = await numberChange(transaction, stay.id, false);
  await changePhotos(transaction, ids, { transition: 'putBack', numero }, now);
  const message = several(ids.length, 'rétablie, à vérifier', 'rétablies, à vérifier');
  return { answer: { message }, action: `sortie de la corbeille ${ofPhotos(ids.length)}` };
}

function requirePictures(photos: readonly PhotoRow[]): void {
  const count = photos.filter(({ nom }) => nom === null).length;
  if (count === 0) return;
  const what =
    count === 1
      ? 'une est encore en préparation ou illisible'
      : `${count} sont encore en préparation ou illisibles`;
  throw conflict(`Rien n’a changé\u202f: parmi ces photos, ${what}.`);
}

async function confirm({ transaction, stay, photos, now }: Held) {
  const ids = photos.filter(({ effacement_le }) => effacement_le === null).map(({ id }) => id);
  if (ids.length === 0) throw conflict('Ces photos n’attendent pas de confirmation.');
  const numero = await numberChange(transaction, stay.id, false);
  const change = { transition: 'confirm' as const, effacement_le: endOf(now), numero };
  await changePhotos(transaction, ids, change, now);
  const when = `dans ${PHOTO_BIN_DAYS} jours`;
  const message = several(
    ids.length,
    `sera effacée pour de bon ${when}`,
    `seront effacées pour de bon ${when}`,
  );
  const action = `confirmation de la suppression ${ofPhotos(ids.length)}`;
  return { answer: { message }, action, changed: ids };
}

async function erase({ transaction, stay, photos, ids, now }: Held) {
  await closeRemovals(transaction, ids, { decision: 'retiree', reponse: '' }, now);
  await erasePhotos(transaction, stay.id, ids, now);
  const message = several(ids.length, 'effacée pour de bon', 'effacées pour de bon');
  return { answer: { message }, action: `effacement ${ofPhotos(ids.length)}`, erased: photos };
}

async function settle(services: Services): Promise<void> {
  await tryEraseCondemned(services);
  await settleErased(services);
}

/** Most photos erased in one transaction, so that nobody waits long for the write lock. */
const SLICE = 200;

/**
 * Scheduled: erases for good the photos whose time in the bin is over, and what photos were before they were blurred. A
 * failure holds no other stay up.
 */
export async function emptyPhotoBin(services: Services): Promise<void> {
  const { database, clock } = services;
  await database.write((transaction) => dropBefores(transaction, beforesDue(clock())));
  await tryEraseCondemned(services);
  await eachAlone(await listStaysDue(database.db, clock()), async (stageId) => {
    while ((await eraseNext(services, stageId)) > 0);
    notifyPhotos(services, stageId);
    await settle(services);
  });
}

async function eraseNext(services: Services, stageId: number): Promise<number> {
  const { database, clock } = services;
  return database.write(async (transaction) => {
    const now = clock();
    await findStayToChange(database, transaction, stageId);
    const photos = await listDue(transaction, stageId, now, SLICE);
    if (photos.length === 0) return 0;
    const ids = photos.map(({ id }) => id);
    await erasePhotos(transaction, stageId, ids, now);
    const action = `effacement ${ofPhotos(ids.length)} de la corbeille`;
    await journal(transaction, SITE, now, action, { table: 'stages', id: stageId });
    await notePhotoErasures(services, transaction, photos, 'photo');
    return ids.length;
  });
}

/** Tells staff of what the site does not erase before they have answered. */
export function binCheck({ database }: Services): Check {
  return {
    key: 'photos-jetees',
    part: 'fichiers',
    label: 'beaucoup de photos supprimées ou floutées',
    isUrgent: true,
    panel: 'photos',
    right: 'photos',
    async staff() {
      const told = (stays: { nom_stage: string; nombre: number }[], [one, many]: [string, string]) =>
        stays.map(
          ({ nom_stage, nombre }) => `«\u00a0${nom_stage}\u00a0» (${nombre} ${nombre > 1 ? many : one})`,
        );
      const where = [
        ...told(await countToConfirm(database.db), ['supprimée', 'supprimées']),
        ...told(await countBlurred(database.db), ['floutée', 'floutées']),
      ];
      if (where.length === 0) return undefined;
      return (
        `Des directeurs ont supprimé ou flouté beaucoup de photos\u202f: ${named(where)}. Rien n’est effacé sans vous\u202f: ouvrez ` +
        '«\u00a0Corbeille\u00a0» ou «\u00a0Floutées\u00a0» dans les photos du séjour, et rétablissez-les ou confirmez. Si la direction ' +
        'n’en sait rien, changez d’abord le mot de passe des directeurs du séjour.'
      );
    },
  };
}
