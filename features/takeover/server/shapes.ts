import type { Field } from '#features/content/shared/kinds.ts';
import { readDay } from '#features/imports/server/cells.ts';
import type { Category } from '#features/stays/shared/terms.ts';
import { folded } from '#platform/shared/fold.ts';
import { isDay, readInstant, readMoment } from '#platform/shared/time.ts';

/*
 * The shapes of the original site, which are many for one thing: lists of one, numbers as texts, names of files with or
 * without their folder or host, dates as databases and programs write them. Free of any state.
 */

/** What an answer holds, by name; values may be anything. */
export type Entry = Readonly<Record<string, unknown>>;

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entries of a list; of one entry alone, that one; anything else in them is left out. */
export function entriesOf(answer: unknown): Entry[] {
  return [answer].flat().filter(isEntry);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what goes
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** A text, or a number as one; undefined where there is none, or a blank one. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).toWellFormed().replace(CONTROL, '');
  return text.trim() === '' ? undefined : text;
}

/** The first text among several names of one thing. */
export function oneOf(entry: Entry, ...names: string[]): string | undefined {
  for (const name of names) {
    const text = textOf(entry[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** An id as a text of digits; undefined for anything else. */
export function numberOf(value: unknown): string | undefined {
  const text = textOf(value)?.trim();
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? text : undefined;
}

/** A text in the form that a field takes; where it cannot be put into it, as it is, so that the form says why. */
export function shapedFor({ type, options }: Field, text: string, timeZone: string): string {
  switch (type) {
    case 'line':
      return text.replace(/\s+/g, ' ').trim();
    case 'address':
      return /^[a-z][a-z\d+.-]*:/i.test(text.trim()) ? text.trim() : `https://${text.trim()}`;
    case 'day':
      return readDay(text, timeZone) ?? text;
    case 'moment':
      return readMoment(isoOf(text)) ?? text;
    case 'choice':
      return options?.find((option) => folded(option) === folded(text)) ?? text;
    default:
      return text;
  }
}

/** `20/06/2026 18:30` as `2026-06-20T18:30`; other texts, with a T in place of the blank, as they are. */
function isoOf(text: string): string {
  return text
    .trim()
    .replace(/^(\d{2})\/(\d{2})\/(\d{4})/, '$3-$2-$1')
    .replace(/^(\d{4}-\d{2}-\d{2}) +(?=\d)/, '$1T');
}

/** An instant, as ISO text; undefined for a text that is none. */
export function instantOf(value: unknown, timeZone: string): string | undefined {
  const iso = isoOf(textOf(value) ?? '');
  const whole = isDay(iso) ? `${iso}T00:00` : iso;
  return readInstant(whole, timeZone)?.toISOString();
}

/** Names of files: a list, or a text joined by `;`. */
export function fileNames(value: unknown): string[] {
  return [value]
    .flat()
    .flatMap((one) => (textOf(one) ?? '').split(';'))
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'null' && name !== 'undefined');
}

/**
 * The path of a file on its site, of a name in its folder or of an address of it, relative or whole: of the latter only
 * the path counts, as it may name the host on which the site was written.
 */
export function pathOf(name: string, folder: string): string | undefined {
  const parts = name
    .replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '')
    .replace(/[?#].*$/, '')
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .map(decoded);
  const from = parts.lastIndexOf('api');
  // Of an address outside the folders that serve files, the last part is a name in this one.
  const path = from < 0 || parts.length - from < 3 ? ['api', folder, parts.at(-1) ?? ''] : parts.slice(from);
  if (path.includes('..') || path.includes('')) return undefined;
  return `/${path.map(encodeURIComponent).join('/')}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The type of a director in a stay; undefined for a text that names none. */
export function categoryOf(value: unknown): Category | undefined {
  const text = folded(textOf(value) ?? '');
  return (['centre', 'sejour'] as const).find((cat) => text.includes(cat));
}

/** Whether a text seems to be HTML, which this site shows as it is written. */
export function hasMarkup(text: string): boolean {
  return /<\/?(p|br|div|span|b|i|strong|em|a|ul|ol|li|h[1-6])\b[^<>]*>/i.test(text);
}
