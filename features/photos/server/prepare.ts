import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { findStayToChange, getStay } from '#features/stays/server/staysStore.ts';
import { FileRefused, WorkerLost } from '#platform/server/confined/answers.ts';
import type { Access } from '#platform/server/db/database.ts';
import {
  condemnFiles,
  eraseUnregistered,
  type FileRow,
  listFiles,
  type NewFile,
  PHOTOS_FOLDER,
  RECEIVED_FOLDER,
  registerFiles,
  tryEraseCondemned,
} from '#platform/server/files/registerStore.ts';
import type { PhotoMade } from '#platform/server/images/images.ts';
import type { Made, PhotoTask } from '#platform/server/images/tasks.ts';
import type { JobPayloads } from '#platform/server/jobs/jobs.ts';
import type { Services } from '#platform/server/services.ts';
import { FileMissing, keyOf, type Storage } from '#platform/server/storage/storage.ts';
import {
  KEEPING_MAX,
  NOT_PREPARED,
  PHOTO_SIZES,
  type PhotoSize,
  type PhotoVersion,
  photoFiles,
} from '../shared/terms.ts';
import { numberChange } from './changesStore.ts';
import { dateByCamera } from './clocks.ts';
import { hasFraction } from './days.ts';
import { notifyPhotos } from './live.ts';
import { readRecipe, retouchOf } from './recipe.ts';
import { type FileChanges, updatePhoto } from './states.ts';
import { findPhoto, isSeen, listWithoutJpeg, orderBurst, type PhotoRow } from './store.ts';
import { filesOf, hasJpeg, isWhole } from './versions.ts';

/*
 * Preparation: a received file becomes a photo, or is refused with a reason; either way it is erased. The transaction
 * that writes the outcome reads the photo again, as it may have changed meanwhile.
 */

type Received = JobPayloads['prepare-photo'];

/** A photo whose files are in storage, but not registered yet. */
export interface Accepted {
  made: PhotoMade;
  version: PhotoVersion;
  nom: string;
  files: NewFile[];
}
/** Outcome of the preparation of a file; `passed`: the photo already had a better version. */
type Outcome = Accepted | { refus: string } | 'passed';

/** Prepares a photo from a file received for it. When the job is given up, marks the photo so that it can be resent. */
export async function preparePhoto(
  services: Services,
  received: Received,
  isGivenUp: boolean,
): Promise<void> {
  const { database, storage, staging } = services;
  const waiting = await findWaiting(database.db, received);
  if (!waiting) return;
  const { photo, pieces } = waiting;
  const input = staging.newPath();
  try {
    const known = isPassed(received, photo) ? 'passed' : isGivenUp ? { refus: NOT_PREPARED } : undefined;
    if (known) {
      await write(services, photo.stage_id, received, known);
      return;
    }
    await join(storage, pieces, input);
    // Made again when somebody has retouched it meanwhile: what was blurred must not come back.
    for (let { retouche } = photo; ; ) {
      const retouch = retouchOf(readRecipe(retouche), false);
      const outcome = await makePhoto(services, input, { ...received, retouch });
      const changed = await write(services, photo.stage_id, received, outcome, retouche);
      if (changed === undefined) return;
      retouche = changed;
    }
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error;
    await write(services, photo.stage_id, received, { refus: NOT_PREPARED });
  } finally {
    await rm(input, { force: true });
  }
}

/** The photo that waits for a received file, and the names of its pieces in order; undefined when one or the other is gone. */
async function findWaiting(db: Access, { id, nom }: Received) {
  const files = await listFiles(db, { table: 'photos', id });
  const pieces = files.filter((file) => isReceived(file) && file.nom.startsWith(nom)).map((file) => file.nom);
  const photo = pieces.length > 0 ? await findPhoto(db, id) : undefined;
  return photo && { photo, pieces };
}

const isReceived = ({ dossier }: FileRow) => dossier === RECEIVED_FOLDER;

async function join(storage: Storage, [first = '', ...others]: string[], path: string): Promise<void> {
  await storage.fetch(keyOf(RECEIVED_FOLDER, first), path);
  for (const name of others) {
    const bytes = await storage.read(keyOf(RECEIVED_FOLDER, name));
    await pipeline(bytes, createWriteStream(path, { flags: 'a' }));
  }
}

/** Whether a light version arrives after the photo was made from its full one, and so changes nothing. */
const isPassed = ({ version }: Received, photo: PhotoRow) => version === 'legere' && isWhole(photo);

const LARGEST_FIRST = (Object.keys(PHOTO_SIZES) as PhotoSize[]).reverse();

/** Quality of the JPEG of a light version, which a phone has compressed already: what it loses once more is not seen. */
const LIGHT_QUALITY = 92;

/**
 * Makes files of a photo, `wanted` sizes of it and its JPEG, and puts them in storage, unregistered; returns a reason when
 * the file is unreadable.
 */
export async function makePhoto(
  services: Services,
  input: string,
  { id, version, retouch }: Pick<Received, 'id' | 'version'> & Pick<PhotoTask, 'retouch'>,
  { nom, wanted } = { nom: randomBytes(16).toString('hex'), wanted: LARGEST_FIRST },
): Promise<Accepted | { refus: string }> {
  const { images, staging, storage, database, clock } = services;
  const names = photoFiles(nom, true) as Record<PhotoSize | 'jpeg', string>;
  const sizes = wanted.map((size) => ({
    name: names[size],
    side: PHOTO_SIZES[size],
    path: staging.newPath(),
  }));
  const jpeg = { name: names.jpeg, side: KEEPING_MAX, path: staging.newPath() };
  const staged = [...sizes, jpeg];
  const file = (name: string, { size, sha256, crc32 }: Made): NewFile => ({
    nom: name,
    dossier: PHOTOS_FOLDER,
    objet: 'photos',
    objet_id: id,
    type: name.endsWith('.jpg') ? 'image/jpeg' : 'image/webp',
    taille: size,
    sha256,
    crc32,
    largeurs: '',
    created_at: clock().toISOString(),
  });
  try {
    const quality = version === 'legere' ? { quality: LIGHT_QUALITY } : {};
    const made = await images.photo(input, { sizes, jpeg: { ...jpeg, ...quality }, retouch });
    for (const { name, path } of staged) await storage.keep(path, keyOf(PHOTOS_FOLDER, name));
    const files = sizes.map(({ name }, index) => file(name, made.sizes[index] as Made));
    files.push(file(jpeg.name, made.jpeg as Made));
    return { made, version, nom, files };
  } catch (error) {
    const kept = staged.map(({ name }) => ({ nom: name, dossier: PHOTOS_FOLDER, largeurs: '' }));
    await eraseUnregistered(database, storage, kept);
    if (!(error instanceof FileRefused) || error instanceof WorkerLost) throw error;
    services.log.info({ err: error.cause, photo: id }, 'a photo cannot be read');
    return { refus: sentence(error.reason) };
  } finally {
    await Promise.all(staged.map(({ path }) => rm(path, { force: true })));
  }
}

function sentence(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

/**
 * Writes the outcome of a file, unless its photo is gone or has a better version by now. Writes nothing when the photo
 * was retouched since it was made by `made`, and returns its `retouche` as it is now.
 */
async function write(
  services: Services,
  stageId: number,
  received: Received,
  outcome: Outcome,
  made = '',
): Promise<string | undefined> {
  const { database, storage } = services;
  let changed: string | undefined;
  try {
    changed = await database.write(async (transaction) => {
      await findStayToChange(database, transaction, stageId);
      const waiting = await findWaiting(transaction, received);
      if (!waiting) return undefined;
      const { photo, pieces } = waiting;
      if (isAccepted(outcome) && photo.retouche !== made) return photo.retouche;
      const now = services.clock();
      const numero = await numberChange(transaction, stageId, isSeen(photo, now));
      const news = isPassed(received, photo) ? 'passed' : framed(photo, outcome);
      await condemnFiles(transaction, { table: 'photos', ids: [photo.id] }, pieces);
      const { changes, transition } = await changesOf(services, transaction, received, photo, news);
      const modifie_le = now.toISOString();
      const isWholeNow = news !== 'passed' && isAccepted(news) && news.version === 'complete';
      const complete_le = isWholeNow ? modifie_le : undefined;
      const written = { ...changes, complete_le, numero, modifie_le };
      await updatePhoto(transaction, photo, written, transition);
      const after = photo.suite === '' ? undefined : await findPhoto(transaction, photo.id);
      if (after) await orderBurst(transaction, after, numero);
      return undefined;
    });
  } finally {
    if (isAccepted(outcome)) await eraseUnregistered(database, storage, outcome.files);
  }
  if (changed !== undefined) return changed;
  await tryEraseCondemned(services);
  notifyPhotos(services, stageId);
  return undefined;
}

/** How much the proportions of two versions of a photo may differ, by rounding. */
const SAME_FRAME = 0.03;

/**
 * Refuses a version whose proportions are not those of the photo on which zones were blurred: they would lie elsewhere,
 * and show what they hid.
 */
function framed(photo: PhotoRow, outcome: Outcome): Outcome {
  if (!isAccepted(outcome) || readRecipe(photo.retouche).zones.length === 0) return outcome;
  const [{ width, height }] = outcome.made.sizes as [Made];
  const isSame = Math.abs((width * photo.hauteur) / (height * photo.largeur) - 1) < SAME_FRAME;
  return isSame ? outcome : { refus: OTHER_FRAME };
}

const OTHER_FRAME =
  'La photo entière n’a pas le même cadre que celle où des zones sont floues : elle n’est pas prise.';

/** Replaces the files by which a photo is shown; returns what changes with them. Call `tryEraseCondemned` afterwards. */
export async function replaceFiles(
  transaction: Access,
  photo: PhotoRow,
  { made, version, nom, files }: Accepted,
): Promise<FileChanges> {
  const replaced = Object.values(filesOf(photo) ?? {}).filter((name) => name !== null);
  await condemnFiles(transaction, { table: 'photos', ids: [photo.id] }, replaced);
  await registerFiles(transaction, files);
  const [{ width, height }] = made.sizes as [Made];
  return {
    nom,
    a_jpeg: version === 'complete' ? 1 : 0,
    a_jpeg_leger: version === 'complete' ? 0 : 1,
    a_480: 1,
    largeur: width,
    hauteur: height,
    apercu: made.placeholder,
    octets: weightOf(await listFiles(transaction, { table: 'photos', id: photo.id })),
  };
}

function weightOf(files: readonly FileRow[]): number {
  return files.reduce((sum, { taille }) => sum + taille, 0);
}

const isAccepted = (outcome: Outcome): outcome is Accepted => outcome !== 'passed' && 'made' in outcome;

/** A photo that was prepared before it came back from the bin is ready again, whatever its new file was. */
const READY = { transition: 'prepare' } as const;

async function changesOf(
  { config }: Services,
  transaction: Access,
  { version }: Received,
  photo: PhotoRow,
  outcome: Outcome,
): Promise<{ changes: FileChanges; transition?: 'prepare' | 'fail' }> {
  if (outcome !== 'passed' && isAccepted(outcome)) {
    const stay = await getStay(transaction, photo.stage_id);
    const shown = await replaceFiles(transaction, photo, outcome);
    const { taken, camera } = outcome.made;
    const dated =
      taken === undefined
        ? undefined
        : {
            ...(await dateByCamera(transaction, photo, stay, taken, camera, config.TIME_ZONE)),
            suite: hasFraction(taken) ? '' : photo.suite,
          };
    const refus = version === 'complete' ? '' : undefined;
    // A photo prepared a second time keeps the decision made on it.
    return { changes: { ...shown, ...dated, nom_envoye: '', refus }, transition: 'prepare' };
  }
  const files = await listFiles(transaction, { table: 'photos', id: photo.id });
  const octets = weightOf(files);
  const isPrepared = photo.nom !== null;
  if (outcome !== 'passed') {
    const { refus } = outcome;
    if (!isPrepared && !files.some(isReceived)) return { changes: { octets, refus }, transition: 'fail' };
    // An unreadable full version leaves the light one, present or on its way, as it is. An unreadable light version is
    // not reported when the full one is there or on its way.
    if (version === 'complete' && !isWhole(photo))
      return { changes: { octets, refus, version: 'legere' }, ...(isPrepared ? READY : {}) };
  }
  if (!isPrepared) return { changes: { octets } };
  return { changes: { octets, nom_envoye: '' }, ...READY };
}

/** Most JPEGs made in one go, so that a stop need not wait for long. */
const JPEGS_AT_ONCE = 100;

/** Scheduled: gives a JPEG to light photos that version 1.1.0 prepared, until none is left. */
export async function makeMissingJpegs(services: Services): Promise<void> {
  let made = 0;
  for (const id of await listWithoutJpeg(services.database.db))
    if (made < JPEGS_AT_ONCE && (await makeJpeg(services, id))) made++;
}

/** Makes the JPEG of a light photo from its largest size; returns whether it could be made. */
async function makeJpeg(services: Services, id: number): Promise<boolean> {
  const { database, storage, staging, clock } = services;
  const shown = await findPhoto(database.db, id);
  if (!shown?.nom) return false;
  const { nom, stage_id } = shown;
  const input = staging.newPath();
  const files: NewFile[] = [];
  try {
    await storage.fetch(keyOf(PHOTOS_FOLDER, photoFiles(nom, false).w1920), input);
    const made = await makePhoto(services, input, { id, version: 'legere' }, { nom, wanted: [] });
    if ('refus' in made) return false;
    files.push(...made.files);
    await database.write(async (transaction) => {
      await findStayToChange(database, transaction, stage_id);
      const photo = await findPhoto(transaction, id);
      // Retouched, prepared anew or erased meanwhile.
      if (photo?.nom !== nom || hasJpeg(photo)) return;
      await registerFiles(transaction, files);
      const numero = await numberChange(transaction, stage_id, isSeen(photo, clock()));
      const octets = weightOf(await listFiles(transaction, { table: 'photos', id }));
      await updatePhoto(transaction, photo, { a_jpeg_leger: 1, octets, numero });
    });
  } catch (error) {
    // Gone since, or lost: the check of stored files tells of those.
    if (!(error instanceof FileMissing)) throw error;
    return false;
  } finally {
    await rm(input, { force: true });
    await eraseUnregistered(database, storage, files);
  }
  notifyPhotos(services, stage_id);
  return true;
}

declare module '#platform/server/jobs/jobs.ts' {
  interface JobPayloads {
    /** Makes the sizes of a photo from a received file; `nom`: prefix of the names of its pieces. */
    'prepare-photo': { id: number; nom: string; version: PhotoVersion };
  }
}
