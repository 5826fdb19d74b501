import { rm } from 'node:fs/promises';
import { journal } from '#features/audit/server/journal.ts';
import { photoFiles } from '#features/photos/shared/terms.ts';
import type { Actor } from '#platform/server/actor.ts';
import { openKeyedTurns } from '#platform/server/concurrency.ts';
import { WorkerLost } from '#platform/server/confined/refused.ts';
import type { Access } from '#platform/server/db/open.ts';
import { eraseUnregistered, PHOTOS_FOLDER, tryEraseCondemned } from '#platform/server/files/register.ts';
import { conflict, invalid, notNow } from '#platform/server/http/errors.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Session } from '#platform/server/http/sessions.ts';
import type { Services } from '#platform/server/services.ts';
import { FileMissing, keyOf } from '#platform/server/storage/storage.ts';
import type { BodyOf } from '#platform/shared/call.ts';
import { numberChange } from './changesStore.ts';
import { holdPhotos, requirePrepared } from './decisions.ts';
import { notePhotoErasures } from './erasures.ts';
import { notifyPhotos } from './live.ts';
import { type Accepted, makePhoto, replaceFiles } from './prepare.ts';
import { addToRecipe, type Recipe, readRecipe, retouchOf } from './recipe.ts';
import { updatePhoto } from './states.ts';
import { describePhotos, findPhoto, isSeen, type PhotoRow } from './store.ts';

/*
 * Retouching: a photo is turned, or zones of it are blurred for good. All its files are made anew from the best one, under
 * other names, and take the place of the old ones in one transaction: what was seen before is no longer served from then
 * on, and is erased. Until that commit nothing has changed, whatever fails.
 */

type Asked = BodyOf<'POST /photos/:id/retouche'>;
type Retouching = Actor & { session: Session | undefined };

/** Most zones of one photo, over the years: no crowd has more faces to hide. */
const ZONES_MAX = 100;

/** Retouches of a stay that may wait. */
const WAITING_MAX = 50;

export function retouchHandlers(services: Services) {
  const inTurn = openKeyedTurns(WAITING_MAX);
  return {
    // Those of a stay one after another: of many of one photo, only the first has work to do, and no other stay waits for all.
    'POST /photos/:id/retouche': async ({ params: { id }, body, ...context }) => {
      const photo = await findPhoto(services.database.db, id);
      return inTurn(String(photo?.stage_id), () => retouch(services, context, id, body));
    },
  } satisfies Partial<Handlers>;
}

async function retouch(services: Services, context: Retouching, id: number, { fichier, ...recipe }: Asked) {
  const { database, storage } = services;
  const { zones, quarts } = recipe;
  if (zones.length === 0 && quarts === 0)
    throw invalid({ zones: 'rien n’est à tourner ni à flouter.' }, { zones: 'Zones' });
  // Refused before the work, and again after it, as somebody else may have been faster.
  const before = await database.write((transaction) =>
    holdShown(services, transaction, context.session, id, fichier),
  );
  const accepted = await make(services, before.photo, recipe);
  try {
    const photos = await database.write(async (transaction) => {
      const { stay, photo } = await holdShown(services, transaction, context.session, id, fichier);
      const now = services.clock();
      const numero = await numberChange(transaction, stay.id, isSeen(photo, now));
      const shown = await replaceFiles(transaction, photo, accepted);
      const retouche = addToRecipe(photo.retouche, recipe);
      await updatePhoto(transaction, photo, { ...shown, retouche, numero, modifie_le: now.toISOString() });
      await journal(transaction, context, now, actionOf(recipe), { table: 'photos', id });
      const after = (await findPhoto(transaction, id)) as PhotoRow;
      const described = await describePhotos(transaction, stay.id, [after], { isFamily: false });
      // A backup made before has the photo as it was: restored, it shows that to nobody before a person has seen it.
      if (zones.length > 0) await notePhotoErasures(services, transaction, [photo], 'photo-cachee');
      return described;
    });
    notifyPhotos(services, before.stay.id);
    return { message: saidOf(recipe), photos };
  } finally {
    await eraseUnregistered(database, storage, accepted.files);
    await tryEraseCondemned(services);
  }
}

/** Locks the stay of a photo. Throws 404 like `holdPhotos`, 409 when the photo is not the one that was on screen. */
async function holdShown(
  services: Services,
  transaction: Access,
  session: Session | undefined,
  id: number,
  fichier: string,
) {
  const { stay, photos } = await holdPhotos(services, transaction, session, [id]);
  const photo = photos[0] as PhotoRow;
  requirePrepared(photos);
  if (photo.nom === null || photoFiles(photo.nom, false).w320 !== fichier) throw changed();
  return { stay, photo };
}

const changed = () =>
  conflict('Cette photo vient de changer\u202f: regardez-la de nouveau, puis recommencez.');

/** Makes the files of a photo anew, from its JPEG or else its largest size; they are not registered yet. */
async function make(services: Services, photo: PhotoRow, recipe: Recipe): Promise<Accepted> {
  if (readRecipe(photo.retouche).zones.length + recipe.zones.length > ZONES_MAX)
    throw conflict(`Cette photo a trop de zones floues (${ZONES_MAX} au plus).`);
  const { jpeg, w1920 } = photoFiles(photo.nom ?? '', photo.a_jpeg === 1);
  const input = services.staging.newPath();
  try {
    await services.storage.fetch(keyOf(PHOTOS_FOLDER, jpeg ?? w1920), input);
    const version = jpeg === null ? 'legere' : 'complete';
    const retouch = retouchOf(recipe, true);
    const made = await makePhoto(services, input, { id: photo.id, version, retouch });
    if ('made' in made) return made;
    throw conflict('Cette photo ne peut pas être retouchée\u202f: son fichier est abîmé.');
  } catch (error) {
    // Replaced since the look-up.
    if (error instanceof FileMissing) throw changed();
    if (error instanceof WorkerLost) throw notNow();
    throw error;
  } finally {
    await rm(input, { force: true });
  }
}

function actionOf({ zones, quarts }: Recipe): string {
  if (zones.length === 0) return 'rotation d’une photo';
  const blurred = zones.length === 1 ? 'floutage d’une zone' : `floutage de ${zones.length} zones`;
  return quarts === 0 ? `${blurred} d’une photo` : `${blurred} et rotation d’une photo`;
}

function saidOf({ zones }: Recipe): string {
  if (zones.length === 0) return 'Photo tournée';
  return zones.length === 1 ? 'Zone floutée' : `${zones.length} zones floutées`;
}
