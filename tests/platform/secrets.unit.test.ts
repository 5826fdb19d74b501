import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { generatePassword, makeSecretKey, makeSecrets, readSecretKey } from '#platform/server/secrets.ts';

const KEY = 'une-clé-de-trente-deux-caractères-ou-plus';
const secrets = makeSecrets(KEY);

const parts = (sealed: string) => sealed.split(':') as [string, string, string];
const bytesOf = (sealed: string) => Buffer.from(parts(sealed)[2], 'base64url');
const withBytes = (sealed: string, bytes: Buffer) =>
  [...parts(sealed).slice(0, 2), bytes.toString('base64url')].join(':');

describe('What is sealed', () => {
  test('opens in its place, with the same key, in another process too', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed()),
        fc.string(),
        (value, context) => {
          expect(secrets.open(secrets.seal(value, context), context)).toBe(value);
          expect(makeSecrets(KEY).open(secrets.seal(value, context), context)).toBe(value);
        },
      ),
    );
  });

  test('does not open elsewhere', () => {
    const sealed = secrets.seal('ABCD-EFGH-JKLM', 'stage:12:famille');
    for (const context of [
      'stage:13:famille',
      'stage:12:directeur',
      '',
      'stage:12:famille ',
      'stage:1:2:famille',
    ]) {
      expect(() => secrets.open(sealed, context), context).toThrow();
    }
  });

  test('does not open with another key', () => {
    const sealed = secrets.seal('ABCD-EFGH-JKLM', 'x');
    expect(() => makeSecrets(`${KEY}x`).open(sealed, 'x')).toThrow('Sealed with another key');
    const other = makeSecrets(`${KEY}x`).seal('', 'x');
    const relabelled = ['v1', parts(other)[1], parts(sealed)[2]].join(':');
    expect(() => makeSecrets(`${KEY}x`).open(relabelled, 'x')).toThrow();
  });

  test('does not open with any one bit changed', () => {
    const sealed = secrets.seal('ABCD-EFGH-JKLM', 'x');
    const bytes = bytesOf(sealed);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => secrets.open(withBytes(sealed, changed), 'x'), `bit ${bit}`).toThrow();
    }
  });

  test('does not open cut short or drawn out', () => {
    for (const value of ['', 'A', 'ABCD-EFGH-JKLM']) {
      const sealed = secrets.seal(value, 'x');
      const bytes = bytesOf(sealed);
      for (let length = 0; length < bytes.length; length++) {
        expect(
          () => secrets.open(withBytes(sealed, bytes.subarray(0, length)), 'x'),
          `${value}, ${length} bytes`,
        ).toThrow();
      }
      expect(() => secrets.open(withBytes(sealed, Buffer.concat([bytes, Buffer.alloc(1)])), 'x')).toThrow();
    }
    for (const sealed of ['', 'v1', 'v1:', 'v2:a:b', 'ABCD-EFGH-JKLM', '::'])
      expect(() => secrets.open(sealed, 'x')).toThrow();
  });

  test('looks different each time, and shows neither the value nor the key', () => {
    const seals = Array.from({ length: 2_000 }, () => secrets.seal('ABCD-EFGH-JKLM', 'x'));
    expect(new Set(seals.map((sealed) => bytesOf(sealed).subarray(0, 12).toString('hex'))).size).toBe(2_000);
    expect(new Set(seals).size).toBe(2_000);
    for (const sealed of seals.slice(0, 50)) {
      expect(sealed).toMatch(/^v1:[0-9a-f]{8}:[\w-]+$/);
      expect(bytesOf(sealed).toString('latin1')).not.toContain('ABCD');
      expect(KEY).not.toContain(parts(sealed)[1]);
    }
  });
});

describe('A fingerprint', () => {
  test('is the same for the same value and key, and different for any other', () => {
    expect(secrets.fingerprint('a')).toBe(makeSecrets(KEY).fingerprint('a'));
    expect(secrets.fingerprint('a')).toMatch(/^[\w-]{43}$/);
    const others = ['b', 'A', '', 'a '].map((value) => secrets.fingerprint(value));
    others.push(makeSecrets(`${KEY}x`).fingerprint('a'));
    expect(others).not.toContain(secrets.fingerprint('a'));
  });
});

describe('The key of a folder', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'passerelle-key-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));
  const path = () => join(directory, 'secret.key');

  test('is made once, for its owner’s eyes only', () => {
    expect(readSecretKey(directory)).toBeUndefined();
    const key = makeSecretKey(directory);
    expect(key).toMatch(/^[\w-]{64}$/);
    expect(readSecretKey(directory)).toBe(key);
    expect(readFileSync(path(), 'utf8')).toBe(`${key}\n`);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['secret.key']);
  });

  test('is different in each folder, one that does not exist yet included', () => {
    const keys = ['a', 'b/c'].map((name) => makeSecretKey(join(directory, name)));
    expect(keys[0]).not.toBe(keys[1]);
    expect(statSync(join(directory, 'a')).mode & 0o777).toBe(0o700);
  });

  test('damaged, it is not replaced: what it sealed would be lost', () => {
    for (const content of ['', '\n', 'court']) {
      writeFileSync(path(), content);
      expect(() => readSecretKey(directory)).toThrow(/abîmé/);
      expect(readFileSync(path(), 'utf8')).toBe(content);
    }
  });

  test('left half-made by a crash, it is made anew', () => {
    writeFileSync(`${path()}.new`, 'moi');
    const key = makeSecretKey(directory);
    expect(key).toHaveLength(64);
    expect(readSecretKey(directory)).toBe(key);
  });
});

describe('Generated passwords', () => {
  const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  const made = Array.from({ length: 20_000 }, generatePassword);

  test('are three groups of four letters and digits that nobody confuses', () => {
    expect(ALPHABET).toHaveLength(32);
    for (const password of made) expect(password).toMatch(/^([A-HJ-NP-Z2-9]{4}-){2}[A-HJ-NP-Z2-9]{4}$/);
  });

  test('are never the same', () => {
    expect(new Set(made).size).toBe(made.length);
  });

  test('take every symbol as often, in every place', () => {
    for (let place = 0; place < 12; place++) {
      const counts = new Map<string, number>();
      for (const password of made) {
        const symbol = password.replaceAll('-', '').charAt(place);
        counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
      }
      expect(counts.size).toBe(32);
      const expected = made.length / 32;
      const chiSquare = [...counts.values()].reduce(
        (sum, count) => sum + (count - expected) ** 2 / expected,
        0,
      );
      // 31 degrees of freedom: one sound generator in ten million goes beyond 90.
      expect(chiSquare).toBeLessThan(90);
    }
  });
});
