import { atHour, FRENCH, frenchDay, longDay, longMoment, NO_DATE } from '#platform/shared/dates.ts';
import { wallClock } from '#platform/shared/time.ts';

/**
 * The first `most` characters of a long text, on one line and without its light Markdown. The text is cut before the
 * patterns run, as they are slow on hostile lengths.
 */
export function excerpt(markdown: string, most = 600): string {
  const plain = [...markdown.slice(0, 4 * most)]
    .slice(0, 2 * most)
    .join('')
    // Escaped signs are out of sight of the patterns, and come back as they are read.
    .replace(/\\([\\*_[\]()#+.!-])/g, (_, sign: string) => String.fromCharCode(HIDDEN + sign.charCodeAt(0)))
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|\*)(?=\S)(.+?)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}])_(?=\S)(.+?)_(?![\p{L}\p{N}])/gu, '$1')
    .replace(/^\s*([-*]|\d+\.|#{1,6})\s+/gm, '')
    .replace(/[\ue021-\ue05f]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - HIDDEN))
    // Spares the no-break spaces of French punctuation.
    .replace(/[ \t\r\n]+/g, ' ')
    .trim();
  const characters = [...plain];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : plain;
}

/** Start of characters that no text has. */
const HIDDEN = 0xe000;

/** Length, in characters, of a description that search engines show. */
export const DESCRIPTION = 160;

/** « 20 juin 2026 », in the visitor's locale, of an instant in the site's time zone. */
export function dayOf(instant: string, locale: string, timeZone: string): string {
  return write(instant, locale, { dateStyle: 'long', timeZone }, (wall) => longDay(wall));
}

/** « 20 juin 2026 à 11 h 05 », in the visitor's locale, of an instant in the site's time zone. */
export function instantOf(instant: string, locale: string, timeZone: string): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone } as const;
  return write(instant, locale, format, longMoment);
}

/** « samedi 20 juin 2026 à 18 h 30 »: the wall-clock time of an event, the same wherever it is read. */
export function momentOf(moment: string, locale: string): string {
  const format = { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' } as const;
  return write(moment, locale, format, (wall) => `${frenchDay(wall).weekday} ${longMoment(wall)}`);
}

/** « jusqu’à 20 h », or « jusqu’au dimanche 21 juin 2026 à 12 h » on another day than it starts. */
export function untilText(start: string, end: string, locale: string): string {
  if (start.slice(0, 10) !== end.slice(0, 10)) return `jusqu’au ${momentOf(end, locale)}`;
  const format = { timeStyle: 'short', timeZone: 'UTC' } as const;
  // `atHour` begins with « à ».
  return `jusqu’à\u00a0${write(end, locale, format, (wall) => atHour(wall).slice(2))}`;
}

/** « mercredi 8 juillet », where the year is known. */
export function weekdayOf(date: string, locale: string): string {
  const format = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
  return write(date, locale, format, (wall) => {
    const { weekday, day, month } = frenchDay(wall);
    return `${weekday} ${day} ${month}`;
  });
}

/** « 8 juillet », where the year is known. */
export function dayInYear(date: string, locale: string): string {
  return write(date, locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }, (wall) => {
    const { day, month } = frenchDay(wall);
    return `${day} ${month}`;
  });
}

/** « juin », abbreviated where the locale has an abbreviation. */
export function monthOf(moment: string, locale: string): string {
  return write(moment, locale, { month: 'short', timeZone: 'UTC' }, (wall) => frenchDay(wall).shortMonth);
}

/** Formats a date for a locale. `inFrench` formats French ones, from the wall-clock time in the format's time zone. */
function write(
  text: string,
  locale: string,
  format: Intl.DateTimeFormatOptions & { timeZone: string },
  inFrench: (wall: string) => string,
): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return NO_DATE;
  return FRENCH.test(locale)
    ? inFrench(wallClock(date, format.timeZone))
    : formatOf(locale, format).format(date);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Cached formats, as browsers take long to make one, and a gallery writes thousands of days. */
function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** « example.org », the site that an address leads to; undefined for one that is not whole yet. */
export function siteOf(address: string): string | undefined {
  try {
    return new URL(address).hostname.replace(/^www\./, '');
  } catch {
    return undefined;
  }
}

/** Optional separator between two digits of a telephone number. */
const GAP = '[ \\t\\u00a0\\u202f./-]?';
/** Patterns of numbers that end by themselves: French dialled from abroad, of another country, French. */
const WHOLE_NUMBERS = [
  `(?:\\+|00)${GAP}3${GAP}3${GAP}0?(?:${GAP}\\d){9}`,
  `(?:\\+|00)${GAP}[1-9](?:${GAP}\\d){6,14}`,
  `0${GAP}[1-9](?:${GAP}\\d){8}`,
];
const NUMBER_IN_TEXT = new RegExp(`(?:^|[^\\d+])(${WHOLE_NUMBERS.join('|')})(?!\\d)`);
/** A short number, recognised only when it is the whole text, as it could otherwise be an hour, for example. */
const ONLY_A_NUMBER = new RegExp(`^([1-9](?:${GAP}\\d){1,14})$`);

/** The `tel:` address of the first number in a text; undefined when there is none. */
export function telephoneAddress(text: string): string | undefined {
  const plain = text
    .replace(/\s*\(0\)\s*/g, ' ')
    .replace(/[()]/g, '')
    .trim();
  const [, written] = NUMBER_IN_TEXT.exec(plain) ?? ONLY_A_NUMBER.exec(plain) ?? [];
  const dialled = written
    ?.replace(/[^\d+]/g, '')
    .replace(/^00/, '+')
    .replace(/^\+330/, '+33');
  return dialled && `tel:${dialled}`;
}

/**
 * « 12 345 », a whole number as French writes it. Not by `Intl`, whose first use keeps a phone busy for a tenth of a
 * second.
 */
export function numberText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** « 1 message », « 1 200 messages ». */
export function countOf(count: number, one: string, several = `${one}s`): string {
  return `${numberText(count)} ${count > 1 ? several : one}`;
}
