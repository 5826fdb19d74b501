import type { z } from 'zod';
import type { Access } from '#platform/server/db/database.ts';
import { conflict, HttpError, invalid } from '#platform/server/errors.ts';
import type { Services } from '#platform/server/services.ts';
import { DAY_MS, isWithin } from '#platform/shared/time.ts';
import type { assertion, attestation } from '../calls.ts';
import { type AdminRow, getAdmin } from './adminsStore.ts';
import { findPasskey, insertPasskey, listPasskeys, takeOnce, writePasskeyUse } from './factorsStore.ts';

/*
 * Passkeys (WebAuthn). A passkey is two factors at once, as the device asks for a finger, a face or a code before it
 * signs: it opens an account without its password. A challenge goes out with itself sealed, and comes back with the
 * signature: the site keeps only those that were used, so that none is used again.
 */

/** Loaded at the first use: it takes a fifth of a second, which no start should wait for. */
const library = () => import('@simplewebauthn/server');
/** ES256, EdDSA and RS256, by their COSE numbers: what devices have. */
const ALGORITHMS = [-7, -8, -257];
/** Time, in ms, that a person has to use their device. */
const CHALLENGE_MS = 5 * 60_000;
/** How long, in ms, a used one is kept: far longer than it lasts, as the clock may be set back. */
const USED_MS = DAY_MS;
const PASSKEYS_MAX = 20;

/** The site asks for none, and reads none. */
const NO_EXTENSIONS = { clientExtensionResults: {} };

type Purpose = 'connexion' | `ajout:${number}`;

interface Challenge {
  challenge: string;
  madeAt: string;
}

const contextOf = (purpose: Purpose) => `cle-acces:${purpose}`;

function sealed({ secrets }: Services, purpose: Purpose, challenge: string, now: Date): string {
  const made: Challenge = { challenge, madeAt: now.toISOString() };
  return secrets.seal(JSON.stringify(made), contextOf(purpose));
}

/**
 * Opens a sealed challenge and uses it up, unless the transaction fails. Throws 422 for one that is too old or used, for
 * something else, or not of this site.
 */
async function takeChallenge(
  { secrets }: Services,
  transaction: Access,
  purpose: Purpose,
  jeton: string,
  now: Date,
): Promise<Challenge> {
  let made: Challenge | undefined;
  try {
    made = JSON.parse(secrets.open(jeton, contextOf(purpose)));
  } catch {
    // Of another site, another key or another purpose.
  }
  const end = new Date(now.getTime() + USED_MS);
  if (
    !made ||
    !isWithin(made.madeAt, CHALLENGE_MS, now) ||
    !(await takeOnce(transaction, made.challenge, end))
  )
    throw new HttpError(422, 'Cette demande n’est plus valable\u202f: recommencez.');
  return made;
}

const placeOf = ({ publicUrl }: Services) => ({ origin: publicUrl, rpID: new URL(publicUrl).hostname });

/** What a browser needs to sign in, or to prove who one is, with any passkey of this site that the device has. */
export async function signInOptions(given: Services, now: Date) {
  const options = await (await library()).generateAuthenticationOptions({
    rpID: placeOf(given).rpID,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });
  const { challenge, timeout = CHALLENGE_MS, rpId = '' } = options;
  return {
    options: { challenge, timeout, rpId, userVerification: 'required' as const },
    jeton: sealed(given, 'connexion', challenge, now),
  };
}

/** What a browser needs to make a passkey for an account on a device that has none of it yet. */
export async function creationOptions(
  given: Services,
  db: Access,
  { id, username }: AdminRow,
  site: string,
  now: Date,
) {
  const known = await listPasskeys(db, id);
  if (known.length >= PASSKEYS_MAX)
    throw conflict(`Un compte a ${PASSKEYS_MAX} clés d’accès au plus\u202f: supprimez-en une d’abord.`);
  const { challenge, rp, user, pubKeyCredParams } = await (await library()).generateRegistrationOptions({
    rpID: placeOf(given).rpID,
    rpName: site,
    userID: new TextEncoder().encode(String(id)),
    userName: username,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return {
    options: {
      challenge,
      rp: { id: rp.id ?? '', name: rp.name },
      user,
      pubKeyCredParams,
      timeout: CHALLENGE_MS,
      attestation: 'none' as const,
      excludeCredentials: known.map(({ identifiant }) => ({
        id: identifiant,
        type: 'public-key' as const,
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' } as const,
    },
    jeton: sealed(given, `ajout:${id}`, challenge, now),
  };
}

/** Stores the passkey that a device made. Throws 422 when it did not sign the challenge at this site. */
export async function addPasskey(
  given: Services,
  transaction: Access,
  adminId: number,
  { jeton, reponse, nom }: { jeton: string; reponse: z.output<typeof attestation>; nom: string },
  now: Date,
): Promise<void> {
  const { challenge, madeAt } = await takeChallenge(given, transaction, `ajout:${adminId}`, jeton, now);
  const { origin, rpID } = placeOf(given);
  const found = await (await library())
    .verifyRegistrationResponse({
      response: { ...reponse, ...NO_EXTENSIONS },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    .catch(() => undefined);
  if (!found?.verified)
    throw invalid(
      { nom: 'la clé de cet appareil n’a pas pu être vérifiée\u202f: recommencez.' },
      { nom: 'Nom' },
    );
  const { id, publicKey, counter } = found.registrationInfo.credential;
  const isNew = await insertPasskey(transaction, {
    admin_id: adminId,
    identifiant: id,
    cle_publique: Buffer.from(publicKey).toString('base64url'),
    compteur: counter,
    nom,
    created_at: now.toISOString(),
    defi_le: madeAt,
  });
  if (!isNew) throw conflict('Cette clé d’accès est déjà en place.');
}

export interface SignedChallenge {
  jeton: string;
  reponse: z.output<typeof assertion>;
}

export class WrongPasskey extends HttpError {
  constructor(status: number) {
    super(
      status,
      'Cette clé d’accès n’ouvre aucun compte d’ici. Connectez-vous avec votre mot de passe, ou avec une autre clé.',
    );
  }
}

/**
 * Returns the admin whose passkey signed the challenge, and uses the challenge up. Throws `WrongPasskey`, with `status`,
 * for any other signature, and 422 for a challenge that is no longer one.
 */
export async function passPasskey(
  given: Services,
  transaction: Access,
  { jeton, reponse }: SignedChallenge,
  now: Date,
  status: number,
): Promise<AdminRow> {
  const { challenge, madeAt } = await takeChallenge(given, transaction, 'connexion', jeton, now);
  const row = await findPasskey(transaction, reponse.id);
  if (!row) throw new WrongPasskey(status);
  const { origin, rpID } = placeOf(given);
  const found = await (await library())
    .verifyAuthenticationResponse({
      response: { ...reponse, ...NO_EXTENSIONS },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: row.identifiant,
        publicKey: new Uint8Array(Buffer.from(row.cle_publique, 'base64url')),
        counter: row.compteur,
      },
    })
    .catch(() => undefined);
  if (!found?.verified) throw new WrongPasskey(status);
  const use = { compteur: found.authenticationInfo.newCounter, defi_le: madeAt, vu_le: now.toISOString() };
  await writePasskeyUse(transaction, row.id, use);
  return getAdmin(transaction, row.admin_id);
}
