/*
 * Dates as people read them, on the server as in the browser. Free of zod, so that browsers need not load it.
 */

/** In the place of a date that is none. */
export const NO_DATE = 'Date non disponible';

export const FRENCH = /^fr\b/;

/** « du 6 au 20 juillet 2026 », two days written once where they share a month or a year. */
export function rangeOf(first: string, last: string, locale: string): string {
  const [from, to] = [new Date(first), new Date(last)];
  if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime())) return NO_DATE;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  if (!FRENCH.test(locale)) return format.formatRange(from, to);
  const end = firstOfMonth(format.format(to));
  if (first === last) return `le\u00a0${end}`;
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(from);
  const isSameYear = first.slice(0, 4) === last.slice(0, 4);
  const isSameMonth = isSameYear && first.slice(5, 7) === last.slice(5, 7);
  const start = isSameMonth
    ? part({ day: 'numeric' })
    : isSameYear
      ? part({ day: 'numeric', month: 'long' })
      : format.format(from);
  return `du\u00a0${firstOfMonth(start)} au\u00a0${end}`;
}

/** « 1er juillet », « mardi 1er décembre 2026 »: the only day of a month that French counts so. */
export function firstOfMonth(day: string): string {
  return day.replace(/(?<!\d)1(?= |$)/, '1er');
}

/** « 1er septembre 2026 », in mails and messages of the server. */
export function longDay(day: string): string {
  const format = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'UTC' });
  return firstOfMonth(format.format(new Date(day)));
}
