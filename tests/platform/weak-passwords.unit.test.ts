import { describe, expect, test } from 'vitest';
import { generatePassword } from '#platform/server/secrets.ts';
import { openPasswordRule } from '#platform/server/weakPasswords.ts';

describe('A weak password', () => {
  const WORDS = ['Bernadette', 'CSE des Alpes'];
  const weakOf = async (passwords: readonly string[]) => {
    const why = await openPasswordRule();
    return passwords.filter((one) => why(one, WORDS) !== undefined);
  };

  test('is a common one, whatever its case and signs, with digits behind or not', async () => {
    const common = [
      ...['motdepasse123', 'MotDePasse!!!', 'MotDePasse2025', 'mot de passe 2026', 'mot-de-passe-1'],
      ...[
        'password1234',
        'P@ssw0rd12345',
        'PASS-WORD-2026',
        'Passw0rd2024!',
        'iloveyou2024',
        'jetaime123456',
      ],
      ...[
        'Bonjour2024!',
        'bonjour!2024!',
        'Bienvenue2025',
        'Soleil123456!',
        'Soleil!2025!!',
        'Welcome12345!',
      ],
      ...[
        'doudou123456',
        'chouchou2010',
        'football12345',
        'Marseille2025!',
        'Grenoble38000!',
        'letmein123456',
      ],
    ];
    expect(await weakOf(common)).toEqual(common);
  });

  test('is a row of keys or digits, or one that repeats itself', async () => {
    const rows = [
      ...[
        'azertyuiop12',
        'azertyuiop123',
        'qwertyuiop99',
        'qwertyqwerty1!',
        'azertyazerty1',
        'azerty123456!',
      ],
      ...['123456789012', '1234567890123', 'abcdefghijkl', 'wxcvbnwxcvbn', '1q2w3e4r5t6y', '010203040506'],
      ...[
        'aaaaaaaaaaaa',
        'abababababab',
        'abcabcabcabc',
        '1212-1212-1212',
        'xxxx xxxx xxxx',
        'ÀàAáâãäåaaaaaa',
      ],
      ...['soleilsoleil1', 'bonjourbonjour', 'chocolatchocolat', 'passepassepasse'],
    ];
    expect(await weakOf(rows)).toEqual(rows);
  });

  test('is a name with a year or a date', async () => {
    const names = [
      ...['JeanDupont1985', 'jean.dupont.85', 'Marie-Martin-1990', 'SophieDurand75', 'nicolas140789'],
      ...['Isabelle1234!', 'Tournesol2026!', 'Decembre2024!', 'Printemps-2026', '14juillet2024'],
    ];
    expect(await weakOf(names)).toEqual(names);
  });

  test('is one made of the site’s words, the account’s name and digits', async () => {
    const own = [
      ...['bernadette01', 'BERNADETTE2026', 'bernadette123456', 'BernadetteBernadette', 'B3rnadette2026!'],
      ...[
        'Bernadette-CSE-des-Alpes',
        'csedesalpes2026',
        'passerelle-2026',
        'portailadmin',
        'admin-admin-admin',
      ],
      ...['comite-portail-1', 'administrateur1', 'administrateur2026', 'vacances2026', 'Photos Juillet 2026'],
      ...['colonie-ete-2026', 'comptes-rendus-2026'],
    ];
    expect(await weakOf(own)).toEqual(own);
  });

  test('is no other: words without relation, and signs at random, of any writing', async () => {
    const good = [
      ...[
        'girafe-boussole-71',
        'poivron-lanterne-42',
        'lanterne-poivron-43',
        'loutre-cerise-88',
        'chamois-bleu-27',
      ],
      ...['marmotte-rousse-27', 'bouquetin-agile-27', 'marmotte-nuage-73', 'pivoine-lanterne-27'],
      ...['quatre mots sans rapport', 'bernadette aime les loutres', 'correct horse battery staple'],
      ...['cheval tulipe marteau nuage', 'violon-carotte-brouillard-clou', 'SardineTambourLilasPorte'],
      ...['le hibou mange sa valise', 'ma grand-mère pêche des étoiles', 'trois fourchettes sous la neige'],
      ...['un canapé vert chante faux', 'pluie moutarde escalier tigre', 'Onze pingouins jonglent mal'],
      ...['bougie cactus radiateur plume', 'rideau.castor.ficelle.melon', 'la cafetière rêve de montagnes'],
      ...['escargot_pressé_mange_pneu', 'Cerise!Tracteur?Moufle;Lune', 'mon parapluie déteste mardi'],
      ...['K7QF-2MXA-9TRD', 'tr0ub4dor&3xyz', '!%$€§#@?+=&*;:', 'ёлка-дракон-птица', '一期一会七転八起猿木'],
      ...['vK9#mQ2xLp7w', 'g7Tq-Zr4w-Xc9', 'hX4pWn8sRd2f', 'qzv83kfm20xt', 'Wd!9sK$e3Zp?', '8fJx2mVq7LtB'],
      ...['yN5gR8kw3CzH', '#g!9$L%q&x*2', 'zpwmxkvqhtrj', 'M4x-tYb7-pQz', '59271846305817', 'e3Zp?Wd!9sK$'],
    ];
    expect(await weakOf(good)).toEqual([]);
  });

  test('is none that the site makes', async () => {
    const made = Array.from({ length: 300 }, generatePassword);
    expect(await weakOf(made)).toEqual([]);
  });

  test('is told why in a French sentence that says what helps, and does not repeat it', async () => {
    for (const password of ['motdepasse123', 'aaaaaaaaaaaa', 'bernadette01']) {
      const why = (await openPasswordRule())(password, WORDS) ?? '';
      expect(why).toMatch(/^ce mot de passe .* plus long.* sans rapport .+\.$/);
      expect(why).not.toContain(password);
    }
  });

  test('is told without words too, and however long it is', async () => {
    const why = await openPasswordRule();
    const good = 'girafe-boussole-71';
    expect(why(good, [])).toBeUndefined();
    expect(why(good, ['', 'a'])).toBeUndefined();
    expect(why('a'.repeat(100_000), [])).toBeDefined();
    expect(why(`${good} `.repeat(5_000), [])).toBeUndefined();
  });
});
