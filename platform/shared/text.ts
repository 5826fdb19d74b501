import { z } from 'zod';

/*
 * Text as people type it. Refused: NUL (PostgreSQL cannot hold it), other control characters and lone
 * surrogates (not text). Everything else is kept as typed, so that what is read back is what was written.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROL_OR_BREAK = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

const UNREADABLE = 'ce texte contient des caractères illisibles.';
export const REQUIRED = 'ce champ est obligatoire.';

/** The message for a value that is not a text: nothing was sent, or the same field several times. */
function notText(issue: { input?: unknown }): string {
  return issue.input === undefined ? REQUIRED : 'un seul texte est attendu ici.';
}

/** Length as a person counts: an emoji is one. */
function length(value: string): number {
  return [...value].length;
}

function atMost(max: number) {
  return (value: string, context: z.RefinementCtx) => tooLong(value, max, context);
}

function tooLong(value: string, max: number, context: z.RefinementCtx): void {
  const found = value.length > max ? length(value) : 0;
  if (found > max) context.addIssue(`${max} caractères au plus (${found} reçus).`);
}

/** One line, outer blanks removed. */
export function line(max: number) {
  return z.string({ error: notText }).transform((value, context) => {
    const text = value.trim();
    // In one step, as lists have a hundred thousand of them.
    if (!text.isWellFormed() || CONTROL_OR_BREAK.test(text)) context.addIssue(UNREADABLE);
    else tooLong(text, max, context);
    return text;
  });
}

/** Several lines; a browser sends CRLF where the person typed a line break. */
export function paragraphs(max: number) {
  return z
    .string({ error: notText })
    .transform((value) => value.replace(/\r\n?/g, '\n'))
    .refine((value) => value.isWellFormed() && !CONTROL.test(value), { error: UNREADABLE })
    .superRefine(atMost(max));
}

/** A password as typed: no trimming, any character but control ones. */
export function password(max: number) {
  return z
    .string({ error: notText })
    .refine((value) => value.isWellFormed() && !CONTROL_OR_BREAK.test(value), { error: UNREADABLE })
    .superRefine(atMost(max));
}

/** Refuses, with « obligatoire », a text that is missing, blank or made only of invisible characters. */
export function required(text: z.ZodType<string, string>) {
  return z.string({ error: notText }).pipe(text).refine(isFilled, { error: REQUIRED });
}

/** Whether a value is a text with something to read. */
export function isFilled(value: unknown): boolean {
  return typeof value === 'string' && /[^\s\p{Cf}]/u.test(value);
}

/** Exactly one plain e-mail address, or blank. */
export function emailAddress(max: number) {
  // Too long a text is refused before the pattern is tried, which is slow on hostile lengths.
  const isPlausible = (value: string) => value === '' || value.length > max || z.regexes.email.test(value);
  return line(max).refine(isPlausible, { error: 'cette adresse e-mail n’est pas valable.' });
}

/** An absolute http(s) address, or blank; people leave out https:// before www. A link made from it cannot run a script. */
export function webAddress(max: number) {
  return line(max)
    .transform((value) => (/^www\./i.test(value) ? `https://${value}` : value))
    .refine((value) => value === '' || isWebAddress(value), {
      error: 'cette adresse doit commencer par https:// ou http://.',
    });
}

function isWebAddress(value: string): boolean {
  if (!/^https?:\/\/[^\s\\/]\S*$/i.test(value)) return false;
  try {
    return Boolean(new URL(value));
  } catch {
    return false;
  }
}

/** A whole number, as JSON or as digits in a form or an address; `true`, `[5]` or `0x10` are refused. */
export function whole(
  min: number,
  max = 999_999_999,
  error = `un nombre entier de ${min} à ${max} est attendu.`,
) {
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,15}$/)
          .transform(Number),
      ],
      { error },
    )
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, { error });
}

/** An admin’s name, in composed letters. */
export const username = required(line(100))
  .transform((value) => value.normalize('NFC'))
  .refine((value) => /^[\p{L}\p{N}._@-]{2,}$/u.test(value), {
    error: 'lettres, chiffres, point, tiret, tiret bas ou @, sans espace\u202f; 2 caractères au moins.',
  })
  .meta({ title: 'Identifiant' });
