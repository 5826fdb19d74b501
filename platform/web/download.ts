import type { CallKey } from '#platform/shared/call.ts';
import {
  type AddressInput,
  addressOf,
  blobOf,
  exchange,
  headersWith,
  LIMITS_MS,
  refusal,
  withProof,
} from './api.ts';
import { tokensFor } from './session.ts';

/** Makes a call of the portal that answers a file, and has the browser save it under the name given in the answer. */
export function download<K extends CallKey>(key: K, input: AddressInput<K>): Promise<void> {
  return withProof(async () => {
    const [token] = tokensFor('portal');
    const options = { limit: LIMITS_MS.write, outer: undefined };
    const asked = { headers: headersWith(token) };
    const { response, content } = await exchange(addressOf(key, input), asked, blobOf, options);
    if (!response.ok) throw refusal(response.status, await content.text(), token);
    saveAs(content, nameIn(response.headers.get('content-disposition') ?? ''));
  });
}

/** Has the browser save a file that was made or fetched here. */
export function saveAs(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Not at once: the browser has yet to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Reads the file name from `Content-Disposition`; prefers `filename*`, the form that can hold accents. */
function nameIn(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  if (encoded) return decodeURIComponent(encoded);
  const [, quoted, bare] = /filename=(?:"([^"]+)"|([^;]+))/.exec(disposition) ?? [];
  return quoted ?? bare ?? 'fichier';
}
