/**
 * The first `most` characters of a long text, on one line and without its light Markdown. Cut first: the
 * patterns are slow on hostile lengths.
 */
export function excerpt(markdown: string, most = 600): string {
  const plain = [...markdown.slice(0, 4 * most)]
    .slice(0, 2 * most)
    .join('')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|\*)(?=\S)(.+?)\1/g, '$2')
    .replace(/^\s*([-*]|\d+\.|#{1,6})\s+/gm, '')
    // Not the no-break spaces that French punctuation keeps.
    .replace(/[ \t\r\n]+/g, ' ')
    .trim();
  const characters = [...plain];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : plain;
}

/** Characters that search engines show of a description. */
export const DESCRIPTION = 160;

/** In the place of a date that is none. */
const NO_DATE = 'Date non disponible';

/** « 20 juin 2026 » as the visitor writes dates, on the clocks of the site. */
export function dayOf(instant: string, locale: string, timeZone: string): string {
  return write(instant, locale, { dateStyle: 'long', timeZone });
}

/** « 20 juin 2026 à 11 h 05 », likewise. */
export function instantOf(instant: string, locale: string, timeZone: string): string {
  return writeWithTime(instant, locale, { dateStyle: 'long', timeZone });
}

/** « samedi 20 juin 2026 à 18 h 30 »: what is on the poster of an event, wherever it is read. */
export function momentOf(moment: string, locale: string): string {
  return writeWithTime(moment, locale, { dateStyle: 'full', timeZone: 'UTC' });
}

/** « juin », short where the visitor's words have a short one. */
export function monthOf(moment: string, locale: string): string {
  return write(moment, locale, { month: 'short', timeZone: 'UTC' });
}

type DateFormat = Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeZone'>;

function write(text: string, locale: string, format: Intl.DateTimeFormatOptions): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? NO_DATE : new Intl.DateTimeFormat(locale, format).format(date);
}

/** In French hours are written « 18 h 30 », which the browsers’ own « 18:30 » is not. */
function writeWithTime(text: string, locale: string, format: DateFormat): string {
  const day = write(text, locale, format);
  if (day === NO_DATE) return day;
  if (!/^fr\b/.test(locale)) return write(text, locale, { ...format, timeStyle: 'short' });
  const clock = write(text, 'fr-FR', { timeStyle: 'short', timeZone: format.timeZone });
  const [hours, minutes] = clock.split(':');
  return `${day} à\u00a0${Number(hours)}\u00a0h${minutes === '00' ? '' : `\u00a0${minutes}`}`;
}
