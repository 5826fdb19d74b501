import { describe, expect, test } from 'vitest';
import { hashPassword, verifyPassword, whyPasswordWeak } from '#features/accounts/server/passwords.ts';
import { HttpError } from '#platform/server/http/errors.ts';

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

describe('A weak password', () => {
  const WORDS = ['Bernadette', 'CSE des Alpes'];
  const isWeak = async (password: string) => (await whyPasswordWeak(password, WORDS)) !== undefined;
  const weakOf = async (passwords: string[]) => {
    const found: string[] = [];
    for (const one of passwords) if (await isWeak(one)) found.push(one);
    return found;
  };

  test('is a common one, whatever its case and signs, with digits behind or not', async () => {
    const common = [
      'motdepasse123',
      'MotDePasse!!!',
      'mot de passe 2026',
      'password1234',
      'PASS-WORD-2026',
      'azertyuiop12',
      'qwertyuiop99',
      '123456789012',
      '1234567890123',
      'iloveyou2024',
    ];
    expect(await weakOf(common)).toEqual(common);
  });

  test('is one that repeats itself', async () => {
    const repeated = [
      'aaaaaaaaaaaa',
      'abababababab',
      'abcabcabcabc',
      '1212-1212-1212',
      'xxxx xxxx xxxx',
      'ÀàAáâãäåaaaaaa',
    ];
    expect(await weakOf(repeated)).toEqual(repeated);
  });

  test('is one made of the site’s words, the account’s name and digits', async () => {
    const own = [
      'bernadette01',
      'BERNADETTE2026',
      'bernadette123456',
      'BernadetteBernadette',
      'Bernadette-CSE-des-Alpes',
      'csedesalpes2026',
      'passerelle-2026',
      'portailadmin',
      'admin-admin-admin',
      'comite-portail-1',
      'administrateur1',
      'administrateur2026',
    ];
    expect(await weakOf(own)).toEqual(own);
  });

  test('is no other: length is strength enough', async () => {
    const good = [
      GOOD,
      'quatre mots sans rapport',
      'bernadette aime les loutres',
      'K7QF-2MXA-9TRD',
      'correct horse battery staple',
      'ёлка-дракон-птица',
      'poivron-lanterne-42',
      'tr0ub4dor&3xyz',
      '!%$€§#@?+=&*;:',
    ];
    expect(await weakOf(good)).toEqual([]);
  });

  test('is told why in a French sentence that does not repeat it', async () => {
    for (const password of ['motdepasse123', 'aaaaaaaaaaaa', 'bernadette01']) {
      const why = (await whyPasswordWeak(password, WORDS)) ?? '';
      expect(why).toMatch(/^ce mot de passe .+\.$/);
      expect(why).not.toContain(password);
    }
  });

  test('is told without words too', async () => {
    expect(await whyPasswordWeak(GOOD, [])).toBeUndefined();
    expect(await whyPasswordWeak(GOOD, ['', 'a'])).toBeUndefined();
  });
});
