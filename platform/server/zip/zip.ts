import { crc32 } from 'node:zlib';
import type { Storage } from '#platform/server/storage/storage.ts';

/*
 * ZIP archives of uncompressed files: photos are compressed already. As sizes and checksums are known beforehand, so
 * is every byte around them: the archive has a known length, and any part of it can be made without what comes
 * before. ZIP64 is used where an archive, or a file in it, exceeds the limits of the original format.
 */

export interface ZipEntry {
  /** With `/` between folders. */
  name: string;
  /** Bytes. */
  size: number;
  crc32: number;
  /** A wall-clock time, as ZIP stores them: `2026-07-08T18:30:00.000Z`. */
  time: string;
}

/** Bytes of the archive: made here, or those of an entry from `start` to `end`, included. */
type ZipPiece<E extends ZipEntry> = Buffer | { entry: E; start: number; end: number };

export interface Zip<E extends ZipEntry> {
  /** Bytes. */
  size: number;
  /** The bytes from `start` to `end`, included; no piece is empty. */
  pieces(range: { start: number; end: number }): Generator<ZipPiece<E>>;
}

/** A number from this on needs its ZIP64 form. */
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;

/** Versions of the format that a reader must support: for folders, for ZIP64. */
const FOLDERS = 20;
const ZIP64 = 45;
const UTF_8_NAME = 0x800;
/** Made on Unix: a plain file that its owner can write and everybody can read. */
const UNIX = 3 << 8;
const PLAIN_FILE = 0o100644 * 0x10000;

/** Bytes of the directory that are sent together. */
const PIECE_BYTES = 64 * 1024;

const LOCAL_BYTES = 30;
const LOCAL_ZIP64_BYTES = 20;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
const END_ZIP64_BYTES = 56 + 20;

/** The bytes of a stored file for an archive, from `start` to `end`, included. Throws when it is shorter than was planned. */
export async function* partOfFile(
  storage: Pick<Storage, 'readPieces'>,
  key: string,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer> {
  let left = end + 1 - start;
  for await (const bytes of await storage.readPieces(key, { start, end })) {
    left -= bytes.length;
    yield bytes;
  }
  if (left > 0) throw new Error('a file of an archive is shorter than it was');
}

export function planZip<E extends ZipEntry>(entries: readonly E[]): Zip<E> {
  const offsets: number[] = [];
  let directoryAt = 0;
  for (const entry of entries) {
    offsets.push(directoryAt);
    directoryAt += localLength(entry) + entry.size;
  }
  let endAt = directoryAt;
  for (const [index, entry] of entries.entries()) endAt += centralLength(entry, offsets[index] ?? 0);
  const end = endOf(entries.length, directoryAt, endAt);

  /** Every piece in its order; headers are made only when they are asked for. */
  function* whole(): Generator<{ length: number; entry?: E; make?: () => Buffer }> {
    for (const entry of entries) {
      yield { length: localLength(entry), make: () => localHeader(entry) };
      yield { length: entry.size, entry };
    }
    for (const [index, entry] of entries.entries()) {
      const offset = offsets[index] ?? 0;
      yield { length: centralLength(entry, offset), make: () => centralHeader(entry, offset) };
    }
    yield { length: end.length, make: () => end };
  }

  return {
    size: endAt + end.length,
    *pieces(range) {
      // The directory is many small pieces, which are joined before they are sent.
      let made: Buffer[] = [];
      let madeBytes = 0;
      let at = 0;
      for (const { length, entry, make } of whole()) {
        const start = Math.max(0, range.start - at);
        const last = Math.min(length - 1, range.end - at);
        at += length;
        if (start > last) continue;
        if (make) {
          made.push(make().subarray(start, last + 1));
          madeBytes += last + 1 - start;
        }
        if (made.length > 0 && (entry || madeBytes >= PIECE_BYTES || at > range.end)) {
          yield Buffer.concat(made);
          made = [];
          madeBytes = 0;
        }
        if (entry) yield { entry, start, end: last };
        if (at > range.end) return;
      }
    },
  };
}

/** A file that is wholly in memory. */
export interface ZipFile extends Pick<ZipEntry, 'name' | 'time'> {
  body: Buffer;
}

/** Makes a whole archive of files that fit in memory. */
export function zipOf(files: readonly ZipFile[]): Buffer {
  const zip = planZip(files.map((file) => ({ ...file, size: file.body.length, crc32: crc32(file.body) })));
  const pieces = [...zip.pieces({ start: 0, end: zip.size - 1 })];
  return Buffer.concat(
    pieces.map((piece) =>
      Buffer.isBuffer(piece) ? piece : piece.entry.body.subarray(piece.start, piece.end + 1),
    ),
  );
}

function localLength(entry: ZipEntry): number {
  return LOCAL_BYTES + Buffer.byteLength(entry.name) + (entry.size >= MAX_32 ? LOCAL_ZIP64_BYTES : 0);
}

function localHeader(entry: ZipEntry): Buffer {
  // Both sizes, although they are equal: a reader that starts from the beginning of the archive needs them.
  const extra = zip64Extra(entry.size >= MAX_32 ? [entry.size, entry.size] : []);
  const header = Buffer.alloc(LOCAL_BYTES);
  header.writeUInt32LE(0x04034b50, 0);
  writeCommon(header, 4, entry, extra);
  return Buffer.concat([header, Buffer.from(entry.name), extra]);
}

function centralLength(entry: ZipEntry, offset: number): number {
  const numbers = centralNumbers(entry, offset).length;
  return CENTRAL_BYTES + Buffer.byteLength(entry.name) + (numbers > 0 ? 4 + 8 * numbers : 0);
}

function centralHeader(entry: ZipEntry, offset: number): Buffer {
  const numbers = centralNumbers(entry, offset);
  const extra = zip64Extra(numbers);
  const header = Buffer.alloc(CENTRAL_BYTES);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(UNIX | versionFor(numbers.length > 0), 4);
  writeCommon(header, 6, entry, extra);
  header.writeUInt32LE(PLAIN_FILE, 38);
  header.writeUInt32LE(Math.min(offset, MAX_32), 42);
  return Buffer.concat([header, Buffer.from(entry.name), extra]);
}

/** The numbers that do not fit in the original form of a directory entry, in the order of its ZIP64 form. */
function centralNumbers(entry: ZipEntry, offset: number): number[] {
  return [...(entry.size >= MAX_32 ? [entry.size, entry.size] : []), ...(offset >= MAX_32 ? [offset] : [])];
}

/** Writes the fields that both headers of an entry share, from `at` on. */
function writeCommon(header: Buffer, at: number, entry: ZipEntry, extra: Buffer): void {
  const size = Math.min(entry.size, MAX_32);
  header.writeUInt16LE(versionFor(extra.length > 0), at);
  header.writeUInt16LE(UTF_8_NAME, at + 2);
  const { day, clock } = dosTime(entry.time);
  header.writeUInt16LE(clock, at + 6);
  header.writeUInt16LE(day, at + 8);
  header.writeUInt32LE(entry.crc32, at + 10);
  header.writeUInt32LE(size, at + 14);
  header.writeUInt32LE(size, at + 18);
  header.writeUInt16LE(Buffer.byteLength(entry.name), at + 22);
  header.writeUInt16LE(extra.length, at + 24);
}

function versionFor(isZip64: boolean): number {
  return isZip64 ? ZIP64 : FOLDERS;
}

function zip64Extra(numbers: readonly number[]): Buffer {
  if (numbers.length === 0) return Buffer.alloc(0);
  const extra = Buffer.alloc(4 + 8 * numbers.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * numbers.length, 2);
  for (const [index, number] of numbers.entries()) extra.writeBigUInt64LE(BigInt(number), 4 + 8 * index);
  return extra;
}

function endOf(count: number, directoryAt: number, endAt: number): Buffer {
  const length = endAt - directoryAt;
  const isZip64 = count >= MAX_16 || length >= MAX_32 || directoryAt >= MAX_32;
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, MAX_16), 8);
  end.writeUInt16LE(Math.min(count, MAX_16), 10);
  end.writeUInt32LE(Math.min(length, MAX_32), 12);
  end.writeUInt32LE(Math.min(directoryAt, MAX_32), 16);
  if (!isZip64) return end;
  const large = Buffer.alloc(END_ZIP64_BYTES);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(UNIX | ZIP64, 12);
  large.writeUInt16LE(ZIP64, 14);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(length), 40);
  large.writeBigUInt64LE(BigInt(directoryAt), 48);
  large.writeUInt32LE(0x07064b50, 56);
  large.writeBigUInt64LE(BigInt(endAt), 64);
  large.writeUInt32LE(1, 72);
  return Buffer.concat([large, end]);
}

/** The time in DOS form, which has only even seconds from 1980 to 2107. */
function dosTime(time: string): { day: number; clock: number } {
  const [year = 0, month = 0, date = 0, hours = 0, minutes = 0, seconds = 0] = time.split(/\D/).map(Number);
  if (year < 1980) return { day: 0x21, clock: 0 };
  return {
    day: (Math.min(year - 1980, 127) << 9) | (month << 5) | date,
    clock: (hours << 11) | (minutes << 5) | (seconds >> 1),
  };
}
