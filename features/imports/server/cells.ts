import type { Consent } from '#features/stays/shared/terms.ts';
import { folded } from '#platform/shared/fold.ts';
import { isDay } from '#platform/shared/time.ts';

/** What people and spreadsheets write for a day and for a yes. */

const FRENCH_DAY = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/;
/** A spreadsheet may add midnight to a day. */
const TIME = /[T ]\d{1,2}[:h][\d:.]*Z?$/;

/** A day as `2026-06-20`; undefined for what is none. Two digits of a year are of this century. */
export function readDay(cell: string): string | undefined {
  const text = cell.trim().replace(TIME, '');
  const french = FRENCH_DAY.exec(text);
  if (!french) return isDay(text) ? text : undefined;
  const [, day = '', month = '', year = ''] = french;
  const read = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(read) ? read : undefined;
}

const CONSENT_WORDS: Record<Consent, readonly string[]> = {
  oui: ['oui', 'o', 'vrai', 'true', '1', 'x'],
  non: ['non', 'n', 'faux', 'false', '0'],
  inconnu: ['inconnu'],
};

/** What a cell says of consent; undefined for what says nothing. */
export function readConsent(cell: string): Consent | undefined {
  const word = folded(cell);
  return (Object.keys(CONSENT_WORDS) as Consent[]).find((consent) => CONSENT_WORDS[consent].includes(word));
}
