import { describe, expect, test } from 'vitest';
import { openPasswordRule } from '#platform/server/weakPasswords.ts';

const GOOD = 'girafe-boussole-71';

describe('A weak password', () => {
  const WORDS = ['Bernadette', 'CSE des Alpes'];
  const isWeak = async (password: string) => (await openPasswordRule())(password, WORDS) !== undefined;
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
      'vacances2026',
      'colonie-ete-2026',
      'Photos Juillet 2026',
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
      const why = (await openPasswordRule())(password, WORDS) ?? '';
      expect(why).toMatch(/^ce mot de passe .+\.$/);
      expect(why).not.toContain(password);
    }
  });

  test('is told without words too', async () => {
    expect((await openPasswordRule())(GOOD, [])).toBeUndefined();
    expect((await openPasswordRule())(GOOD, ['', 'a'])).toBeUndefined();
  });
});
