import { createHash, randomBytes } from 'node:crypto';
import type { Openings } from '#features/photos/server/files.ts';
import {
  countSelections,
  deleteSelections,
  findSelection,
  insertSelection,
  isFileSeen,
  listKeptFiles,
} from '#features/photos/server/filesStore.ts';
import { getPhotoStay, isListed, listByIds, viewerOf } from '#features/photos/server/store.ts';
import { ARCHIVES } from '#platform/server/budgets.ts';
import { countThings } from '#platform/server/countsStore.ts';
import { notFound, tooMany } from '#platform/server/errors.ts';
import type { ByteRange } from '#platform/server/http/downloads.ts';
import { type Handlers, RangedFile } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { Session } from '#platform/server/sessionsStore.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { partOfFile, planZip, type Zip, type ZipEntry } from '#platform/server/zip/zip.ts';
import { longDay } from '#platform/shared/dates.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';

/*
 * Downloads: the photos of a stay, of a day or of a selection as one ZIP archive that resumes wherever it was cut. Its
 * ETag depends on all of its contents: once a photo is gone, a download begun before cannot be resumed.
 */

interface Kept extends ZipEntry {
  photoId: number;
  /** Name of the stored file that is put in the archive. */
  file: string;
}

export function zipHandlers(services: Services, openings: Openings) {
  return {
    'GET /stages/:id/photos.zip': async ({ params, query: { jour, selection }, session, ip }) => {
      const stay = await getPhotoStay(services, services.database.db, session, params.id);
      const ids = selection === undefined ? undefined : await getSelection(services, stay.id, selection);
      const kept = await listKept(services, stay.id, jour, ids);
      if (kept.length === 0) throw notFound('Il n’y a pas de photo publiée à télécharger.');
      const zip = planZip(kept);
      const body = {
        size: zip.size,
        etag: `"${createHash('sha256').update(JSON.stringify(kept)).digest('base64url')}"`,
        open: async (range: ByteRange = { start: 0, end: zip.size - 1 }) => {
          // Resumed downloads are the same one.
          if (jour === undefined && ids === undefined && range.start === 0)
            noteArchive(services, session as Session);
          return bytesOf(services, openings, zip, { session: session as Session, ip }, range);
        },
      };
      return new RangedFile(body, `${[stay.nom_stage, ...partOf(jour, selection)].join(' - ')}.zip`);
    },
    'POST /photos/selection': async ({ body, session }) => {
      const { id } = await getPhotoStay(services, services.database.db, session, body.stageId);
      return { cle: await addSelection(services, session as Session, id, body.ids) };
    },
  } satisfies Partial<Handlers>;
}

/** Counts an archive of a whole stay for the session that fetches it; nothing waits for it. */
function noteArchive({ database, clock, log }: Services, session: Session): void {
  database
    .write((transaction) => countThings(transaction, ARCHIVES, String(session.id), clock()))
    .catch((error) => log.warn({ err: error }, 'an archive of photos is not counted'));
}

/** Words for the part of a stay's photos, for the name of the archive. */
function partOf(day: string | undefined, selection: string | undefined): string[] {
  if (selection !== undefined) return ['sélection'];
  return day === undefined ? [] : [longDay(day)];
}

/** Photos visible to families now, the first day first and each in its order: each as its JPEG, or as its largest size where there is none. */
async function listKept(
  { database, clock }: Services,
  stageId: number,
  day: string | undefined,
  ids: readonly number[] | undefined,
): Promise<Kept[]> {
  const rows = await listKeptFiles(database.db, stageId, day, clock());
  const counts = new Map<string, number>();
  const all = rows.map(({ id, jour, prise_le, nom, taille, crc32 }) => {
    const count = (counts.get(jour) ?? 0) + 1;
    counts.set(jour, count);
    const number = String(count).padStart(3, '0');
    const ending = nom.slice(nom.lastIndexOf('.'));
    return {
      photoId: id,
      file: nom,
      name: `${jour}/${jour}-${number}${ending}`,
      size: taille,
      crc32: crc32 ?? 0,
      time: prise_le,
    };
  });
  // Filtered after numbering, so that a photo has the same name in every archive.
  const chosen = ids && new Set(ids);
  return chosen ? all.filter(({ photoId }) => chosen.has(photoId)) : all;
}

/**
 * The bytes of an archive. Each photo is checked again right before its bytes: when it was taken down meanwhile, or the
 * session has ended, the download fails.
 */
async function* bytesOf(
  services: Services,
  openings: Openings,
  zip: Zip<Kept>,
  { session, ip }: { session: Session; ip: string },
  range: ByteRange,
): AsyncGenerator<Buffer> {
  for (const piece of zip.pieces(range)) {
    if (Buffer.isBuffer(piece)) {
      yield piece;
      continue;
    }
    const { entry, start, end } = piece;
    if (!(await isFileSeen(services.database.db, entry.photoId, entry.file, session, services.clock())))
      throw new Error('a photo of an archive is seen no more');
    openings.note(entry.photoId, session.id, ip);
    yield* partOfFile(services.storage, keyOf('photos', entry.file), { start, end });
  }
}

/* Selections: photos that somebody chose to download together, kept for a day under an unguessable key. */

/** Most selections of one session in a day; counted by session, so that nobody uses up the limit of others. */
const SELECTIONS_MAX = 200;

/**
 * Records the photos of a stay among `ids` that the session sees as a selection; returns its key. Throws 404 when there
 * are none: ids do not tell which photos wait to be published.
 */
async function addSelection(
  services: Services,
  session: Session,
  stageId: number,
  ids: readonly number[],
): Promise<string> {
  const { database, clock } = services;
  const named = await listByIds(database.db, ids);
  const viewer = viewerOf(session, clock());
  const chosen = named.filter((photo) => photo.stage_id === stageId && isListed(photo, viewer));
  if (chosen.length === 0) throw notFound('Ces photos n’existent plus.');
  const cle = randomBytes(16).toString('base64url');
  const row = {
    cle,
    stage_id: stageId,
    session_id: session.id,
    ids: JSON.stringify(chosen.map(({ id }) => id)),
    created_at: viewer.now.toISOString(),
  };
  await database.write(async (transaction) => {
    const count = await countSelections(transaction, session.id, oldest(services));
    if (count >= SELECTIONS_MAX)
      throw tooMany(HOUR_MS / 1000, 'Trop de sélections\u202f: réessayez plus tard.');
    await insertSelection(transaction, row);
  });
  return cle;
}

/** Ids of the photos of a selection; throws 404 when it is not of this stay, or too old. */
async function getSelection(services: Services, stageId: number, cle: string): Promise<number[]> {
  const ids = await findSelection(services.database.db, stageId, cle, oldest(services));
  if (!ids) throw notFound('Cette sélection n’existe plus\u202f: choisissez les photos à nouveau.');
  return ids;
}

/** Scheduled: deletes selections older than a day. */
export async function forgetOldSelections(services: Services): Promise<void> {
  await services.database.write((transaction) => deleteSelections(transaction, oldest(services)));
}

function oldest({ clock }: Services): string {
  return new Date(clock().getTime() - DAY_MS).toISOString();
}
