import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import { CallError, call } from '#platform/web/api.ts';

/* What a browser does with the passkeys of the device. */

export const hasPasskeys = browserSupportsWebAuthn;

/** Lets the device sign with a passkey of the person's choice; undefined when they would rather not. */
export async function signWithPasskey() {
  const { options, jeton } = await call('POST /cles-acces/defi', {});
  const reponse = await unlessGivenUp(() => startAuthentication({ optionsJSON: options }));
  return reponse && { jeton, reponse };
}

/** Makes a passkey for one's own account on a device; undefined when the person would rather not. */
export async function makePasskey(nom: string) {
  const { options, jeton } = await call('POST /admins/moi/cles-acces/defi', {});
  const reponse = await unlessGivenUp(() => startRegistration({ optionsJSON: options }));
  return reponse && call('POST /admins/moi/cles-acces', { body: { jeton, reponse, nom } });
}

/** Runs a dialog of the browser. Throws `CallError` in words for people; undefined when it was closed or timed out. */
async function unlessGivenUp<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    const { name } = error as Error;
    if (name === 'NotAllowedError' || name === 'AbortError') return undefined;
    const isKnown =
      error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
    throw new CallError(
      400,
      isKnown
        ? 'Cet appareil a déjà une clé d’accès à ce compte.'
        : 'Cet appareil ne peut pas se servir d’une clé d’accès ici\u202f: il y faut un code, un doigt ou un visage pour le déverrouiller, et l’adresse habituelle du site.',
    );
  }
}
