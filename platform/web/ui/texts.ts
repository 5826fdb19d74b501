import { atHour, FRENCH, frenchDay, longDay, NO_DATE } from '#platform/shared/dates.ts';
import { wallClock } from '#platform/shared/time.ts';

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

/** « 20 juin 2026 » as the visitor writes dates, on the clocks of the site. */
export function dayOf(instant: string, locale: string, timeZone: string): string {
  return write(instant, locale, { dateStyle: 'long', timeZone }, (wall) => longDay(wall));
}

/** « 20 juin 2026 à 11 h 05 », likewise. */
export function instantOf(instant: string, locale: string, timeZone: string): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone } as const;
  return write(instant, locale, format, (wall) => `${longDay(wall)} ${atHour(wall)}`);
}

/** « samedi 20 juin 2026 à 18 h 30 »: what is on the poster of an event, wherever it is read. */
export function momentOf(moment: string, locale: string): string {
  const format = { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' } as const;
  return write(
    moment,
    locale,
    format,
    (wall) => `${frenchDay(wall).weekday} ${longDay(wall)} ${atHour(wall)}`,
  );
}

/** « mercredi 8 juillet »: a day of which the year is known. */
export function weekdayOf(date: string, locale: string): string {
  const format = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
  return write(date, locale, format, (wall) => {
    const { weekday, day, month } = frenchDay(wall);
    return `${weekday} ${day} ${month}`;
  });
}

/** « 8 juillet », likewise. */
export function dayInYear(date: string, locale: string): string {
  return write(date, locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }, (wall) => {
    const { day, month } = frenchDay(wall);
    return `${day} ${month}`;
  });
}

/** « juin », short where the visitor's words have a short one. */
export function monthOf(moment: string, locale: string): string {
  return write(moment, locale, { month: 'short', timeZone: 'UTC' }, (wall) => frenchDay(wall).shortMonth);
}

/** `inFrench` is given what the clocks of the format's zone show. */
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

/** Kept, as browsers take long to make one: a gallery writes thousands of days. */
function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** Between two digits of a telephone number, if anything. */
const GAP = '[ \\t\\u00a0\\u202f./-]?';
/** A French number as one dials it from abroad, one of another country, and a French one; each ends by itself. */
const WHOLE_NUMBERS = [
  `(?:\\+|00)${GAP}3${GAP}3${GAP}0?(?:${GAP}\\d){9}`,
  `(?:\\+|00)${GAP}[1-9](?:${GAP}\\d){6,14}`,
  `0${GAP}[1-9](?:${GAP}\\d){8}`,
];
const NUMBER_IN_TEXT = new RegExp(`(?:^|[^\\d+])(${WHOLE_NUMBERS.join('|')})(?!\\d)`);
/** Too short to be told from an hour, say, unless it stands alone. */
const ONLY_A_NUMBER = new RegExp(`^([1-9](?:${GAP}\\d){1,14})$`);

/** Where a phone dials the first number of a text; undefined when there is none. */
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
