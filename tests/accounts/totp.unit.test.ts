import { describe, expect, test } from 'vitest';
import { base32, codeAt, stepAt, stepOfCode } from '#features/accounts/server/secondFactor.ts';
import { codeOf } from '#tests/support/authenticator.ts';

/** Of RFC 6238, appendix B, with the last six of its eight digits. */
const SECRET = Buffer.from('12345678901234567890');
const VECTORS: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];
const at = (seconds: number) => new Date(seconds * 1000);

describe('A code', () => {
  test('is the one of the RFC', () => {
    for (const [seconds, code] of VECTORS) expect(codeAt(SECRET, stepAt(at(seconds)))).toBe(code);
  });

  test('is known for thirty seconds before and after its own thirty', () => {
    const code = codeAt(SECRET, 1_000);
    const known = (seconds: number) => stepOfCode(SECRET, code, at(seconds));
    expect([29_969, 29_970, 30_000, 30_029, 30_059].map(known)).toEqual([
      undefined,
      1_000,
      1_000,
      1_000,
      1_000,
    ]);
    expect(known(30_060)).toBe(undefined);
  });

  test('is not any other text', () => {
    const now = at(59);
    for (const text of ['', '287081', '28708', '2870820', ' 287082', '２８７０８２', '94287082'])
      expect(stepOfCode(SECRET, text, now), text).toBe(undefined);
  });
});

test('A secret is written as the RFC of base 32 does, and read back by an application', () => {
  expect(base32(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(base32(Buffer.from('fooba'))).toBe('MZXW6YTB');
  expect(codeOf(base32(SECRET), at(59))).toBe('287082');
});
