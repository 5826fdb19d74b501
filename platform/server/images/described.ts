import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What the register says of the bytes of a file. */
export function described(data: Buffer): { size: number; sha256: string; crc32: number } {
  return {
    size: data.length,
    sha256: createHash('sha256').update(data).digest('hex'),
    crc32: crc32(data),
  };
}
