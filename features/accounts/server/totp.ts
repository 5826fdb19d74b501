import { createHmac } from 'node:crypto';
import { sameText } from '#platform/server/secrets.ts';

/*
 * Codes of six digits that change every thirty seconds, made of a secret that a telephone shares: RFC 6238 as every
 * application for it reads it, with HMAC-SHA1.
 */

const STEP_MS = 30_000;
const DIGITS = 6;

/** The number of the thirty seconds that an instant is in. */
export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / STEP_MS);
}

/** The code of a step. */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const start = hash.readUInt8(hash.length - 1) & 0xf;
  const number = hash.readUInt32BE(start) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * The step whose code this is: the present one, or a neighbour of it, as no two clocks agree and people type slowly.
 * Undefined for any other code; that takes as long.
 */
export function stepOfCode(secret: Buffer, code: string, now: Date): number | undefined {
  const present = stepAt(now);
  return [present - 1, present, present + 1].filter((step) => sameText(codeAt(secret, step), code)).at(-1);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Bytes as people and applications read a secret (RFC 4648); their number is a multiple of five. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}
