import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { journal } from '#features/audit/server/journal.ts';
import { WATCHED } from '#features/audit/shared/journal.ts';
import type { TableKeys } from '#platform/server/db/tables.ts';
import type { ByteRange } from '#platform/server/http/downloads.ts';
import { type HandlersOf, RangedFile } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { keyOf, unlessMissing } from '#platform/server/storage/storage.ts';
import { partOfFile, planZip, type Zip, type ZipEntry } from '#platform/server/zip/zip.ts';
import { dayAt } from '#platform/shared/time.ts';
import type { exportCalls } from '../calls.ts';
import { listWholeFiles, pathOf, type WholeFile, writeTexts } from './openFiles.ts';
import { listChecksums } from './takeoverStore.ts';

/* The export of the portal: what the command writes into a folder, as one ZIP. */

/** A text that was made, or a file of the site by its key. */
type Entry = ZipEntry & ({ text: Buffer } | { key: string });

export function exportHandlers(site: Services, keys: TableKeys): HandlersOf<typeof exportCalls> {
  const { database, config, clock } = site;
  return {
    'POST /export': async () => {
      const files = await listWholeFiles(database.db);
      return { fichiers: files.length, octets: files.reduce((sum, { kept }) => sum + kept.taille, 0) };
    },
    'GET /export.zip': async (context) => {
      // Before, as what is read by a download that is then cut has been read.
      await database.write((transaction) => journal(transaction, context, clock(), WATCHED.export));
      const zip = planZip(await listEntries(site, keys));
      const body = {
        size: zip.size,
        // The next one holds other texts: a download that was cut begins anew.
        etag: `"${randomUUID()}"`,
        open: async (range: ByteRange = { start: 0, end: zip.size - 1 }) => bytesOf(site, zip, range),
      };
      return new RangedFile(body, `passerelle-${dayAt(clock(), config.TIME_ZONE)}.zip`);
    },
  };
}

/** The texts, which are held in memory (a few megabytes a year), then the files that are there. */
async function listEntries(site: Services, keys: TableKeys): Promise<Entry[]> {
  const time = site.clock().toISOString();
  const entries: Entry[] = [];
  const { files } = await writeTexts(site, keys, async (name, pieces) => {
    const parts: Buffer[] = [];
    for await (const piece of pieces) parts.push(Buffer.from(piece));
    const text = Buffer.concat(parts);
    entries.push({ name, size: text.length, crc32: crc32(text), time, text });
  });
  // Of photos above all.
  const known = new Map(
    (await listChecksums(site.database.db)).map(({ dossier, nom, crc32 }) => [keyOf(dossier, nom), crc32]),
  );
  for (const file of files) {
    const sum = known.get(file.key) ?? (await sumOf(site, file));
    if (sum !== undefined)
      entries.push({ name: pathOf(file.key), size: file.kept.taille, crc32: sum, time, key: file.key });
  }
  return entries;
}

/** The checksum of a file of which none is kept; undefined for one that the site has lost, which is logged. */
async function sumOf({ storage, log }: Services, { key }: WholeFile): Promise<number | undefined> {
  const pieces = await unlessMissing(storage.readPieces(key));
  if (!pieces) {
    log.warn({ file: key }, 'a file that the site has lost is not in its export');
    return undefined;
  }
  let sum = 0;
  for await (const bytes of pieces) sum = crc32(bytes, sum);
  return sum;
}

async function* bytesOf({ storage }: Services, zip: Zip<Entry>, range: ByteRange): AsyncGenerator<Buffer> {
  for (const piece of zip.pieces(range)) {
    if (Buffer.isBuffer(piece)) yield piece;
    else if ('text' in piece.entry) yield piece.entry.text.subarray(piece.start, piece.end + 1);
    else yield* partOfFile(storage, piece.entry.key, piece);
  }
}
