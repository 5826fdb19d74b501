import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, scryptSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

/*
 * Files sealed as they stream: AES-256-GCM in pieces, each with its place, and the last one with the word that it is the last,
 * so that none can be changed, left out or put elsewhere, nor the end cut off. Each file has a key of its own, made of a
 * random salt and of its name: it opens nowhere else.
 */

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface Sealing {
  seal(bytes: Bytes, name: string): AsyncGenerator<Buffer>;
  /** Reads a sealed file; throws when the key, the name or a byte differs. */
  open(path: string, name: string): AsyncGenerator<Buffer>;
  /** Bytes of a file of so many once it is sealed. */
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

/** Bytes in pieces of one size, but for the last, which is shorter or as long; the nonce says which one it is. */
async function* piecesOf(bytes: Bytes, size: number): AsyncGenerator<{ piece: Buffer; nonce: Buffer }> {
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
