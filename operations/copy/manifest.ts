import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { atOnce } from '#platform/server/concurrency.ts';
import type { WholeRow } from '#platform/server/db/json.ts';
import type { TableName } from '#platform/server/db/wholeTables.ts';
import { conflict, type HttpError } from '#platform/server/errors.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import { metered } from '#platform/server/storage/storage.ts';
import { type Destination, ERASURES, fileOf, type Measured, partOf } from './destination.ts';

/** The manifest lists the content of a backup: without it there is no backup, and with it every byte can be checked. */

const measured = z.object({ taille: z.number(), sha256: z.string() });

const manifest = z.object({
  format: z.literal(1),
  /** The last migration applied to the database. */
  migration: z.string(),
  instant: z.string(),
  /** The last id that each table had given. */
  derniers_ids: z.record(z.string(), z.number()),
  /** Row count of each table, and size and hash of the file that holds them. */
  tables: z.record(z.string(), measured.extend({ lignes: z.number() })),
  /** Size, hash and key of each file: `photos/ab/ab….webp`, and no key that could lead out of the folder. */
  fichiers: z.array(measured.extend({ cle: z.string().regex(/^\w+\/[\w-]{2}\/[\w-][\w.-]*$/) })),
  /** Keys of the files erased during the copy (`effaces`), and of those the site had lost (`manquants`). */
  effaces: z.array(z.string()),
  manquants: z.array(z.string()),
});
export type Manifest = z.infer<typeof manifest>;

/** Number of files read or written concurrently. */
export const AT_ONCE = 16;

const NAME = 'manifeste.json.gz';
type Bytes = AsyncIterable<Uint8Array>;

export const partOfTable = (instant: string, table: string) => partOf(instant, `${table}.jsonl.gz`);
export const nameOf = (key: string) => key.slice(key.lastIndexOf('/') + 1);

export function writeManifest(destination: Destination, name: string, content: Manifest): Promise<Measured> {
  return destination.write(partOf(name, NAME), zipped([JSON.stringify(content)]));
}

/** Reads a backup's manifest; throws 409 when it is missing or damaged. */
export async function readManifest(destination: Destination, name: string): Promise<Manifest> {
  try {
    const bytes = await buffer(unzipped(destination.read(partOf(name, NAME))));
    return manifest.parse(JSON.parse(bytes.toString()));
  } catch (error) {
    throw damaged(`${destination.path}/${name}/${NAME}`, error);
  }
}

const SEAL = 'sceau';

/** What a backup's seal covers: its manifest, which holds the hash of everything else, as the backup of its instant. */
const sealContext = (name: string) => `sauvegarde ${name}`;

/** Writes the seal that only who has the site's secret key can make, whether the backup is encrypted or not. */
export async function writeSeal(
  destination: Destination,
  name: string,
  { sha256 }: Measured,
  secrets: Secrets,
): Promise<void> {
  await destination.write(partOf(name, SEAL), [Buffer.from(secrets.seal(sha256, sealContext(name)))]);
}

/** Whether the site with these secrets has made this backup as it is now; false when it has no seal at all. */
export async function isSealedBy(destination: Destination, name: string, secrets: Secrets): Promise<boolean> {
  try {
    const sealed = (await buffer(destination.read(partOf(name, SEAL)))).toString();
    const { sha256 } = await measure(destination.read(partOf(name, NAME)));
    return secrets.open(sealed, sealContext(name)) === sha256;
  } catch {
    return false;
  }
}

/** What is missing from a backup or altered in it: paths of tables in its folder, and keys of files. */
export interface Damage {
  tables: string[];
  files: string[];
}

/** Reads every byte of a backup. */
export async function findDamage(
  destination: Destination,
  name: string,
  { tables, fichiers }: Manifest,
): Promise<Damage> {
  const found: Damage = { tables: [], files: [] };
  const isIntact = (at: string, wanted: Measured) => isAsWritten(destination.read(at), wanted);
  await atOnce(AT_ONCE, Object.entries(tables), async ([table, wanted]) => {
    const at = partOfTable(name, table);
    if (!(await isIntact(at, wanted))) found.tables.push(at);
  });
  await atOnce(AT_ONCE, fichiers, async ({ cle, ...wanted }) => {
    if (!(await isIntact(fileOf(nameOf(cle)), wanted))) found.files.push(cle);
  });
  return { tables: found.tables.sort(), files: found.files.sort() };
}

/** Where something damaged lies, for people. */
export function damagedPaths({ path }: Destination, { tables, files }: Damage): string[] {
  return [...tables, ...files.map((key) => fileOf(nameOf(key)))].map((at) => `${path}/${at}`);
}

/** Whether the bytes have the wanted size and hash; false as well when they are missing or cannot be read. */
export async function isAsWritten(bytes: Bytes, wanted: Measured): Promise<boolean> {
  try {
    const { taille, sha256 } = await measure(bytes);
    return taille === wanted.taille && sha256 === wanted.sha256;
  } catch {
    return false;
  }
}

export async function measure(bytes: Bytes): Promise<Measured> {
  const passing = metered(bytes);
  for await (const _ of passing.bytes);
  return passing.taken();
}

/** The copy of the file of erasures beside the backups; blank when there is none. */
export async function readErasuresCopy(destination: Destination): Promise<string> {
  try {
    return (await buffer(destination.read(ERASURES))).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw damaged(`${destination.path}/${ERASURES}`, error);
  }
}

/** The refusal of a backup in which this is missing or altered. */
export function damaged(path: string, cause?: unknown): HttpError {
  const refusal = conflict(
    `Cette sauvegarde est abîmée\u202f: ${path} manque, ou n’est plus ce qui a été écrit.`,
  );
  refusal.cause = cause;
  return refusal;
}

/** Encodes rows as gzipped lines of JSON. */
export function packed(batches: AsyncIterable<WholeRow[]>): Bytes {
  async function* lines() {
    for await (const rows of batches) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  }
  return zipped(lines());
}

/** Reads the rows of a table of a backup, in batches. */
export async function* unpacked(
  destination: Destination,
  name: string,
  table: TableName,
): AsyncGenerator<WholeRow[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of unzipped(destination.read(partOfTable(name, table)))) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines.map((line) => JSON.parse(line) as WholeRow);
  }
}

function zipped(text: Iterable<string> | AsyncIterable<string>): Bytes {
  // The callback can be empty: the reader of the returned stream receives the error.
  return pipeline(Readable.from(text), createGzip(), () => {});
}

function unzipped(bytes: Bytes): Bytes {
  return pipeline(Readable.from(bytes), createGunzip(), () => {});
}
