import { codeAt, stepAt } from '#features/accounts/server/secondFactor.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What an application on a telephone shows at an instant, the secret having been typed or scanned. */
export function codeOf(secret: string, now: Date): string {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2));
  return codeAt(Buffer.from(bytes), stepAt(now));
}
