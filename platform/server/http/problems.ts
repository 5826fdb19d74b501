import { z } from 'zod';
import { type HttpError, invalid } from './errors.ts';

/** French wording for what zod finds by itself; a schema's own sentence always wins. */
z.config({
  customError: (issue) => {
    switch (issue.code) {
      case 'invalid_type':
        return issue.input === undefined
          ? 'ce champ est obligatoire.'
          : 'cette valeur n’est pas du bon type.';
      case 'too_small':
        return issue.origin === 'string'
          ? `${issue.minimum} caractères au moins.`
          : `${issue.minimum} au moins.`;
      case 'too_big':
        return issue.origin === 'string'
          ? `${issue.maximum} caractères au plus.`
          : `${issue.maximum} au plus.`;
      case 'invalid_value':
        return `valeurs possibles\u202f: ${issue.values.map(String).join(', ')}.`;
      default:
        return 'cette valeur n’est pas acceptée.';
    }
  },
});

/** Labels of a schema's fields, as shown to people. */
function labelsOf(schema: z.ZodType): Record<string, string> {
  if (schema instanceof z.ZodPipe) {
    // What stands before or after the fields turns them into something else, and names none.
    return { ...labelsOf(schema.in as z.ZodType), ...labelsOf(schema.out as z.ZodType) };
  }
  if (!(schema instanceof z.ZodObject)) return {};
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, field]) => [name, titleOf(field as z.ZodType) ?? name]),
  );
}

/** What wraps a schema (« may be left out », « has a default ») hides its title. */
function titleOf(field: z.ZodType): string | undefined {
  const isWrapped = field instanceof z.ZodOptional || field instanceof z.ZodDefault;
  return field.meta()?.title ?? (isWrapped ? titleOf(field.unwrap() as z.ZodType) : undefined);
}

/** Reads `input` by `schema`; throws a 422 that names every wrong field once. */
export function check<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const read = schema.safeParse(input);
  if (read.success) return read.data;
  throw asInvalid(read.error, schema);
}

function asInvalid(error: z.ZodError, schema: z.ZodType): HttpError {
  const champs: Record<string, string> = {};
  for (const issue of error.issues) {
    const name = String(issue.path[0] ?? 'corps');
    champs[name] ??= issue.message;
  }
  return invalid(champs, labelsOf(schema));
}
