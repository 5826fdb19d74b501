import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { domainToASCII } from 'node:url';
import { z } from 'zod';
import manifest from '#package.json' with { type: 'json' };
import { isLoopback } from '#platform/shared/hosts.ts';
import { emailAddress, username } from '#platform/shared/text.ts';

/*
 * Configuration: the environment, read and checked in this one place. Every variable has a working default; a blank
 * one counts as absent, as Compose files and shells often pass them so.
 */

/** Of the product. */
export const VERSION = manifest.version;

/** A bad variable; the message is one line that names it. */
export class ConfigError extends Error {}

/** The bucket for files that are not stored on this machine, and its credentials. */
export interface Bucket {
  endpoint: string;
  name: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `doit être un nombre entier de ${min} à ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `doit être un nombre entier de ${min} à ${max}`);

const address = (protocols: string[]) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `doit être une adresse complète (${protocols.map((protocol) => `${protocol}//…`).join(' ou ')})`,
    );

const webAddress = address(['http:', 'https:']);
const email = z.email('doit être une adresse e-mail');
const flag = z.enum(['0', '1'], 'doit valoir 0 ou 1').transform((value) => value === '1');
const text = z.string().max(500, 'est trop long (500 caractères au plus)');

const timeZone = z.string().refine((value) => {
  try {
    new Intl.DateTimeFormat('fr', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}, 'n’est pas un fuseau horaire connu (exemple\u202f: Europe/Paris)');

/** One address, or a range of them in CIDR notation, or a name that Fastify knows. */
function isProxyAddress(text: string): boolean {
  if (/^(loopback|linklocal|uniquelocal)$/.test(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** Hops to trust, or the addresses of the proxies: what Fastify takes. */
const trustProxy = z
  .string()
  .refine(
    (value) => /^(true|false|\d)$/.test(value) || value.split(',').every(isProxyAddress),
    'doit être un nombre de relais (0 à 9) ou leurs adresses, séparées par des virgules',
  )
  .transform((value) => {
    if (value === 'false' || value === '0') return false;
    if (value === 'true') return 1;
    return /^\d$/.test(value) ? Number(value) : value;
  });

/** True for the address of a mail server, whose encoded account can be decoded. */
function isRelay(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname, username, password } = new URL(text);
  try {
    return hostname !== '' && decodeURIComponent(`${username}:${password}`) !== '';
  } catch {
    return false;
  }
}

const environment = z.object({
  PORT: whole(0, 65_535).default(3000),
  HOST: z.string().max(255, 'est trop long').default('0.0.0.0'),
  PUBLIC_URL: webAddress
    .refine((value) => !URL.canParse(value) || new URL(value).pathname === '/', 'doit être sans chemin')
    .transform((value) => new URL(value).origin)
    .optional(),
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((value) => resolve(value)),
  DATABASE_URL: address(['postgres:', 'postgresql:']).optional(),
  S3_ENDPOINT: webAddress.optional(),
  S3_BUCKET: text.optional(),
  S3_REGION: text.optional(),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  S3_DIRECT: flag.default(false),
  SECRET_KEY: z.string().min(32, 'doit avoir 32 caractères au moins (tirés au hasard)').optional(),
  NEW_SECRET_KEY: z.string().min(32, 'doit avoir 32 caractères au moins (tirés au hasard)').optional(),
  BACKUP_KEY: z.string().min(32, 'doit avoir 32 caractères au moins (tirés au hasard)').optional(),
  ADMIN_USERNAME: username.default('admin'),
  ADMIN_PASSWORD: z
    .string()
    .min(12, 'doit avoir 12 caractères au moins')
    .max(200, 'doit avoir 200 caractères au plus')
    .optional(),
  MEETING_REPORTS_PASSWORD: z
    .string()
    .min(8, 'doit avoir 8 caractères au moins')
    .max(200, 'doit avoir 200 caractères au plus')
    .optional(),
  SMTP_URL: address(['smtp:', 'smtps:'])
    .refine(isRelay, 'doit nommer un serveur (smtps://compte:motdepasse@serveur:port)')
    .optional(),
  MAIL_FROM: text
    .refine(
      (value) => parseSender(value) !== undefined,
      'doit être une adresse, ou «\u00a0Nom <adresse>\u00a0»',
    )
    .optional(),
  MAIL_PER_DAY: whole(1, 1_000_000).optional(),
  PHOTO_RETENTION_DAYS: whole(1, 365).default(60),
  ORGANISATION_NAME: text.default(''),
  ORGANISATION_ADDRESS: text.default(''),
  ORGANISATION_PHONE: text.default(''),
  ORGANISATION_EMAIL: email.optional(),
  ORGANISATION_SIREN: text.default(''),
  ORGANISATION_RNA: text.default(''),
  PUBLICATION_DIRECTOR: text.default(''),
  HOSTING_NAME: text.default(''),
  HOSTING_ADDRESS: text.default(''),
  HOSTING_PHONE: text.default(''),
  DATA_PROTECTION_CONTACT: text.default(''),
  CONTACT_EMAIL: email.optional(),
  ALERT_EMAIL: z
    .string()
    .transform((value) => value.split(',').map((one) => one.trim()))
    .refine(
      (list) => list.length <= 10 && list.every((one) => email.safeParse(one).success),
      'doit être une adresse e-mail, ou dix au plus, séparées par des virgules',
    )
    .optional(),
  JOB_OFFERS_URL: webAddress.optional(),
  VISIT_COUNTER_URL: webAddress.optional(),
  ANALYTICS_URL: webAddress.optional(),
  TRUST_PROXY: trustProxy.optional(),
  TIME_ZONE: timeZone.default('Europe/Paris'),
  UPDATES_URL: webAddress.optional(),
  METRICS_TOKEN: z.string().min(16, 'doit avoir 16 caractères au moins').optional(),
  X_ACCEL_PREFIX: z
    .string()
    .regex(/^\/[\w/-]+\/$/, 'doit commencer et finir par /')
    .optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `doit valoir ${LOG_LEVELS.join(', ')}`).default('info'),
});

export type Config = z.output<typeof environment>;

/**
 * Reads and checks an environment; throws `ConfigError` with one line naming the first wrong variable.
 * Values never appear in the message, as some are secrets.
 */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const read = environment.safeParse(given);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new ConfigError(`${issue?.path.join('.')} ${issue?.message}.`);
  }
  const config = read.data;
  requireWholeBucket(config);
  if (config.SMTP_URL && !config.MAIL_FROM) {
    throw new ConfigError('MAIL_FROM est obligatoire avec SMTP_URL\u202f: c’est l’adresse qui écrit.');
  }
  const isRead = config.SMTP_URL && !isLoopback(new URL(config.SMTP_URL).hostname);
  if (isRead && isLoopback(new URL(config.PUBLIC_URL ?? 'http://localhost').hostname)) {
    throw new ConfigError(
      'PUBLIC_URL est obligatoire avec SMTP_URL\u202f: c’est où mènent les messages, depuis une autre machine.',
    );
  }
  for (const name of ['DATABASE_URL', 'S3_BUCKET'] as const) {
    if (config[name] && !config.SECRET_KEY)
      throw new ConfigError(
        `SECRET_KEY est obligatoire avec ${name}\u202f: les processus doivent partager la même clé.`,
      );
  }
  return config;
}

const BUCKET = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

function requireWholeBucket(config: Config): void {
  const missing = BUCKET.filter((name) => config[name] === undefined);
  const [first] = missing;
  const isWanted = missing.length < BUCKET.length || config.S3_REGION !== undefined;
  if (isWanted && first !== undefined)
    throw new ConfigError(`${first} manque\u202f: un bucket demande ${BUCKET.join(', ')}.`);
  if (config.S3_DIRECT && !isWanted)
    throw new ConfigError(
      'S3_DIRECT\u202f: sans bucket, les fichiers ne viennent que du site (voir S3_ENDPOINT).',
    );
  const isSecure = [config.PUBLIC_URL, config.S3_ENDPOINT].map((url) => url?.startsWith('https:'));
  if (config.S3_DIRECT && isSecure[0] && !isSecure[1])
    throw new ConfigError(
      'S3_DIRECT\u202f: un site en https ne peut montrer que ce qui vient d’un bucket en https.',
    );
  if (isWanted && config.X_ACCEL_PREFIX)
    throw new ConfigError(
      'X_ACCEL_PREFIX\u202f: nginx ne peut envoyer que des fichiers de DATA_DIR, pas d’un bucket.',
    );
}

/** The bucket of the files; undefined when they are stored in `DATA_DIR`. */
export function bucketOf(config: Config): Bucket | undefined {
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return undefined;
  return {
    endpoint: S3_ENDPOINT,
    name: S3_BUCKET,
    region: S3_REGION ?? 'us-east-1',
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  };
}

/* Addresses in the form that a mail server takes. */

export interface Sender {
  /** Blank: the address alone. */
  name: string;
  address: string;
}

const plain = emailAddress(254);

/** The address if it is exactly one plain one, else undefined. */
export function plainAddress(text: string): string | undefined {
  const read = plain.safeParse(text);
  return read.success && read.data !== '' ? read.data : undefined;
}

/** `a@b.fr` or `Nom <a@b.fr>`, whose host may have accents; undefined for anything else. */
export function parseSender(text: string): Sender | undefined {
  const [, name = '', named, alone] = /^(?:([^<>\p{Cc}]*)<([^<>]+)>|([^<>]+))$/u.exec(text.trim()) ?? [];
  const [local = '', host = '', ...more] = (named ?? alone ?? '').trim().split('@');
  const address = more.length === 0 ? plainAddress(`${local}@${domainToASCII(host)}`) : undefined;
  return address === undefined ? undefined : { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
}
