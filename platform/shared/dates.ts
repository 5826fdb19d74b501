/*
 * Dates as people read them, on the server as in the browser. Free of zod, so that browsers need not load it.
 */

/** Text shown for an invalid date. */
export const NO_DATE = 'Date non disponible';

export const FRENCH = /^fr\b/;

const MONTHS = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(
  ' ',
);
const SHORT_MONTHS = 'janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.'.split(' ');
const WEEKDAYS = 'dimanche lundi mardi mercredi jeudi vendredi samedi'.split(' ');

/** The parts of a date in French words, written without `Intl`, which browsers take long to make ready. */
export function frenchDay(day: string): {
  weekday: string;
  day: string;
  month: string;
  shortMonth: string;
  year: string;
} {
  const date = new Date(day);
  const month = date.getUTCMonth();
  const number = date.getUTCDate();
  return {
    weekday: WEEKDAYS[date.getUTCDay()] ?? '',
    // The only day of the month that French writes as an ordinal.
    day: number === 1 ? '1er' : String(number),
    month: MONTHS[month] ?? '',
    shortMonth: SHORT_MONTHS[month] ?? '',
    year: String(date.getUTCFullYear()),
  };
}

/** « du 6 au 20 juillet 2026 », two days written once where they share a month or a year. */
export function rangeOf(first: string, last: string, locale: string): string {
  const [from, to] = [new Date(first), new Date(last)];
  if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime())) return NO_DATE;
  if (!FRENCH.test(locale))
    return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).formatRange(from, to);
  const end = longDay(last);
  if (first === last) return `le\u00a0${end}`;
  const { day, month } = frenchDay(first);
  const isSameYear = first.slice(0, 4) === last.slice(0, 4);
  const isSameMonth = isSameYear && first.slice(5, 7) === last.slice(5, 7);
  const start = isSameMonth ? day : isSameYear ? `${day} ${month}` : longDay(first);
  return `du\u00a0${start} au\u00a0${end}`;
}

/** « 1er septembre 2026 ». */
export function longDay(date: string): string {
  const { day, month, year } = frenchDay(date);
  return `${day} ${month} ${year}`;
}

/** « 1er juillet 2026 à 11 h 05 », from a wall-clock time. */
export function longMoment(wall: string): string {
  return `${longDay(wall)} ${atHour(wall)}`;
}

/** « 20/06/2026 », from a day `2026-06-20`. */
export function shortDay(day: string): string {
  return day.split('-').reverse().join('/');
}

/** « à 20 h », « à 18 h 30 », from a wall-clock time; browsers would write « 18:30 ». */
export function atHour(wall: string): string {
  const [hours, minutes] = wall.slice(11, 16).split(':');
  return `à\u00a0${Number(hours)}\u00a0h${minutes === '00' ? '' : `\u00a0${minutes}`}`;
}
