import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/* A device that makes a passkey and signs with it, as WebAuthn has it; every part can be made wrong. */

/** What a device gives wrong, or says otherwise than a good one would. */
interface Fault {
  origin?: string;
  rpId?: string;
  /** The person was not asked for a finger, a face or a code. */
  isUnverified?: boolean;
  challenge?: string;
  /** The signature is of another key. */
  isForged?: boolean;
  id?: string;
  /** What the device counts; undefined: nothing, as most do. */
  counter?: number;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_KEY = 0x40;

const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();

/** A device with one passkey of a site. */
export function openDevice(siteUrl: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const credentialId = randomBytes(32);

  const clientData = (type: string, challenge: string, fault: Fault) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: fault.challenge ?? challenge,
        origin: fault.origin ?? siteUrl,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (flags: number, { rpId, isUnverified, counter = 0 }: Fault) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const seen = isUnverified ? flags : flags | VERIFIED;
    return Buffer.concat([sha256(rpId ?? new URL(siteUrl).hostname), Buffer.from([seen]), count]);
  };
  const around = (fault: Fault = {}) => ({
    id: fault.id ?? base64url(credentialId),
    rawId: fault.id ?? base64url(credentialId),
    type: 'public-key',
    authenticatorAttachment: 'platform',
  });

  return {
    id: base64url(credentialId),
    /** What it answers that made its passkey. */
    make({ challenge }: { challenge: string }, fault: Fault = {}) {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      // COSE: an EC2 key (1: 2) for ES256 (3: -7) on P-256 (-1: 1), its x (-2) and y (-3).
      const coseKey = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const authData = Buffer.concat([
        authenticatorData(PRESENT | WITH_KEY, fault),
        Buffer.alloc(16),
        length,
        credentialId,
        coseKey,
      ]);
      // CBOR: { fmt: 'none', attStmt: {}, authData }.
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0', 'hex'),
        Buffer.from('686175746844617461', 'hex'),
        Buffer.from([0x58, authData.length]),
        authData,
      ]);
      return {
        ...around(fault),
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', challenge, fault)),
          attestationObject: base64url(attestationObject),
        },
      };
    },
    /** What it answers that signed a challenge. */
    sign({ challenge }: { challenge: string }, fault: Fault = {}) {
      const data = clientData('webauthn.get', challenge, fault);
      const authData = authenticatorData(PRESENT, fault);
      const signed = Buffer.concat([authData, sha256(data)]);
      return {
        ...around(fault),
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authData),
          signature: base64url(sign('sha256', signed, fault.isForged ? other : privateKey)),
        },
      };
    },
  };
}
