import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError } from './config.ts';
import type { Access } from './db/database.ts';
import { requireProof, type Session } from './sessionsStore.ts';

/*
 * What is derived from the site's one secret key. The key is stored outside the database (and outside its backups):
 * either in the environment or in a file of the data directory that only its owner can read.
 */

export interface Secrets {
  /**
   * Encrypts with AES-256-GCM and a fresh nonce. `context` says what the value belongs to (a setting, a stay and a
   * type); a value moved to another place cannot be opened there.
   */
  seal(value: string, context: string): string;
  /** Opens what `seal` made; throws when the key, the context or a byte differs. */
  open(sealed: string, context: string): string;
  /** A keyed hash, for values that must not be readable or guessable from a copy of the database. */
  fingerprint(value: string): string;
  /** The key of these hashes, sealed with the next secret key: hashes stay comparable when the secret key changes. */
  handOver(next: Secrets): string;
}

export const WRONG_KEY =
  'SECRET_KEY\u202f: la clé secrète manque ou n’est pas celle de ces données\u202f: remettez la bonne SECRET_KEY ou le bon ' +
  'secret.key (après un changement de clé, c’est la nouvelle). Si elle est perdue\u202f: passerelle admin forget-key.';

export const otherKey = (cause?: unknown) => new ConfigError(WRONG_KEY, { cause });

/** Values that a feature keeps sealed. The check of the key, its change and its loss each walk all of them. */
export interface Sealed {
  /** Their name in the sentence of the check, and their place in it. */
  label: string;
  place: number;
  /** Number of values that the key does not open. */
  countClosed(db: Access, secrets: Secrets): Promise<number>;
  /** Seals all of them again, with the next key. */
  reseal(transaction: Access, secrets: Secrets, next: Secrets, now: Date): Promise<void>;
  /** Deletes what only a lost key opens, and ends the sessions of those who signed in with it. */
  forget(transaction: Access): Promise<void>;
}

export async function countClosed<T>(sealed: readonly T[], open: (one: T) => unknown): Promise<number> {
  let count = 0;
  for (const one of sealed) {
    try {
      await open(one);
    } catch {
      count++;
    }
  }
  return count;
}

const HANDED_OVER = 'empreintes';

/**
 * Derives the secrets from the key. `handedOver` is the result of `handOver` of the previous secret key; throws when
 * it was not made for this one.
 */
export function makeSecrets(secretKey: string, handedOver?: string): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, 'passerelle', purpose, 32));
  const sealing = derive('seal');
  // Names the key in each sealed value, so that a rotation can tell old ones from new ones.
  const keyId = createHash('sha256').update(derive('key-id')).digest('hex').slice(0, 8);
  const sealer: Pick<Secrets, 'seal' | 'open'> = {
    seal(value, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(`${keyId}:${context}`));
      const body = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
      return ['v1', keyId, Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')].join(':');
    },
    open(sealed, context) {
      const [version, id, body] = sealed.split(':');
      if (version !== 'v1' || id !== keyId || !body) throw new Error('Sealed with another key');
      const bytes = Buffer.from(body, 'base64url');
      // A shorter tag would be accepted, and easier to forge.
      if (bytes.length < 28) throw new Error('Sealed value cut short');
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, 12), { authTagLength: 16 })
        .setAAD(Buffer.from(`${keyId}:${context}`))
        .setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
  };
  const hashing =
    handedOver === undefined
      ? derive('fingerprint')
      : Buffer.from(sealer.open(handedOver, HANDED_OVER), 'base64url');
  return {
    ...sealer,
    fingerprint: (value) => createHmac('sha256', hashing).update(value).digest('base64url'),
    handOver: (next) => next.seal(hashing.toString('base64url'), HANDED_OVER),
  };
}

const KEY = 'secret.key';
/** The next key, written before the data are sealed with it. */
const NEXT_KEY = 'secret.key.suivante';

/** The key of `directory`; undefined when there is none; throws `ConfigError` for an invalid one. */
export function readSecretKey(directory: string, name = KEY): string | undefined {
  const path = join(directory, name);
  let key = '';
  try {
    key = readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code !== 'EISDIR') throw error;
  }
  if (key.length >= 32) return key;
  throw new ConfigError(`${path} est vide ou abîmé\u202f: remettez celui de la sauvegarde.`);
}

/** Of the key that a command finds without a database; undefined when it finds none. */
export function secretsAt({
  SECRET_KEY,
  DATA_DIR,
}: Pick<Config, 'SECRET_KEY' | 'DATA_DIR'>): Secrets | undefined {
  const key = SECRET_KEY ?? readSecretKey(DATA_DIR);
  return key === undefined ? undefined : makeSecrets(key);
}

/** The next key, when a change of key was begun and has not ended. */
export const readNextKey = (directory: string) => readSecretKey(directory, NEXT_KEY);

/**
 * Makes a key beside the current one, for `adoptNextKey` once the data are sealed with it. The current one is copied,
 * for the backups made until now: `former` names the copy.
 */
export function makeNextKey(directory: string, now: Date): { next: string; former: string } {
  const former = `${KEY}.${now.toISOString().replace(/[:.]/g, '-')}`;
  writeKey(directory, former, readSecretKey(directory) ?? '');
  return { next: makeSecretKey(directory, NEXT_KEY), former };
}

export function adoptNextKey(directory: string): void {
  try {
    renameSync(join(directory, NEXT_KEY), join(directory, KEY));
  } catch (error) {
    // Another command, started at the same time, has done it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  syncFolder(directory);
}

/** Makes a key in `directory`; it is synced to the disk before it is used, as data will depend on it. */
export function makeSecretKey(directory: string, name = KEY): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const key = randomBytes(48).toString('base64url');
  writeKey(directory, name, key);
  return key;
}

function writeKey(directory: string, name: string, key: string): void {
  const path = join(directory, name);
  writeFileSync(`${path}.new`, `${key}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  syncFolder(directory);
}

/** Syncs a folder, so that a new name in it survives a power cut. */
function syncFolder(directory: string): void {
  const folder = openSync(directory, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** Letters and digits that are not confused when read aloud or copied by hand. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Generates twelve symbols in three groups, `K7QF-2MXA-9TRD`: 60 bits. */
export function generatePassword(): string {
  const group = () => Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return [group(), group(), group()].join('-');
}

/** A password of a stay, typed in any case, with or without its dashes and blanks, or with the full stop of its sentence. */
export function barePassword(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replace(/\.+$/, '');
}

/**
 * The same in the form that is compared: signs that are taken for each other count as one. Generated passwords have one of
 * them at most.
 */
export function plainPassword(typed: string): string {
  return barePassword(typed).replace(/O/g, '0').replace(/[I1]/g, 'L');
}

/** Compares in constant time, so that the duration does not tell how much was right. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** A password that the site keeps sealed and staff can read, opened. It becomes no text of a reply by itself. */
export class OpenedPassword {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** For what shows it to nobody who asks: comparisons, hashes, mails to whom it is for, another seal. */
  get unseen(): string {
    return this.#text;
  }

  /** For whoever asks to see it: throws 403 when they have not just proved who they are. */
  shownTo(session: Session | undefined, now: Date): string {
    requireProof(session, now);
    return this.#text;
  }
}

export const HIDDEN_PASSWORD = '••••';

/** What is sent to the person whom it is for, and shown to nobody else, as it opens what they may not. */
export class SentPassword extends OpenedPassword {
  override shownTo(): string {
    return HIDDEN_PASSWORD;
  }
}
