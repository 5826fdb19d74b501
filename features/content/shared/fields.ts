import { z } from 'zod';
import { emailAddress, line, paragraphs, webAddress } from '#platform/shared/text.ts';
import { isDay, readMoment } from '#platform/shared/time.ts';
import type { Field } from './kind.ts';

/** The rule of a field's text, whatever form it stands in; blank is let through, `required` refuses it. */
export function fieldSchema(field: Field): z.ZodType<string, string> {
  switch (field.type) {
    case 'line':
    case 'phone':
      return line(field.max);
    case 'paragraphs':
      return paragraphs(field.max);
    case 'address':
      return webAddress(field.max);
    case 'email':
      return emailAddress(field.max);
    case 'day':
      return line(field.max)
        .transform((value) => value.replace(/T[\d:.]*Z?$/, ''))
        .refine((value) => value === '' || isDay(value), {
          error: 'cette date n’existe pas (exemple\u202f: 2026-06-20).',
        });
    case 'moment':
      return line(field.max).transform((value, context) => {
        const wall = value === '' ? '' : readMoment(value);
        if (wall !== undefined) return wall;
        context.addIssue({
          code: 'custom',
          message: 'cette date n’est pas lisible (exemple\u202f: 2026-06-20T18:30).',
        });
        return z.NEVER;
      });
    case 'choice':
      return line(field.max)
        .transform((value) => value || (field.options?.[0] ?? ''))
        .refine((value) => field.options?.includes(value), { error: 'ce choix n’existe pas.' });
    case 'tick':
      return line(field.max).refine((value) => /^[01]$/.test(value), { error: '1 ou 0 est attendu.' });
    case 'person':
      return line(field.max).refine((value) => /^([1-9]\d*)?$/.test(value), {
        error: 'cette personne n’existe pas.',
      });
  }
}

/** What a creation that does not say means. */
export function unsaid({ type }: Field): string {
  return type === 'tick' ? '1' : '';
}
