import { describe, expect, test } from 'vitest';
import { hashPassword, verifyPassword } from '#features/accounts/server/passwords.ts';
import { HttpError } from '#platform/server/errors.ts';

const GOOD = 'girafe-boussole-71';

describe('Checking a password', () => {
  test('the right one passes, any other does not', async () => {
    const hash = await hashPassword(GOOD);
    expect(await verifyPassword(hash, GOOD)).toBe(true);
    for (const wrong of ['', 'x', `${GOOD} `, GOOD.toUpperCase(), GOOD.slice(0, -1), 'nobody']) {
      expect(await verifyPassword(hash, wrong), wrong).toBe(false);
    }
  });

  test('without an account nothing passes, not even what the stand-in was made from', async () => {
    for (const password of ['nobody', '', GOOD])
      expect(await verifyPassword(undefined, password)).toBe(false);
  });

  test('without an account it takes as long', async () => {
    const hash = await hashPassword(GOOD);
    await verifyPassword(undefined, 'x');
    const time = async (stored: string | undefined) => {
      const start = performance.now();
      await verifyPassword(stored, 'x');
      return performance.now() - start;
    };
    // Turn by turn, so that a busy machine slows both down; the shortest is the least disturbed.
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < 20; turn++) {
      known.push(await time(hash));
      unknown.push(await time(undefined));
    }
    const ratio = Math.min(...unknown) / Math.min(...known);
    expect(ratio).toBeGreaterThan(1 / 3);
    expect(ratio).toBeLessThan(3);
  });

  test('two hashes of one password differ', async () => {
    const [first, second] = await Promise.all([hashPassword(GOOD), hashPassword(GOOD)]);
    expect(first).not.toBe(second);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('however its letters were composed', async () => {
    const hash = await hashPassword('Éléphant-ﬁn-bleu'.normalize('NFC'));
    expect(await verifyPassword(hash, 'Éléphant-ﬁn-bleu'.normalize('NFD'))).toBe(true);
    expect(await verifyPassword(hash, 'Éléphant-fin-bleu')).toBe(true);
    expect(await verifyPassword(hash, 'Elephant-fin-bleu')).toBe(false);
  });

  test('a bounded number wait their turn, the others hear « not now », and the turn comes round again', async () => {
    const hash = await hashPassword(GOOD);
    const all = await Promise.allSettled(Array.from({ length: 80 }, () => verifyPassword(hash, GOOD)));
    const refused = all.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(80 - 52);
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(HttpError);
      expect([reason.status, reason.headers['retry-after']]).toEqual([503, '2']);
    }
    for (const one of all) if (one.status === 'fulfilled') expect(one.value).toBe(true);
    expect(
      await Promise.all([verifyPassword(hash, GOOD), verifyPassword(hash, 'x'), verifyPassword(hash, GOOD)]),
    ).toEqual([true, false, true]);
  });

  test('a broken hash fails and gives its place back', async () => {
    for (let turn = 0; turn < 60; turn++) await expect(verifyPassword('cassé', GOOD)).rejects.toThrow();
    expect(await verifyPassword(await hashPassword(GOOD), GOOD)).toBe(true);
  });
});
