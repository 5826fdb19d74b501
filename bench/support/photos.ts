import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { numberChange } from '#features/photos/server/changesStore.ts';
import type { StateWrite } from '#features/photos/server/tables.ts';
import { PHOTO_SIZES, type PhotoFiles, photoFiles, UPLOAD_PATH } from '#features/photos/shared/terms.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import { atOnce } from '#platform/server/concurrency.ts';
import { type NewFile, registerFiles } from '#platform/server/files/registerStore.ts';
import { codingOf } from '#platform/server/images/tasks.ts';
import type { Services } from '#platform/server/services.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { DAY_MS } from '#platform/shared/time.ts';

/** Photos to measure with: sent as a phone sends them, or written straight into the database. */

const CAMERA = join(import.meta.dirname, '../../node_modules/exif/test/sony-alpha-6000.jpg');
const PICTURES = join(import.meta.dirname, '../../features/example/fixtures/pictures');

/** A stay of two weeks that has begun a week ago; the answer is its id. */
export function addStay(
  { database, secrets }: Services,
  nom_stage: string,
  passwords: { stagiaire?: string; formateur?: string } = {},
): Promise<number> {
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const stay = { nom_stage, date_debut: day(-7), date_fin: day(7) };
  return database.write((transaction) => insertStay(transaction, secrets, stay, new Date(), passwords));
}

/** The longest comment that a JPEG holds in one piece. */
const COMMENT_MAX = 65_533;

/**
 * A camera of 12 million points: each photograph is equal to the eye, and another file; of so many bytes at least, made
 * up of comments where the picture is smaller.
 */
export async function openCamera(bytes = 0): Promise<() => Buffer> {
  const picture = await sharp(CAMERA).resize(4242, 2828).jpeg({ quality: 88 }).toBuffer();
  const padding = Math.ceil(Math.max(0, bytes - picture.length) / COMMENT_MAX);
  const comments = Buffer.concat(Array.from({ length: padding }, () => comment(randomBytes(COMMENT_MAX))));
  return () =>
    Buffer.concat([picture.subarray(0, 2), comment(randomBytes(16)), comments, picture.subarray(2)]);
}

function comment(bytes: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xfe, 0, 0]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, bytes]);
}

/** Sends a photo in one request of tus, and waits for the answer. */
export async function sendPhoto(
  base: string,
  headers: Record<string, string>,
  stageId: number,
  bytes: Buffer,
): Promise<void> {
  const metadata = {
    stageId: String(stageId),
    filename: 'IMG_1.JPG',
    filetype: 'image/jpeg',
    empreinte: createHash('sha256').update(bytes).digest('hex'),
    version: 'complete',
    prise_le: new Date().toISOString(),
  };
  const response = await fetch(`${base}${UPLOAD_PATH}`, {
    method: 'POST',
    headers: {
      ...headers,
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-length': String(bytes.length),
      'upload-metadata': Object.entries(metadata)
        .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
        .join(','),
    },
    body: new Uint8Array(bytes),
  });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
}

/** A photo to write into the database: its shape in pixels, its ThumbHash, and the bytes of its files. */
export interface Shown {
  largeur: number;
  hauteur: number;
  apercu: string;
  files?: Record<keyof PhotoFiles, Buffer>;
}

/** Photos whose files are so many random bytes each, which no browser draws. */
export function ofBytes(sizes: Record<keyof PhotoFiles, number>): (index: number) => Shown {
  return (index) => {
    const files = Object.entries(sizes).map(([size, bytes]) => [size, randomBytes(bytes)]);
    return { ...bare(index), files: Object.fromEntries(files) as Record<keyof PhotoFiles, Buffer> };
  };
}

/** The photographs of the example, in every size, for what draws them. */
export async function drawnPhotos(): Promise<Shown[]> {
  const names = readdirSync(PICTURES).filter((name) => name.endsWith('.jpg'));
  return Promise.all(
    names.slice(0, 12).map(async (name): Promise<Shown> => {
      const picture = await sharp(join(PICTURES, name)).resize(2400, 2400, { fit: 'inside' }).toBuffer();
      const webp = async (side: number) =>
        sharp(picture).resize(side, side, { fit: 'inside' }).webp(codingOf(side)).toBuffer();
      const [w320, w480, w960, w1920] = await Promise.all(Object.values(PHOTO_SIZES).map(webp));
      const { width: largeur, height: hauteur } = await sharp(w1920).metadata();
      const small = await sharp(picture)
        .resize(100, 100, { fit: 'inside' })
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const hash = rgbaToThumbHash(small.info.width, small.info.height, small.data);
      const jpeg = await sharp(picture).jpeg().toBuffer();
      const files = { w320, w480, w960, w1920, jpeg } as Record<keyof PhotoFiles, Buffer>;
      return { largeur, hauteur, apercu: Buffer.from(hash).toString('base64'), files };
    }),
  );
}

/** A photo without files, every third one upright. */
function bare(index: number): Shown {
  const [largeur, hauteur] = index % 3 === 0 ? [1440, 1920] : [1920, 1440];
  return { largeur, hauteur, apercu: randomBytes(24).toString('base64') };
}

/**
 * Writes so many photos, a minute apart, published unless they are to be checked; `shown`: what each one is. Returns what
 * their files' names begin with.
 */
export async function addPhotos(
  services: Services,
  stageId: number,
  count: number,
  shown: (index: number) => Shown = bare,
  statut: 'publiee' | 'a_verifier' = 'publiee',
): Promise<string[]> {
  const photos = Array.from({ length: count }, (_, index) => ({
    nom: randomBytes(16).toString('hex'),
    taken: new Date(Date.now() - 3_600_000 - index * 60_000).toISOString(),
    shown: shown(index),
  }));
  const kept = new Map<string, NewFile[]>();
  // Many at once: each waits for the disk.
  await atOnce(32, photos, async ({ nom, taken, shown: { files } }) => {
    if (files) kept.set(nom, await keepFiles(services, nom, files, taken));
  });
  await services.database.write(async (transaction) => {
    const numero = await numberChange(transaction, stageId, true);
    for (const { nom, taken, shown } of photos) {
      const { largeur, hauteur, apercu } = shown;
      const { id } = await transaction
        .insertInto('photos')
        .values({
          ...{ stage_id: stageId, empreinte: randomBytes(32).toString('hex'), nom, numero },
          ...{ statut: statut as StateWrite, version: 'complete', a_jpeg: 1, a_480: 1, octets: 2_500_000 },
          ...{ jour: taken.slice(0, 10), prise_le: taken, rang: taken },
          publiee_le: statut === 'publiee' ? taken : null,
          ...{ created_at: taken, modifie_le: taken },
          ...{ largeur, hauteur, apercu },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const own = kept.get(nom) ?? [];
      await registerFiles(
        transaction,
        own.map((file) => ({ ...file, objet_id: id })),
      );
    }
  });
  return photos.map(({ nom }) => nom);
}

async function keepFiles(
  { storage, staging }: Services,
  nom: string,
  files: Record<keyof PhotoFiles, Buffer>,
  created_at: string,
): Promise<NewFile[]> {
  const kept: NewFile[] = [];
  for (const [size, name] of Object.entries(photoFiles(nom, true)) as [keyof PhotoFiles, string][]) {
    const bytes = files[size];
    const path = staging.newPath();
    await writeFile(path, bytes);
    await storage.keep(path, keyOf('photos', name));
    kept.push({
      ...{ nom: name, dossier: 'photos', objet: 'photos', objet_id: 0, largeurs: '', created_at },
      type: size === 'jpeg' ? 'image/jpeg' : 'image/webp',
      taille: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      crc32: crc32(bytes),
    });
  }
  return kept;
}
