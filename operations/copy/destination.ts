import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, scryptSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '#platform/server/config.ts';
import { conflict } from '#platform/server/errors.ts';
import { syncPath } from '#platform/server/storage/disk.ts';
import { metered } from '#platform/server/storage/storage.ts';

/*
 * A folder of backups:
 *
 *   destination.json        marks the folder, and identifies the key that encrypts its files
 *   effacements.jsonl       the newest known copy of the file of erasures
 *   fichiers/ab/ab….webp    the files of all backups: a name is written once
 *   2026-06-20T02-00-00-000Z/   a backup: one file per table, and its manifest
 *   en-cours/               writes under way; nothing in it counts as a backup
 *   verrou.db               lock held by the process that writes there
 */

const MARKER = 'destination.json';
const FILES = 'fichiers';
const UNDER_WAY = 'en-cours';
export const ERASURES = 'effacements.jsonl';
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

const marker = z.object({
  format: z.literal(1),
  /** Salt of the key and its fingerprint; null when nothing is encrypted. */
  chiffrement: z.object({ sel: z.string(), empreinte: z.string() }).nullable(),
});

/** Size and hash of a file's content before encryption. */
export interface Measured {
  taille: number;
  sha256: string;
}

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface Destination {
  path: string;
  /** The instants (folder names) of the complete backups, oldest first. */
  listInstants(): Promise<string[]>;
  /** Writes a file atomically, by its path in the folder. It survives a power cut only once `flush` has returned. */
  write(name: string, bytes: Bytes): Promise<Measured>;
  read(name: string): AsyncIterable<Uint8Array>;
  flush(): Promise<void>;
  /** Whether a file is there with the size of so many bytes of content; does not read it. */
  hasSize(name: string, bytes: number): Promise<boolean>;
  /** Starts a backup: what an interrupted one left in `en-cours` is removed, and parts are written there. */
  begin(instant: string): Promise<void>;
  /** Turns what was written since `begin` into a complete backup. */
  complete(instant: string): Promise<void>;
  /** Erases a backup; the files in `fichiers` stay. */
  forget(instant: string): Promise<void>;
  listFiles(): AsyncIterable<string>;
  removeFile(name: string): Promise<void>;
}

/** Path, in the folder, of a part of a backup: a table or the manifest. */
export const partOf = (instant: string, name: string) => `${instant}/${name}`;
/** Path, in the folder, of a file that backups share. */
export const fileOf = (name: string) => `${FILES}/${name.slice(0, 2).toLowerCase()}/${name}`;

const isInstant = (name: string) => INSTANT.test(name);

/** What a person names by `DOSSIER` or `DOSSIER/INSTANT`: a folder of backups, or one of its backups. */
export function namedBy(given: string): { folder: string; wanted: string | undefined } {
  const path = resolve(given);
  return isInstant(basename(path))
    ? { folder: dirname(path), wanted: basename(path) }
    : { folder: path, wanted: undefined };
}

/** The instants of the backups that a person names, oldest first. Throws `ConfigError` when there is none. */
export async function instantsOf({ path, listInstants }: Destination, wanted?: string): Promise<string[]> {
  const all = await listInstants();
  const found = wanted === undefined ? all : all.filter((one) => one === wanted);
  if (found.length > 0) return found;
  throw new ConfigError(
    wanted === undefined
      ? `${path} n’a pas encore de sauvegarde.`
      : `${path} n’a pas de sauvegarde ${wanted}.`,
  );
}

/**
 * Opens a folder of backups; with `isNew`, makes one where there is none. Throws `ConfigError` for another kind of
 * folder or a wrong key, 409 for a damaged `destination.json`.
 */
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
    chiffrement: key === undefined ? null : { sel, empreinte: openSealing(key, sel).fingerprint },
  };
  await writeWhole(path, join(path, MARKER), [`${JSON.stringify(made)}\n`]);
  await syncPath(path);
  return made;
}

/** Names that an earlier, interrupted opening may have left in a folder that is otherwise empty. */
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
  if (sealing.fingerprint === chiffrement.empreinte) return sealing;
  throw new ConfigError(`BACKUP_KEY n’est pas la clé des sauvegardes de ${path}.`);
}

function destination(path: string, sealing: Sealing | undefined): Destination {
  /** Instant of the backup under way: its parts lie in `en-cours`, but are sealed under their final names. */
  let current: string | undefined;
  /** Folders with new entries, synced together by `flush`: this halves the cost of many small files. */
  const touched = new Set<string>();
  async function flush(): Promise<void> {
    for (const directory of touched) await syncPath(directory);
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
      const passing = metered(bytes);
      const to = pathOf(name);
      await writeWhole(path, to, sealing ? sealing.seal(passing.bytes, name) : passing.bytes);
      touched.add(dirname(to));
      return passing.taken();
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
      // The subfolders just created are entries of `fichiers`, which a power cut could lose.
      touched.add(join(path, FILES));
      await flush();
      await rename(join(path, UNDER_WAY, instant), join(path, instant));
      await syncPath(path);
      current = undefined;
    },
    async forget(instant) {
      const gone = join(path, UNDER_WAY, instant);
      await mkdir(dirname(gone), { recursive: true });
      // From this rename on the backup no longer counts, even if the removal is interrupted.
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
  await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600, flush: true });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rename(temporary, path);
}

/*
 * Encryption of files as they stream: AES-256-GCM in pieces. The nonce of each piece holds its index and whether it is
 * the last, so that no piece can be changed, left out or moved, nor the end cut off. Each file has its own key, derived
 * from a random salt and its name: under another name it does not open.
 */

type SealedBytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

interface Sealing {
  seal(bytes: SealedBytes, name: string): AsyncGenerator<Buffer>;
  /** Decrypts a sealed file; throws when the key, the name or a byte differs. */
  open(path: string, name: string): AsyncGenerator<Buffer>;
  /** Size, once sealed, of a file of `bytes` bytes. */
  sizeOf(bytes: number): number;
  /** Fingerprint of the key, by which a wrong key is detected without decrypting a file. */
  fingerprint: string;
}

const SALT_BYTES = 16;
const PIECE_BYTES = 64 * 1024;
const TAG_BYTES = 16;

/** Derives the encryption key. Slow on purpose (scrypt), as the given key may be a sentence that a person made up. */
export function openSealing(key: string, salt: string): Sealing {
  const stretched = scryptSync(key, salt, 64, { N: 2 ** 15, maxmem: 64 * 1024 * 1024 });
  const main = stretched.subarray(0, 32);
  const keyOf = (fileSalt: Uint8Array, name: string) =>
    Buffer.from(hkdfSync('sha256', main, fileSalt, name, 32));

  return {
    fingerprint: createHash('sha256').update(stretched.subarray(32)).digest('hex'),
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
  await using file = await open(path, 'r');
  const start = Buffer.alloc(SALT_BYTES);
  const { bytesRead } = await file.read(start, 0, SALT_BYTES, 0);
  if (bytesRead < SALT_BYTES) throw new Error('Sealed file cut short');
  return start;
}

/** Cuts a stream into pieces of `size` bytes, the last of `size` or fewer, each with its nonce: index and last flag. */
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
