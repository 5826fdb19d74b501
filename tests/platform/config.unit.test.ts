import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bucketOf, ConfigError, readConfig } from '#platform/server/config.ts';

const KEY = 'k'.repeat(32);
const BUCKET = {
  S3_ENDPOINT: 'https://s3.example',
  S3_BUCKET: 'photos',
  S3_ACCESS_KEY_ID: 'cle',
  S3_SECRET_ACCESS_KEY: 'motsecret',
};
const POSTGRES = 'postgres://u:motsecret@db/passerelle';

/** By variable: what is taken, with what it becomes, and what is refused. */
const VARIABLES: Record<string, { good: [string, unknown][]; bad: string[] }> = {
  PORT: {
    good: [
      ['0', 0],
      ['3000', 3000],
      ['65535', 65_535],
    ],
    bad: ['65536', '-1', 'x', '80.5', '1e3', ' 80', '0x50', '99999999999'],
  },
  HOST: {
    good: [
      ['127.0.0.1', '127.0.0.1'],
      ['::', '::'],
    ],
    bad: ['h'.repeat(256)],
  },
  PUBLIC_URL: {
    good: [
      ['https://cse.example', 'https://cse.example'],
      ['https://cse.example/', 'https://cse.example'],
      ['http://x:8080', 'http://x:8080'],
    ],
    bad: [
      'cse.example',
      'https://cse.example/cse',
      'ftp://cse.example',
      '//cse.example',
      'https://:80',
      'javascript:alert(1)',
      'cse',
    ],
  },
  DATA_DIR: {
    good: [
      ['/srv/data', '/srv/data'],
      ['./ici', resolve('./ici')],
    ],
    bad: [],
  },
  DATABASE_URL: {
    good: [
      [POSTGRES, POSTGRES],
      ['postgresql://db/x', 'postgresql://db/x'],
    ],
    bad: ['mysql://db/x', 'db', 'passerelle', 'sqlite:./x'],
  },
  S3_ENDPOINT: {
    good: [['http://127.0.0.1:9000', 'http://127.0.0.1:9000']],
    bad: ['s3', 'ftp://s3.example'],
  },
  S3_BUCKET: { good: [['photos', 'photos']], bad: ['x'.repeat(501)] },
  S3_REGION: { good: [['eu-west-3', 'eu-west-3']], bad: ['x'.repeat(501)] },
  S3_ACCESS_KEY_ID: { good: [['cle', 'cle']], bad: ['x'.repeat(501)] },
  S3_SECRET_ACCESS_KEY: { good: [['secret', 'secret']], bad: ['x'.repeat(501)] },
  S3_DIRECT: {
    good: [
      ['0', false],
      ['1', true],
    ],
    bad: ['oui', 'true'],
  },
  BACKUP_KEY: { good: [[KEY, KEY]], bad: ['k'.repeat(31), 'x'] },
  SECRET_KEY: { good: [[KEY, KEY]], bad: ['k'.repeat(31), 'x'] },
  ADMIN_USERNAME: {
    good: [
      ['Élodie', 'Élodie'],
      ['a.b-c_d@e', 'a.b-c_d@e'],
    ],
    bad: ['x', 'deux mots', '<b>', 'n'.repeat(101), 'a\nb'],
  },
  ADMIN_PASSWORD: {
    good: [['poivron-lanterne-42', 'poivron-lanterne-42']],
    bad: ['court', 'onze-lettre', 'p'.repeat(201)],
  },
  MEETING_REPORTS_PASSWORD: { good: [['tournesol', 'tournesol']], bad: ['sept-ca', 'p'.repeat(201)] },
  SMTP_URL: {
    good: [
      ['smtp://relais:25', 'smtp://relais:25'],
      ['smtps://u:p@relais', 'smtps://u:p@relais'],
      ['smtps://u%40x:p%2F@[::1]:465', 'smtps://u%40x:p%2F@[::1]:465'],
    ],
    bad: ['relais:25', 'http://relais', 'smtp', 'smtp:', 'smtp://', 'smtp://:25', 'smtp://u:%E0%A4@relais'],
  },
  MAIL_FROM: {
    good: [
      ['a@exemple.fr', 'a@exemple.fr'],
      ['CSE <a@exemple.fr>', 'CSE <a@exemple.fr>'],
      ['Comité d’été, été <a@été.fr>', 'Comité d’été, été <a@été.fr>'],
    ],
    bad: [
      'x'.repeat(501),
      'exemple.fr',
      'a@',
      'CSE <a@exemple.fr',
      'a@exemple.fr, b@exemple.fr',
      'CSE <a@exemple.fr> <b@exemple.fr>',
      'CSE\r\nBcc: b@exemple.fr <a@exemple.fr>',
      'groupe: a@exemple.fr;',
    ],
  },
  MAIL_PER_DAY: {
    good: [
      ['1', 1],
      ['500', 500],
    ],
    bad: ['0', '-5', 'x', '1000001'],
  },
  PHOTO_RETENTION_DAYS: {
    good: [
      ['1', 1],
      ['365', 365],
    ],
    bad: ['0', '366', '60.5', 'x', '60 jours'],
  },
  ORGANISATION_NAME: { good: [['CSE Horizon', 'CSE Horizon']], bad: ['x'.repeat(501)] },
  ORGANISATION_EMAIL: {
    good: [['a@exemple.fr', 'a@exemple.fr']],
    bad: ['a', 'a@b', 'a@exemple.fr, b@exemple.fr', 'A <a@exemple.fr>'],
  },
  CONTACT_EMAIL: {
    good: [['a@exemple.fr', 'a@exemple.fr']],
    bad: ['a', 'a b@exemple.fr', 'a@exemple.fr\nBcc: b@exemple.fr'],
  },
  JOB_OFFERS_URL: {
    good: [['https://emploi.example/x', 'https://emploi.example/x']],
    bad: ['emploi.example', 'javascript:alert(1)', 'data:text/html,x'],
  },
  VISIT_COUNTER_URL: {
    good: [['https://compteur.example/x', 'https://compteur.example/x']],
    bad: ['compteur', 'javascript:alert(1)'],
  },
  ANALYTICS_URL: {
    good: [['https://mesure.example', 'https://mesure.example']],
    bad: ['mesure', '//mesure.example'],
  },
  TRUST_PROXY: {
    good: [
      ['0', false],
      ['false', false],
      ['true', 1],
      ['1', 1],
      ['2', 2],
      ['10.0.0.1', '10.0.0.1'],
      ['10.0.0.0/8,192.168.1.2', '10.0.0.0/8,192.168.1.2'],
      ['fd00::/8', 'fd00::/8'],
      ['loopback', 'loopback'],
    ],
    bad: [
      'oui',
      '-1',
      '*',
      'all',
      'nginx',
      '10.0.0.0/8; x',
      '10',
      'face',
      '999.1.1.1',
      '10.0.0.0/99',
      '1.2.3',
      ':',
      ',',
    ],
  },
  TIME_ZONE: {
    good: [
      ['Europe/Paris', 'Europe/Paris'],
      ['Indian/Reunion', 'Indian/Reunion'],
      ['UTC', 'UTC'],
    ],
    bad: ['Paris', 'Europe/Nulle', 'heure', '2'],
  },
  ALERT_EMAIL: {
    good: [
      ['a@exemple.fr', ['a@exemple.fr']],
      ['a@exemple.fr, b@exemple.fr', ['a@exemple.fr', 'b@exemple.fr']],
    ],
    bad: [
      'a',
      'a@exemple.fr;b@exemple.fr',
      'a@exemple.fr,',
      'Nom <a@exemple.fr>',
      Array(11).fill('a@b.fr').join(),
    ],
  },
  METRICS_TOKEN: { good: [['m'.repeat(16), 'm'.repeat(16)]], bad: ['m'.repeat(15)] },
  X_ACCEL_PREFIX: {
    good: [
      ['/interne/', '/interne/'],
      ['/a/b-c/', '/a/b-c/'],
    ],
    bad: ['interne', '/interne', 'interne/', '/', '/../', '/a b/'],
  },
  LOG_LEVEL: {
    good: [
      ['debug', 'debug'],
      ['silent', 'silent'],
    ],
    bad: ['bavard', 'INFO', '1'],
  },
};

/** The sentence with which an environment is refused. */
function refusalOf(env: Record<string, string | undefined>): string {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error(`taken: ${JSON.stringify(env)}`);
}

test('an empty environment is enough', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 3000,
    HOST: '0.0.0.0',
    DATA_DIR: resolve('./data'),
    ADMIN_USERNAME: 'admin',
    PHOTO_RETENTION_DAYS: 60,
    TIME_ZONE: 'Europe/Paris',
    LOG_LEVEL: 'info',
    ORGANISATION_NAME: '',
    S3_DIRECT: false,
  });
  const config = readConfig({});
  for (const name of [
    'PUBLIC_URL',
    'DATABASE_URL',
    'SECRET_KEY',
    'ADMIN_PASSWORD',
    'MEETING_REPORTS_PASSWORD',
    'SMTP_URL',
    'METRICS_TOKEN',
    'TRUST_PROXY',
  ] as const) {
    expect(config[name], name).toBeUndefined();
  }
});

test('a blank variable counts as absent, one not ours is not looked at', () => {
  const blank = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, '']));
  expect(readConfig(blank)).toEqual(readConfig({}));
  expect(readConfig({ PATH: '/bin', PORTE: 'x', port: 'x', HOME: undefined })).toEqual(readConfig({}));
});

describe.each(Object.entries(VARIABLES))('%s', (name, { good, bad }) => {
  const around = (value: string) => ({
    ...(name === 'DATABASE_URL' ? { SECRET_KEY: KEY } : {}),
    ...(name.startsWith('S3_') ? { ...BUCKET, SECRET_KEY: KEY } : {}),
    ...(name === 'SMTP_URL' ? { MAIL_FROM: 'a@exemple.fr', PUBLIC_URL: 'https://cse.fr' } : {}),
    [name]: value,
  });

  test('is taken when it is good', () => {
    for (const [value, read] of good) {
      expect(readConfig(around(value))[name as 'PORT'], value).toEqual(read);
    }
  });

  test('is refused when it is bad, in one line that names it and does not show it', () => {
    const taken: string[] = [];
    for (const value of bad) {
      let message: string;
      try {
        message = refusalOf(around(value));
      } catch {
        taken.push(value);
        continue;
      }
      expect(message, value).toMatch(/^[A-Z0-9_]+ .+\.$/);
      expect(message).not.toContain('\n');
      expect(message.split(' ')[0], value).toBe(name);
      if (value.length > 5) expect(message).not.toContain(value);
      expect(message.length).toBeLessThan(200);
    }
    expect(taken).toEqual([]);
  });
});

test('with PostgreSQL the processes must share SECRET_KEY', () => {
  const message = refusalOf({ DATABASE_URL: POSTGRES });
  expect(message).toMatch(/^SECRET_KEY /);
  expect(message).not.toContain('motsecret');
  expect(refusalOf({ DATABASE_URL: POSTGRES, SECRET_KEY: '' })).toMatch(/^SECRET_KEY /);
  expect(readConfig({ DATABASE_URL: POSTGRES, SECRET_KEY: KEY }).SECRET_KEY).toBe(KEY);
});

test('a bucket is named whole, or not at all', () => {
  for (const name of Object.keys(BUCKET)) {
    const message = refusalOf({ ...BUCKET, SECRET_KEY: KEY, [name]: '' });
    expect(message, name).toMatch(new RegExp(`^${name} `));
    expect(message).not.toContain('motsecret');
  }
  expect(refusalOf({ S3_REGION: 'eu-west-3' })).toMatch(/^S3_ENDPOINT /);
  expect(refusalOf({ S3_DIRECT: '1' })).toMatch(/^S3_DIRECT/);
  expect(refusalOf(BUCKET)).toMatch(/^SECRET_KEY /);
  expect(refusalOf({ ...BUCKET, SECRET_KEY: KEY, X_ACCEL_PREFIX: '/interne/' })).toMatch(/^X_ACCEL_PREFIX/);
  const secure = { ...BUCKET, SECRET_KEY: KEY, S3_DIRECT: '1', PUBLIC_URL: 'https://cse.fr' };
  expect(refusalOf({ ...secure, S3_ENDPOINT: 'http://s3.example' })).toMatch(/^S3_DIRECT/);
  expect(bucketOf(readConfig({}))).toBeUndefined();
  expect(bucketOf(readConfig({ ...BUCKET, SECRET_KEY: KEY }))).toEqual({
    endpoint: 'https://s3.example',
    name: 'photos',
    region: 'us-east-1',
    accessKeyId: 'cle',
    secretAccessKey: 'motsecret',
  });
});

test('a mail server needs the address that writes', () => {
  expect(refusalOf({ SMTP_URL: 'smtp://u:motsecret@relais' })).toMatch(/^MAIL_FROM [^\n]*$/);
  expect(readConfig({ MAIL_FROM: 'a@exemple.fr' }).SMTP_URL).toBeUndefined();
});

test('mails that leave this machine need the address that people type', () => {
  const env = { MAIL_FROM: 'a@exemple.fr' };
  for (const SMTP_URL of ['smtps://u:motsecret@relais', 'smtp://0.0.0.0:25', 'smtp://localhost.fr'])
    for (const PUBLIC_URL of ['', 'http://localhost:3000', 'https://127.0.0.1'])
      expect(refusalOf({ ...env, SMTP_URL, PUBLIC_URL }), SMTP_URL).toMatch(/^PUBLIC_URL [^\n]*$/);
  for (const SMTP_URL of ['smtp://localhost', 'smtp://127.0.0.1:25', 'smtp://[::1]:25'])
    expect(readConfig({ ...env, SMTP_URL }).SMTP_URL).toBe(SMTP_URL);
});

test('of several bad ones one is named, and no secret is shown', () => {
  const message = refusalOf({
    PORT: 'x',
    DATABASE_URL: 'mysql://u:motsecret@db',
    SECRET_KEY: 'trop-court',
    ADMIN_PASSWORD: 'court',
  });
  expect(message).not.toMatch(/motsecret|trop-court|: court/);
  expect(message.split('\n')).toHaveLength(1);
});

test('every variable of the configuration is tried here', () => {
  const LIKE_ORGANISATION_NAME = [
    'ORGANISATION_ADDRESS',
    'ORGANISATION_PHONE',
    'ORGANISATION_SIREN',
    'ORGANISATION_RNA',
    'PUBLICATION_DIRECTOR',
    'HOSTING_NAME',
    'HOSTING_ADDRESS',
    'HOSTING_PHONE',
    'DATA_PROTECTION_CONTACT',
  ];
  for (const name of LIKE_ORGANISATION_NAME) {
    expect(readConfig({ [name]: 'Texte' })[name as 'HOSTING_NAME']).toBe('Texte');
    expect(refusalOf({ [name]: 'x'.repeat(501) })).toMatch(new RegExp(`^${name} `));
  }
  const known = new Set([...Object.keys(VARIABLES), ...LIKE_ORGANISATION_NAME]);
  const missing = Object.keys(readConfig({})).filter((name) => !known.has(name));
  expect(missing).toEqual([]);
});
