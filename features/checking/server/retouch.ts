import { rm } from 'node:fs/promises';
import {
  beforeOf,
  bestOf,
  countFree,
  dropBefores,
  endBefores,
  endOf,
  findBefore,
  insertBefore,
  LIMITS,
} from '#features/photos/server/binStore.ts';
import { numberChange } from '#features/photos/server/changesStore.ts';
import {
  type Deciding,
  type Held,
  holdPhotos,
  ofPhotos,
  onPhotos,
  requirePrepared,
  several,
} from '#features/photos/server/held.ts';
import { type Accepted, makePhoto, replaceFiles } from '#features/photos/server/prepare.ts';
import { addToRecipe, type Recipe, readRecipe, retouchOf } from '#features/photos/server/recipe.ts';
import { changePhotos, type FileChanges, updatePhoto } from '#features/photos/server/states.ts';
import {
  describePhotos,
  findPhoto,
  isSeen,
  measurePhotos,
  type PhotoRow,
} from '#features/photos/server/store.ts';
import { isWhole } from '#features/photos/server/versions.ts';
import { type PhotoVersion, photoFiles, STAY_BYTES } from '#features/photos/shared/terms.ts';
import { signature } from '#platform/server/actor.ts';
import { spend } from '#platform/server/budgets.ts';
import { openKeyedTurns } from '#platform/server/concurrency.ts';
import { WorkerLost } from '#platform/server/confined/answers.ts';
import type { Access } from '#platform/server/db/database.ts';
import { conflict, invalid, notNow } from '#platform/server/errors.ts';
import { eraseUnregistered, PHOTOS_FOLDER, tryEraseCondemned } from '#platform/server/files/registerStore.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Retouch } from '#platform/server/images/tasks.ts';
import type { Services } from '#platform/server/services.ts';
import { FileMissing, keyOf } from '#platform/server/storage/storage.ts';
import type { BodyOf } from '#platform/shared/call.ts';

/*
 * Retouching: a photo is turned, or zones of it are blurred. All its files are made anew from the best one, under other
 * names, and take the place of the old ones in one transaction: what was seen before is no longer served from then on.
 * Until that commit nothing has changed, whatever fails. The old files are erased, but for the best one of a photo that was
 * blurred: staff, and they alone, see it and give it back for some days, so that a lost phone of a director destroys nothing.
 */

type Asked = BodyOf<'POST /photos/:id/retouche'>;

/** Most zones of one photo, over the years: no crowd has more faces to hide. */
const ZONES_MAX = 100;

/** Retouches of a stay that may wait. */
const WAITING_MAX = 50;

export function retouchHandlers(services: Services) {
  const { database } = services;
  const inTurn = openKeyedTurns(WAITING_MAX);
  // Those of a stay one after another: of many of one photo, only the first has work to do, and no other stay waits for all.
  const ofStay = async (context: Deciding, id: number, work: Work) =>
    inTurn(String((await findPhoto(database.db, id))?.stage_id), () => remake(services, context, id, work));
  return {
    'POST /photos/:id/retouche': ({ params: { id }, body, ...context }) =>
      ofStay(context, id, retouching(body)),
    'POST /photos/:id/avant/:n': ({ params: { id, n }, body, ...context }) =>
      ofStay(context, id, unblurring(services, { id, n }, body.fichier)),
    'POST /photos/garder-floutees': ({ body: { ids }, ...context }) =>
      onPhotos(services, context, ids, 'stay', keepBlurred),
  } satisfies Partial<Handlers>;
}

/** How the files of a photo are made anew. */
interface Work {
  fichier: string;
  action: string;
  /** Whether families no longer see what an older database would show. */
  isHiding: boolean;
  /** The file from which all are made, and what is done to it. Throws `HttpError`. */
  from(photo: PhotoRow): Promise<Source>;
  /** What changes with the files, in the transaction that replaces them and before it does; what is said of it. */
  write(photo: PhotoRow, held: Held): Promise<{ changes: FileChanges; message: string }>;
}

interface Source {
  nom: string;
  version: PhotoVersion;
  retouch: Retouch | undefined;
}

function retouching({ fichier, ...recipe }: Asked): Work {
  const { zones, quarts } = recipe;
  if (zones.length === 0 && quarts === 0)
    throw invalid({ zones: 'rien n’est à tourner ni à flouter.' }, { zones: 'Zones' });
  const isHiding = zones.length > 0;
  return {
    ...{ fichier, isHiding, action: actionOf(recipe) },
    async from(photo) {
      if (readRecipe(photo.retouche).zones.length + zones.length > ZONES_MAX)
        throw conflict(`Cette photo a trop de zones floues (${ZONES_MAX} au plus).`);
      return { ...bestOf(photo), retouch: retouchOf(recipe, true) };
    },
    async write(photo, held) {
      const changes = { retouche: addToRecipe(photo.retouche, recipe) };
      const isWaiting = isHiding && (await keepBefore(photo, held));
      const said = saidOf(recipe);
      return { changes, message: isWaiting ? `${said}. ${LIMITS}, l’équipe du CSE regardera.` : said };
    },
  };
}

/** Keeps a photo that is about to be blurred as it is; returns whether that waits for staff. Throws 409 for want of room. */
async function keepBefore(photo: PhotoRow, { transaction, context, stay, now }: Held): Promise<boolean> {
  const { octets } = await measurePhotos(transaction, stay.id);
  if (octets + photo.octets > STAY_BYTES)
    throw conflict(
      'Ce séjour n’a plus de place pour garder la photo d’avant\u202f: retirez la photo, ou demandez à l’équipe du CSE d’en effacer pour de bon.',
    );
  await spend(transaction, 'photos', 1, now);
  const isWaiting = (await countFree(transaction, context, stay.id, now)) === 0;
  await insertBefore(transaction, photo, {
    floutee_le: now.toISOString(),
    floutee_par: signature(context).acteur,
    effacement_le: isWaiting ? null : endOf(now),
  });
  return isWaiting;
}

/** Gives a photo back as it was before it was blurred last, but turned as it is now. */
function unblurring({ database }: Services, { id, n }: { id: number; n: number }, fichier: string): Work {
  async function find(db: Access, photo: PhotoRow) {
    const before = await findBefore(db, id);
    if (before?.id !== n) throw changed();
    const turns = (4 + readRecipe(photo.retouche).quarts - readRecipe(before.retouche).quarts) % 4;
    return { before, turns };
  }
  return {
    ...{ fichier, isHiding: false, action: 'annulation du floutage d’une photo' },
    async from(photo) {
      const { before, turns } = await find(database.db, photo);
      return { nom: before.nom, version: before.version, retouch: { zones: [], turns, isKept: true } };
    },
    async write(photo, { transaction }) {
      const { before, turns } = await find(transaction, photo);
      await dropBefores(transaction, beforeOf(n));
      const retouche = addToRecipe(before.retouche, { zones: [], quarts: turns });
      // A full version that is still being prepared is the best one all the same.
      const version = isWhole(photo) ? before.version : undefined;
      return { changes: { retouche, version }, message: 'Floutage annulé' };
    },
  };
}

/** Answers for photos that wait for it: they stay blurred, and what they were is erased in its time. */
async function keepBlurred({ transaction, stay, ids, now }: Held) {
  const kept = await endBefores(transaction, ids, endOf(now));
  if (kept === 0) throw conflict('Ces photos n’attendent pas de réponse.');
  await spend(transaction, 'photosEffacees', kept, now);
  const numero = await numberChange(transaction, stay.id, false);
  await changePhotos(transaction, ids, { numero }, now);
  const message = several(ids.length, 'reste floutée', 'restent floutées');
  return { answer: { message }, action: `floutage gardé ${ofPhotos(ids.length)}` };
}

async function remake(services: Services, context: Deciding, id: number, work: Work) {
  const { database, storage } = services;
  // Refused before the work, and again after it, as somebody else may have been faster.
  const before = await database.write(async (transaction) =>
    shownIn(await holdPhotos(services, transaction, context.session, [id], 'stay'), work),
  );
  const accepted = await make(services, id, await work.from(before));
  try {
    return await onPhotos(services, context, [id], 'stay', async (held) => {
      const { transaction, stay, now } = held;
      const photo = shownIn(held, work);
      const numero = await numberChange(transaction, stay.id, isSeen(photo, now));
      const { changes, message } = await work.write(photo, held);
      const shown = await replaceFiles(transaction, photo, accepted);
      await updatePhoto(transaction, photo, { ...shown, ...changes, numero, modifie_le: now.toISOString() });
      const after = (await findPhoto(transaction, id)) as PhotoRow;
      const photos = await describePhotos(transaction, stay.id, [after], context.session);
      // A backup made before has the photo as it was: restored, it shows that to nobody before a person has seen it.
      return { answer: { message, photos }, action: work.action, hidden: work.isHiding ? [photo] : [] };
    });
  } finally {
    await eraseUnregistered(database, storage, accepted.files);
    await tryEraseCondemned(services);
  }
}

/** The one photo that is held. Throws 409 when it is not the one that was on screen. */
function shownIn({ photos }: Pick<Held, 'photos'>, { fichier }: Work): PhotoRow {
  const photo = photos[0] as PhotoRow;
  requirePrepared(photos);
  if (photo.nom === null || photoFiles(photo.nom, false).w320 !== fichier) throw changed();
  return photo;
}

const changed = () =>
  conflict('Cette photo vient de changer\u202f: regardez-la de nouveau, puis recommencez.');

/** Makes the files of a photo anew; they are not registered yet. */
async function make(services: Services, id: number, { nom, version, retouch }: Source): Promise<Accepted> {
  const input = services.staging.newPath();
  try {
    await services.storage.fetch(keyOf(PHOTOS_FOLDER, nom), input);
    const made = await makePhoto(services, input, { id, version, retouch });
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
