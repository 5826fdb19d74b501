/*
 * Two kinds of time. An instant is a point in time, stored as UTC ISO text to the millisecond. A wall-clock time is
 * what a local clock shows, stored as text of the same form, whose Z means nothing.
 */

const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const WEEK_MINUTES = 7 * 24 * 60;

/** Time, in ms, by which the clocks of several machines of one site may differ. */
const SKEW_MS = 5_000;

/** True for an instant of the last `ms`, and not for one that is yet to come, as after a clock that was set back. */
export function isWithin(instant: string, ms: number, now: Date): boolean {
  const age = now.getTime() - Date.parse(instant);
  return age >= -SKEW_MS && age < ms;
}

const WALL = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?Z?$/;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The day `days` days after a day; before it when negative. */
export function dayAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00.000Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** True for a day that exists, written `2026-06-20`, from 1900 to 2999. */
export function isDay(text: string): boolean {
  const match = DAY.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1900 && year < 3000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/**
 * Reads a wall-clock time (`2026-06-20T18:30`, seconds and `.000Z` allowed) into `2026-06-20T18:30:00.000Z`;
 * undefined when it is none. An offset other than Z is refused: it would name an instant. `isExact`: a fraction of a
 * second is kept, to the millisecond.
 */
export function readMoment(text: string, isExact = false): string | undefined {
  const match = WALL.exec(text);
  if (!match || !isDay(text.slice(0, 10))) return undefined;
  const [hours, minutes, seconds] = [match[4], match[5], match[6] ?? '00'];
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const fraction = isExact ? (match[7] ?? '') : '';
  return `${text.slice(0, 10)}T${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}Z`;
}

// One per zone: making it costs ten times as much as using it, and a list of stays uses it for each.
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  clocks.set(timeZone, clock);
  return clock;
}

/**
 * When the clocks of a time zone change: minutes since 1970, and minutes ahead of UTC from then on. The first entry is the
 * start of the time that is covered, the last one its end.
 */
export type ClockChanges = readonly (readonly [from: number, ahead: number])[];

const known = new Map<string, ClockChanges>();

/** Makes the clock changes of a time zone known: within the time that they cover, `Intl` is not asked. */
export function knowClockChanges(timeZone: string, changes: ClockChanges): void {
  known.set(timeZone, changes);
}

/** Minutes ahead of UTC, from the clock changes that are known; undefined outside the time that they cover. */
function knownOffset(minute: number, timeZone: string): number | undefined {
  const changes = known.get(timeZone);
  if (!changes || minute >= (changes.at(-1)?.[0] ?? 0)) return undefined;
  return changes.findLast(([from]) => from <= minute)?.[1];
}

/** The clock changes of a time zone from one instant to another, both at a whole minute. */
export function clockChangesBetween(timeZone: string, start: Date, end: Date): ClockChanges {
  const [first, last] = [start.getTime() / MINUTE_MS, end.getTime() / MINUTE_MS];
  const offsetAt = (minute: number) => {
    const time = minute * MINUTE_MS;
    return Math.round((Date.parse(wallClock(new Date(time), timeZone)) - time) / MINUTE_MS);
  };
  const changes: [number, number][] = [[first, offsetAt(first)]];
  for (let before = first; before < last; before += WEEK_MINUTES) {
    const after = Math.min(before + WEEK_MINUTES, last);
    if (offsetAt(before) === offsetAt(after)) continue;
    // No zone changes its clocks twice a week.
    let [low, high] = [before, after];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle) === offsetAt(before)) low = middle;
      else high = middle;
    }
    changes.push([high, offsetAt(high)]);
  }
  return [...changes, [last, offsetAt(last)]];
}

/** What the clocks of `timeZone` show at `instant`, as a wall-clock time. */
export function wallClock(instant: Date, timeZone: string): string {
  if (timeZone === 'UTC') return `${instant.toISOString().slice(0, 19)}.000Z`;
  const ahead = knownOffset(instant.getTime() / MINUTE_MS, timeZone);
  if (ahead !== undefined)
    return `${new Date(instant.getTime() + ahead * MINUTE_MS).toISOString().slice(0, 19)}.000Z`;
  const parts = clockOf(timeZone).formatToParts(instant);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}.000Z`;
}

/** The day that the calendars of `timeZone` show at `instant`: `2026-06-20`. */
export function dayAt(instant: Date, timeZone: string): string {
  return wallClock(instant, timeZone).slice(0, 10);
}

/**
 * The instant at which the clocks of `timeZone` show `wall` (as `readMoment` writes it). In the hour that
 * spring skips: an hour later, as people's clocks do; in the hour that autumn repeats: the first of the two.
 */
export function instantAt(wall: string, timeZone: string): Date {
  const aimed = Date.parse(wall);
  const offsetAt = (time: number) => Date.parse(wallClock(new Date(time), timeZone)) - time;
  const before = aimed - offsetAt(aimed - DAY_MS);
  const after = aimed - offsetAt(aimed + DAY_MS);
  const shows = (time: number) => time + offsetAt(time) === aimed;
  return new Date(shows(before) ? before : shows(after) ? after : before);
}

/**
 * Reads an instant: with Z or an offset as it stands, without one as what the clocks of `timeZone` show.
 * Undefined when it is none.
 */
export function readInstant(text: string, timeZone: string): Date | undefined {
  const offset = /(Z|[+-]\d{2}:\d{2})$/.exec(text)?.[1];
  const rest = offset ? text.slice(0, -offset.length) : text;
  const wall = rest.endsWith('Z') ? undefined : readMoment(rest);
  if (!wall) return undefined;
  if (!offset) return instantAt(wall, timeZone);
  const time = Date.parse(wall.replace(/Z$/, offset));
  return Number.isNaN(time) ? undefined : new Date(time);
}

/** The hour of an instant in UTC, as counts by the hour are stored: `2026-07-08T18`. */
export function hourOf(instant: Date): string {
  return instant.toISOString().slice(0, 13);
}
