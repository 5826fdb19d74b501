import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, scryptSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '#platform/server/config.ts';
import { conflict } from '#platform/server/http/errors.ts';

/*
 * A folder of backups:
 *
 *   destination.json        says that it is one, and with what its files are sealed
 *   effacements.jsonl       the newest known copy of the file of erasures
 *   fichiers/ab/ab….webp    the files of all backups: a name is written once
 *   2026-06-20T02-00-00-000Z/   a backup: a file a table, and its manifest
 *   en-cours/               what is being written; nothing of it counts
 *   verrou.db               held by whoever writes there
 */

const MARKER = 'destination.json';
const FILES = 'fichiers';
const UNDER_WAY = 'en-cours';
export const ERASURES = 'effacements.jsonl';
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

const marker = z.object({
  format: z.literal(1),
  /** Null: nothing is sealed. */
  chiffrement: z.object({ sel: z.string(), empreinte: z.string() }).nullable(),
});

/** What was written, before it was sealed. */
export interface Measured {
  taille: number;
  sha256: string;
}

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface Destination {
  path: string;
  /** The instants of its complete backups, oldest first. */
  listInstants(): Promise<string[]>;
  /** Writes a file, by its path in the folder; it is there whole or not at all. It survives a power cut from `flush` on. */
  write(name: string, bytes: Bytes): Promise<Measured>;
  read(name: string): AsyncIterable<Uint8Array>;
  flush(): Promise<void>;
  /** The size of a file as it should be, without reading it. */
  hasSize(name: string, bytes: number): Promise<boolean>;
  /** Where a backup is written until it is complete. */
  begin(instant: string): Promise<void>;
  /** Makes of what was written since `begin` a backup that counts. */
  complete(instant: string): Promise<void>;
  /** Erases a backup; its files stay. */
  forget(instant: string): Promise<void>;
  /** The names of the files of all backups. */
  listFiles(): AsyncIterable<string>;
  removeFile(name: string): Promise<void>;
}

/** Where a backup's part is: a table, or the manifest. */
export const partOf = (instant: string, name: string) => `${instant}/${name}`;
/** Where a file is that backups share. */
export const fileOf = (name: string) => `${FILES}/${name.slice(0, 2).toLowerCase()}/${name}`;

/** Whether a backup could have this name. */
export const isInstant = (name: string) => INSTANT.test(name);

/** Opens the folder of backups; `isNew` makes one where there is none. Throws what a person can put right. */
export async function openDestination(
  path: string,
  key: string | undefined,
  { isNew = false } = {},
): Promise<Destination> {
  const found = (await readMarker(path)) ?? (isNew ? await makeMarker(path, key) : undefined);
  if (!found) throw new ConfigError(`${path} n’est pas un dossier de sauvegardes.`);
  return destination(path, sealingOf(path, found, key));
}

async function readMarker(path: string): Promise<z.infer<typeof marker> | undefined> {
  let text: string;
  try {
    text = await readFile(join(path, MARKER), 'utf8');
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  try {
    return marker.parse(JSON.parse(text));
  } catch {
    throw conflict(`${join(path, MARKER)} est abîmé, ou d’une version plus récente.`);
  }
}

async function makeMarker(path: string, key: string | undefined): Promise<z.infer<typeof marker>> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const names = (await readdir(path)).filter((name) => !OURS.test(name));
  if (names.length > 0)
    throw new ConfigError(
      `${path} contient autre chose que des sauvegardes\u202f: donnez un dossier vide, ou qui n’existe pas encore.`,
    );
  const sel = randomBytes(16).toString('hex');
  const made: z.infer<typeof marker> = {
    format: 1,
    chiffrement: key === undefined ? null : { sel, empreinte: openSealing(key, sel).mark },
  };
  await writeWhole(path, join(path, MARKER), [`${JSON.stringify(made)}\n`]);
  await sync(path);
  return made;
}

/** What stands in a folder of which nothing but the opening has come about. */
const OURS = /^(en-cours|verrou\.db(-journal)?)$/;

function sealingOf(
  path: string,
  { chiffrement }: z.infer<typeof marker>,
  key: string | undefined,
): Sealing | undefined {
  if (!chiffrement) {
    if (key === undefined) return undefined;
    throw new ConfigError(
      `BACKUP_KEY\u202f: les sauvegardes de ${path} ne sont pas chiffrées. Choisissez un autre dossier, ou retirez cette variable.`,
    );
  }
  if (key === undefined)
    throw new ConfigError(`BACKUP_KEY manque\u202f: les sauvegardes de ${path} sont chiffrées.`);
  const sealing = openSealing(key, chiffrement.sel);
  if (sealing.mark === chiffrement.empreinte) return sealing;
  throw new ConfigError(`BACKUP_KEY n’est pas la clé des sauvegardes de ${path}.`);
}

function destination(path: string, sealing: Sealing | undefined): Destination {
  /** A backup under way is elsewhere, but sealed under the name that it will have. */
  let current: string | undefined;
  /** Folders with new entries, synced together: half of what many small files cost. */
  const touched = new Set<string>();
  async function flush(): Promise<void> {
    for (const directory of touched) await sync(directory);
    touched.clear();
  }
  const pathOf = (name: string) =>
    current !== undefined && name.startsWith(`${current}/`) ? join(path, UNDER_WAY, name) : join(path, name);
  return {
    path,
    async listInstants() {
      return (await readdir(path)).filter(isInstant).sort();
    },
    async write(name, bytes) {
      const hash = createHash('sha256');
      let taille = 0;
      async function* measured() {
        for await (const chunk of bytes) {
          hash.update(chunk);
          taille += chunk.length;
          yield chunk;
        }
      }
      const to = pathOf(name);
      await writeWhole(path, to, sealing ? sealing.seal(measured(), name) : measured());
      touched.add(dirname(to));
      return { taille, sha256: hash.digest('hex') };
    },
    flush,
    read: (name) => (sealing ? sealing.open(pathOf(name), name) : createReadStream(pathOf(name))),
    async hasSize(name, bytes) {
      try {
        return (await stat(pathOf(name))).size === (sealing ? sealing.sizeOf(bytes) : bytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
        throw error;
      }
    },
    async begin(instant) {
      await rm(join(path, UNDER_WAY), { recursive: true, force: true });
      await mkdir(join(path, FILES), { recursive: true, mode: 0o700 });
      current = instant;
    },
    async complete(instant) {
      // The folders that hold what was written are themselves entries that a power cut could lose.
      touched.add(join(path, FILES));
      await flush();
      await rename(join(path, UNDER_WAY, instant), join(path, instant));
      await sync(path);
      current = undefined;
    },
    async forget(instant) {
      const gone = join(path, UNDER_WAY, instant);
      await mkdir(dirname(gone), { recursive: true });
      // It no longer counts from here on, whenever the rest is cut off.
      await rename(join(path, instant), gone);
      await rm(gone, { recursive: true });
    },
    async *listFiles() {
      for await (const entry of await opendir(join(path, FILES), { recursive: true }))
        if (entry.isFile()) yield entry.name;
    },
    removeFile: (name) => rm(join(path, fileOf(name)), { force: true }),
  };
}

async function writeWhole(
  root: string,
  path: string,
  bytes: Iterable<string> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const temporary = join(root, UNDER_WAY, randomBytes(16).toString('hex'));
  await mkdir(dirname(temporary), { recursive: true, mode: 0o700 });
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rename(temporary, path);
}

async function sync(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/*
 * Files sealed as they stream: AES-256-GCM in pieces, each with its place, and the last one with the word that it is the last,
 * so that none can be changed, left out or put elsewhere, nor the end cut off. Each file has a key of its own, made of a
 * random salt and of its name: it opens nowhere else.
 */

type SealedBytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

interface Sealing {
  seal(bytes: SealedBytes, name: string): AsyncGenerator<Buffer>;
  /** Reads a sealed file; throws when the key, the name or a byte differs. */
  open(path: string, name: string): AsyncGenerator<Buffer>;
  /** SealedBytes of a file of so many once it is sealed. */
  sizeOf(bytes: number): number;
  /** Tells the key without opening anything. */
  mark: string;
}

const SALT_BYTES = 16;
const PIECE_BYTES = 64 * 1024;
const TAG_BYTES = 16;

/** Slow on purpose, as the key may be a sentence that a person made up. */
export function openSealing(key: string, salt: string): Sealing {
  const stretched = scryptSync(key, salt, 64, { N: 2 ** 15, maxmem: 64 * 1024 * 1024 });
  const main = stretched.subarray(0, 32);
  const keyOf = (fileSalt: Uint8Array, name: string) =>
    Buffer.from(hkdfSync('sha256', main, fileSalt, name, 32));

  return {
    mark: createHash('sha256').update(stretched.subarray(32)).digest('hex'),
    sizeOf: (bytes) => SALT_BYTES + bytes + TAG_BYTES * Math.max(1, Math.ceil(bytes / PIECE_BYTES)),
    async *seal(bytes, name) {
      const fileSalt = randomBytes(SALT_BYTES);
      const fileKey = keyOf(fileSalt, name);
      yield fileSalt;
      for await (const { piece, nonce } of piecesOf(bytes, PIECE_BYTES)) {
        const cipher = createCipheriv('aes-256-gcm', fileKey, nonce);
        yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
      }
    },
    async *open(path, name) {
      const fileKey = keyOf(await startOf(path), name);
      const sealed = createReadStream(path, { start: SALT_BYTES, highWaterMark: 4 * PIECE_BYTES });
      for await (const { piece, nonce } of piecesOf(sealed, PIECE_BYTES + TAG_BYTES)) {
        if (piece.length < TAG_BYTES) throw new Error('Sealed file cut short');
        const decipher = createDecipheriv('aes-256-gcm', fileKey, nonce, { authTagLength: TAG_BYTES });
        decipher.setAuthTag(piece.subarray(-TAG_BYTES));
        yield Buffer.concat([decipher.update(piece.subarray(0, -TAG_BYTES)), decipher.final()]);
      }
    },
  };
}

async function startOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const start = Buffer.alloc(SALT_BYTES);
    const { bytesRead } = await file.read(start, 0, SALT_BYTES, 0);
    if (bytesRead < SALT_BYTES) throw new Error('Sealed file cut short');
    return start;
  } finally {
    await file.close();
  }
}

/** SealedBytes in pieces of one size, but for the last, which is shorter or as long; the nonce says which one it is. */
async function* piecesOf(bytes: SealedBytes, size: number): AsyncGenerator<{ piece: Buffer; nonce: Buffer }> {
  let index = 0;
  const numbered = (piece: Buffer, isLast: boolean) => {
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(index++);
    nonce.writeUInt8(isLast ? 1 : 0, 11);
    return { piece, nonce };
  };
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    rest = Buffer.concat([rest, chunk]);
    for (; rest.length > size; rest = rest.subarray(size)) yield numbered(rest.subarray(0, size), false);
  }
  yield numbered(rest, true);
}
