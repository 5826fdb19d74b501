import { createHmac, randomBytes } from 'node:crypto';
import { readSettings } from '#features/site/server/settingsStore.ts';
import type { Config } from '#platform/server/config.ts';
import type { Access } from '#platform/server/db/database.ts';
import { conflict, HttpError } from '#platform/server/errors.ts';
import {
  barePassword,
  countClosed,
  generatePassword,
  type Sealed,
  type Secrets,
  sameText,
} from '#platform/server/secrets.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { writeFactorsBefore } from './adminsStore.ts';
import {
  confirmFactor,
  countRecoveryCodes,
  deletePasskeys,
  deleteRecoveryCode,
  deleteSecondFactor,
  findFactor,
  forgetSecondFactors,
  listPasskeys,
  listSealedFactors,
  putUnconfirmed,
  raiseStep,
  writeRecoveryCodes,
  writeSecret,
} from './factorsStore.ts';

/*
 * What an account asks for beside its password: codes of an application that shares a secret with the site, or recovery
 * codes in case the telephone is lost. An account with passkeys alone asks for a recovery code, or opens by a passkey and
 * without the password. The write that uses up a code decides whether it is accepted, so that of two simultaneous uses
 * only one succeeds.
 */

const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;

export async function readFactors(db: Access, adminId: number) {
  const row = await findFactor(db, adminId);
  return {
    actif_le: row?.actif_le ?? null,
    codes_restants: await countRecoveryCodes(db, adminId),
    cles: await listPasskeys(db, adminId),
  };
}

export function hasFactor({
  actif_le,
  cles,
}: Pick<Awaited<ReturnType<typeof readFactors>>, 'actif_le' | 'cles'>): boolean {
  return actif_le !== null || cles.length > 0;
}

/** Removes an admin's application and passkeys, with the recovery codes; false when there was neither. */
export async function deleteFactors(db: Access, adminId: number): Promise<boolean> {
  const hadApplication = await deleteSecondFactor(db, adminId);
  const passkeys = await deletePasskeys(db, adminId);
  await writeRecoveryCodes(db, adminId, []);
  return hadApplication || passkeys > 0;
}

/** Makes and returns a new secret in base 32, replacing an unconfirmed one. Throws 409 when one is confirmed. */
export async function beginSecondFactor(db: Access, secrets: Secrets, adminId: number): Promise<string> {
  const secret = randomBytes(SECRET_BYTES);
  const isPut = await putUnconfirmed(db, adminId, sealSecret(secrets, adminId, secret));
  if (!isPut) throw conflict('La connexion en deux étapes est déjà en place.');
  return base32(secret);
}

/**
 * Confirms the new secret: `code` shows that the telephone has it, so sign-ins ask for a code from now on. Returns the
 * recovery codes, which are stored only as hashes; undefined for a wrong code. Throws 409 when there is no secret to
 * confirm.
 */
export async function confirmSecondFactor(
  db: Access,
  secrets: Secrets,
  adminId: number,
  code: string,
  now: Date,
): Promise<string[] | undefined> {
  const row = await findFactor(db, adminId);
  if (!row || row.actif_le) throw overtaken();
  const pas = stepOfCode(openSecret(secrets, row), barePassword(code), now);
  if (pas === undefined) return undefined;
  if (!(await confirmFactor(db, row, pas, now))) throw overtaken();
  return newRecoveryCodes(db, secrets, adminId);
}

/** Makes recovery codes in place of those that an admin has; they are stored only as hashes. */
export async function newRecoveryCodes(db: Access, secrets: Secrets, adminId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, generatePassword);
  await writeRecoveryCodes(
    db,
    adminId,
    codes.map((one) => recoveryHash(secrets, adminId, one)),
  );
  return codes;
}

/**
 * Checks a code and uses it up; returns how the account was opened: by its password alone, as it asks for no more, by a
 * code of the application, or by a recovery code. Throws, with `status`, when a code is missing, wrong or used already.
 */
export async function passSecondFactor(
  db: Access,
  secrets: Secrets,
  adminId: number,
  typed: string,
  now: Date,
  status: number,
): Promise<'password' | 'code' | 'recovery'> {
  const row = await findFactor(db, adminId);
  const hasApplication = Boolean(row?.actif_le);
  if (!hasApplication && (await listPasskeys(db, adminId)).length === 0) return 'password';
  const code = barePassword(typed);
  if (code === '')
    throw hasApplication
      ? codeWanted(status, 'code', 'Donnez aussi le code que votre application montre.')
      : codeWanted(
          status,
          'secours',
          'Ce compte s’ouvre avec une clé d’accès\u202f; sans elle, donnez aussi un de vos codes de secours.',
        );
  const pas = row?.actif_le ? stepOfCode(openSecret(secrets, row), code, now) : undefined;
  const isUsedUp =
    pas === undefined
      ? await deleteRecoveryCode(db, adminId, recoveryHash(secrets, adminId, code))
      : await raiseStep(db, adminId, pas);
  if (!isUsedUp) throw new WrongCode(status);
  return pas === undefined ? 'recovery' : 'code';
}

/** `etape`: what was given was right; it goes on with a code of this kind, sent together with it. */
const codeWanted = (status: number, etape: 'code' | 'secours', text: string) =>
  new HttpError(status, text, { extra: { etape } });

export class WrongCode extends HttpError {
  constructor(status: number) {
    super(status, 'Ce code est incorrect, périmé ou déjà utilisé.', { extra: { etape: 'code' } });
  }
}

/*
 * The setting that makes a second factor (a passkey or an application) compulsory. An account without one has seven days;
 * from then on it has no rights until it has one, so it opens nothing but itself. When that is stands in the account's
 * row, so that a request reads no setting.
 */

const GRACE_MS = 7 * DAY_MS;

/** By when an account needs a second factor that has none now; null while none is asked for. */
export async function deadlineAt(db: Access, config: Config, now: Date): Promise<string | null> {
  const { second_facteur } = await readSettings(db, config);
  return second_facteur === 'obligatoire' ? new Date(now.getTime() + GRACE_MS).toISOString() : null;
}

/** Applies the setting, which was just saved, to all accounts. */
export async function applyRule(db: Access, config: Config, now: Date): Promise<void> {
  await writeFactorsBefore(db, await deadlineAt(db, config, now));
}

/** Throws 409 when an account has just given up the last second factor while one is compulsory. */
export async function requireFactorLeft(
  db: Access,
  config: Config,
  adminId: number,
  now: Date,
): Promise<void> {
  if (hasFactor(await readFactors(db, adminId))) return;
  if ((await deadlineAt(db, config, now)) === null) return;
  throw conflict(
    'Une clé d’accès ou la connexion en deux étapes est obligatoire ici\u202f: mettez d’abord l’autre en place.',
  );
}

export const sealedFactors: Sealed = {
  label: 'secondes étapes',
  place: 4,
  countClosed: async (db, secrets) =>
    countClosed(await listSealedFactors(db), (factor) => openSecret(secrets, factor)),
  async reseal(transaction, secrets, next) {
    for (const row of await listSealedFactors(transaction))
      await writeSecret(transaction, row.admin_id, sealSecret(next, row.admin_id, openSecret(secrets, row)));
  },
  forget: forgetSecondFactors,
};

const overtaken = () => conflict('Ce code QR ne vaut plus rien\u202f: recommencez depuis le mot de passe.');

function openSecret(secrets: Secrets, row: { admin_id: number; secret: string }): Buffer {
  return Buffer.from(secrets.open(row.secret, contextOf(row.admin_id)), 'base64');
}

function sealSecret(secrets: Secrets, adminId: number, secret: Buffer): string {
  return secrets.seal(secret.toString('base64'), contextOf(adminId));
}

function contextOf(adminId: number): string {
  return `admins:${adminId}:second-facteur`;
}

/** Keyed hash of a recovery code. Codes have sixty random bits, so this is safe enough, and the row is found by it. */
function recoveryHash(secrets: Secrets, adminId: number, code: string): string {
  return secrets.fingerprint(`secours:${adminId}:${barePassword(code)}`);
}

/*
 * Time-based codes: six digits that change every thirty seconds, computed from the shared secret as in RFC 6238, with
 * HMAC-SHA1, which every application supports.
 */

const STEP_MS = 30_000;
const DIGITS = 6;

export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / STEP_MS);
}

export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const start = hash.readUInt8(hash.length - 1) & 0xf;
  const number = hash.readUInt32BE(start) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * The step that a code belongs to: the present one or a neighbour, as clocks differ and people type slowly. Undefined
 * for any other code, after the same time.
 */
export function stepOfCode(secret: Buffer, code: string, now: Date): number | undefined {
  const present = stepAt(now);
  return [present - 1, present, present + 1].filter((step) => sameText(codeAt(secret, step), code)).at(-1);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Bytes in base 32 (RFC 4648), for people and applications. The number of bytes must be a multiple of five. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}
