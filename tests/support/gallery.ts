import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { numberChange } from '#features/photos/server/changesStore.ts';
import { notifyPhotos } from '#features/photos/server/live.ts';
import type { StateWrite } from '#features/photos/server/tables.ts';
import type { PhotoState } from '#features/photos/shared/states.ts';
import { PHOTO_SIZES, photoFiles } from '#features/photos/shared/terms.ts';
import { registerFiles } from '#platform/server/files/registerStore.ts';
import type { Services } from '#platform/server/services.ts';
import { keyOf } from '#platform/server/storage/storage.ts';

/** Photos as if they had been sent, prepared and decided on, for tests of what comes after. */

export interface Made {
  statut?: PhotoState;
  jour?: string;
  /** A moment; by default each one is a second before the one made before it. */
  prise_le?: string;
  publiee_le?: string | null;
  version?: 'legere' | 'complete';
  appareil?: string;
}

/** Width and height of the few pictures that all of them show, among them a panorama and a strip. */
const SHAPES = [
  [1920, 1440],
  [1440, 1920],
  [1920, 1080],
  [1920, 640],
  [1080, 1080],
  [900, 1920],
] as const;

/** Adds `count` photos to a stay; returns their ids, in the order in which they were made. */
export async function addPhotos(
  services: Services,
  stageId: number,
  count: number,
  made: (index: number) => Made = () => ({}),
): Promise<number[]> {
  const now = services.clock().toISOString();
  const pictures = await Promise.all(SHAPES.map((shape, index) => picture(shape, index)));
  const ids: number[] = [];
  for (let from = 0; from < count; from += 200) {
    const slice = Array.from({ length: Math.min(200, count - from) }, (_, index) => from + index);
    const names = new Map(slice.map((index) => [index, randomBytes(16).toString('hex')]));
    // Together: one after the other, thousands would mostly wait for the disk.
    await Promise.all(
      slice.map((index) => {
        const shown = pictures[index % SHAPES.length] as Picture;
        return keepFiles(services, names.get(index) ?? '', shown.files);
      }),
    );
    await services.database.write(async (transaction) => {
      const numero = await numberChange(transaction, stageId, true);
      for (const index of slice) {
        const { statut = 'publiee', jour = '2026-06-20', version = 'complete', ...rest } = made(index);
        const shown = pictures[index % SHAPES.length] as Picture;
        const nom = names.get(index) ?? '';
        const taken = new Date(Date.parse(`${jour}T20:00:00.000Z`) - index * 1_000).toISOString();
        const { id } = await transaction
          .insertInto('photos')
          .values({
            stage_id: stageId,
            empreinte: randomBytes(32).toString('hex'),
            statut: statut as StateWrite,
            version,
            nom,
            a_jpeg: version === 'complete' ? 1 : 0,
            a_jpeg_leger: version === 'complete' ? 0 : 1,
            a_480: 1,
            jour,
            prise_le: rest.prise_le ?? taken,
            rang: rest.prise_le ?? taken,
            appareil: rest.appareil ?? '',
            largeur: shown.largeur,
            hauteur: shown.hauteur,
            apercu: shown.apercu,
            octets: shown.files.reduce((sum, { bytes }) => sum + bytes.length, 0),
            publiee_le: statut === 'publiee' ? (rest.publiee_le ?? now) : null,
            numero,
            created_at: now,
            modifie_le: now,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await registerFiles(
          transaction,
          shown.files.map(({ ending, bytes, type, sha256 }) => ({
            nom: `${nom}${ending}`,
            dossier: 'photos',
            objet: 'photos',
            objet_id: id,
            type,
            taille: bytes.length,
            sha256,
            largeurs: '',
            crc32: crc32(bytes),
            created_at: now,
          })),
        );
        ids.push(id);
      }
    });
  }
  notifyPhotos(services, stageId);
  return ids;
}

/** Published photos whose files are blank, for what reads none: fast in any number. */
export async function addBarePhotos(services: Services, stageId: number, count: number): Promise<number[]> {
  const now = services.clock().toISOString();
  return services.database.write(async (transaction) => {
    const numero = await numberChange(transaction, stageId, true);
    const photos = Array.from({ length: count }, () => ({
      stage_id: stageId,
      empreinte: randomBytes(32).toString('hex'),
      nom: randomBytes(16).toString('hex'),
      a_480: 1,
      statut: 'publiee' as StateWrite,
      version: 'complete' as const,
      jour: '2026-06-20',
      prise_le: '2026-06-20T09:00:00.000Z',
      rang: '2026-06-20T09:00:00.000Z',
      publiee_le: now,
      numero,
      created_at: now,
      modifie_le: now,
    }));
    const made = await transaction.insertInto('photos').values(photos).returning(['id', 'nom']).execute();
    const blank = { dossier: 'photos', objet: 'photos', type: 'image/webp', taille: 0, sha256: '', crc32: 0 };
    await registerFiles(
      transaction,
      made.map(({ id, nom }) => ({
        ...blank,
        nom: photoFiles(nom ?? '', false).w1920,
        objet_id: id,
        largeurs: '',
        created_at: now,
      })),
    );
    return made.map(({ id }) => id);
  });
}

interface Picture {
  largeur: number;
  hauteur: number;
  apercu: string;
  /** What follows the name of the photo in that of its file. */
  files: { ending: string; bytes: Buffer; type: string; sha256: string }[];
}

const drawn = new Map<number, Promise<Picture>>();

function picture(shape: readonly [number, number], index: number): Promise<Picture> {
  const known = drawn.get(index) ?? draw(shape, index);
  drawn.set(index, known);
  return known;
}

async function draw([width, height]: readonly [number, number], index: number): Promise<Picture> {
  // Two colours that run into each other; drawn point by point, as a site that has read pictures opens no drawings.
  const [from, to] = [index * 35, 255 - index * 35];
  const data = Buffer.alloc(width * height * 3);
  for (let at = 0, y = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const part = x / width + y / height;
      data[at] = from + ((to - from) * part) / 2;
      data[at + 1] = 90 + 60 * part;
      data[at + 2] = to + ((from - to) * part) / 2;
    }
  }
  const whole = await sharp(data, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const described = (ending: string, type: string, bytes: Buffer) => ({
    ...{ ending, type, bytes },
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  const files = await Promise.all([
    ...Object.values(PHOTO_SIZES).map(async (side) =>
      described(
        `_${side}.webp`,
        'image/webp',
        await sharp(whole).resize(side, side, { fit: 'inside' }).webp().toBuffer(),
      ),
    ),
    sharp(whole)
      .jpeg()
      .toBuffer()
      .then((bytes) => described('.jpg', 'image/jpeg', bytes)),
  ]);
  const small = await sharp(whole)
    .resize(100, 100, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const hash = rgbaToThumbHash(small.info.width, small.info.height, small.data);
  return { largeur: width, hauteur: height, apercu: Buffer.from(hash).toString('base64'), files };
}

async function keepFiles(services: Services, nom: string, files: Picture['files']): Promise<void> {
  for (const { ending, bytes } of files) {
    const path = services.staging.newPath();
    await writeFile(path, bytes);
    await services.storage.keep(path, keyOf('photos', `${nom}${ending}`));
  }
}
