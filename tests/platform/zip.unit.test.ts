import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planZip, type Zip, type ZipEntry } from '#platform/server/zip/zip.ts';

interface Held extends ZipEntry {
  bytes: Buffer;
}

function held(name: string, bytes: Buffer, time = '2026-07-08T18:30:00.000Z'): Held {
  return { name, bytes, size: bytes.length, crc32: crc32(bytes), time };
}

function bytesOf(zip: Zip<Held>, start: number, end: number): Buffer {
  const pieces = [...zip.pieces({ start, end })].map((piece) =>
    Buffer.isBuffer(piece) ? piece : piece.entry.bytes.subarray(piece.start, piece.end + 1),
  );
  return Buffer.concat(pieces);
}

const GIGABYTE = 1024 ** 3;

/** Writes an archive of which only some entries have bytes; the others are as long as they say, and blank. */
function write(zip: Zip<ZipEntry & { bytes?: Buffer }>): string {
  const path = join(mkdtempSync(join(tmpdir(), 'passerelle-zip-')), 'archive.zip');
  const file = openSync(path, 'w');
  ftruncateSync(file, zip.size);
  let at = 0;
  for (const piece of zip.pieces({ start: 0, end: zip.size - 1 })) {
    const bytes = Buffer.isBuffer(piece) ? piece : piece.entry.bytes;
    if (bytes) writeSync(file, bytes, 0, bytes.length, at);
    at += Buffer.isBuffer(piece) ? piece.length : piece.end + 1 - piece.start;
  }
  closeSync(file);
  expect(at).toBe(zip.size);
  return path;
}

/** What Info-ZIP says; throws when it finds fault. */
function infoZip(...args: string[]): string {
  return execFileSync('unzip', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

describe('An archive', () => {
  const entries = fc.array(
    fc.record({ name: fc.string({ minLength: 1 }), bytes: fc.uint8Array({ maxLength: 200 }) }),
    { maxLength: 12 },
  );

  test('is as long as it says, and any part of it is that part of the whole', () => {
    fc.assert(
      fc.property(entries, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(500), (made, from, length) => {
        const zip = planZip(made.map(({ name, bytes }) => held(name, Buffer.from(bytes))));
        const whole = bytesOf(zip, 0, zip.size - 1);
        expect(whole.length).toBe(zip.size);
        const start = Math.floor(from * (zip.size - 1));
        const end = Math.min(zip.size - 1, start + length);
        expect(bytesOf(zip, start, end).equals(whole.subarray(start, end + 1))).toBe(true);
      }),
    );
  });
});

// Where it is installed: an archive is right when others open it.
describe.skipIf(!existsSync('/usr/bin/unzip'))('Info-ZIP', () => {
  function opened(zip: Zip<ZipEntry & { bytes?: Buffer }>, look: (path: string) => void): void {
    const path = write(zip);
    try {
      look(path);
    } finally {
      rmSync(join(path, '..'), { recursive: true });
    }
  }

  test('reads names, times and bytes back', () => {
    const day = held('2026-07-08/2026-07-08-001.jpg', Buffer.from('une photo'));
    const before = held('éléphant.webp', Buffer.alloc(0), '1970-01-01T00:00:00.000Z');
    opened(planZip([day, before]), (path) => {
      expect(infoZip('-tqq', path)).toBe('');
      expect(infoZip('-p', path, day.name)).toBe('une photo');
      expect(infoZip('-l', path)).toContain(`2026-07-08 18:30   ${day.name}`);
      expect(infoZip('-l', path)).toContain('1980-01-01 00:00');
    });
  });

  test('reads an archive past 4 GB, and a file in it that is longer than that', () => {
    const [first, last] = [held('a', Buffer.from('premier')), held('z', Buffer.from('dernier'))];
    const blank = (name: string, size: number) => ({ name, size, crc32: 0, time: first.time });
    const long = [blank('b', 5 * GIGABYTE), blank('c', 3 * GIGABYTE)];
    opened(planZip([first, ...long, last]), (path) => {
      expect(infoZip('-p', path, 'a')).toBe('premier');
      expect(infoZip('-p', path, 'z')).toBe('dernier');
      expect(infoZip('-tqq', path, 'a', 'z')).toBe('');
      expect(infoZip('-l', path)).toContain(String(5 * GIGABYTE));
    });
  });

  test('reads more than 65 535 files', () => {
    const many = Array.from({ length: 70_000 }, (_, index) => held(`${index}.txt`, Buffer.from(`${index}`)));
    opened(planZip(many), (path) => {
      expect(infoZip('-Z1', path).trim().split('\n')).toHaveLength(many.length);
      expect(infoZip('-p', path, '69999.txt')).toBe('69999');
    });
  });
});
