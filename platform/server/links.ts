import { randomBytes } from 'node:crypto';
import type { Secrets } from './secrets.ts';
import { tokenHash } from './sessionsStore.ts';

/*
 * Links that open something by themselves. What opens is derived from the site's key and the random `lien` of a row, so that
 * the same link can be mailed again; the row holds its hash, `jeton`. It stands after the `#` of an address, which reaches no
 * server and no log, and a page sends it when somebody presses its button: what follows links by itself opens nothing.
 */

export interface LinkRow {
  lien: string | null;
  jeton: string | null;
}

const derived = (secrets: Secrets, lien: string) => secrets.fingerprint(`lien:${lien}`);

export function newLink(secrets: Secrets): { lien: string; jeton: string } {
  const lien = randomBytes(16).toString('base64url');
  return { lien, jeton: tokenHash(derived(secrets, lien)) };
}

/** What opens the link of a row; undefined where there is none, or one that was made with another key: it is lost with it. */
export function secretOf(secrets: Secrets, { lien, jeton }: LinkRow): string | undefined {
  const secret = lien === null ? undefined : derived(secrets, lien);
  return secret && tokenHash(secret) === jeton ? secret : undefined;
}
