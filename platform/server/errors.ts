import { z } from 'zod';
import { databaseTrouble } from '#platform/server/db/database.ts';
import { SiteMoving } from '#platform/server/db/directory.ts';
import type { Refusal } from '#platform/shared/call.ts';

/*
 * Every answer that is not a success, in one place: `{ message, champs? }` with a French sentence for a person.
 * Statuses: 400 cannot be parsed · 401 no or bad token · 403 not for this role · 404 no such thing · 405 ·
 * 409 conflict · 413 too large · 415 wrong kind · 422 parsed but not allowed · 429 · 503 not now · 507 disk full.
 */
export class HttpError extends Error {
  readonly status: number;
  readonly champs: Record<string, string> | undefined;
  /** Further headers: `retry-after` in seconds for 429 and 503, `allow` for 405. */
  readonly headers: Record<string, string>;
  /** Further members of the reply (a conflict shows both texts). */
  readonly extra: Record<string, unknown> | undefined;

  constructor(
    status: number,
    message: string,
    options: {
      champs?: Record<string, string> | undefined;
      headers?: Record<string, string>;
      extra?: Record<string, unknown> | undefined;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.champs = options.champs;
    this.headers = options.headers ?? {};
    this.extra = options.extra;
  }

  body(): Refusal {
    return { message: this.message, champs: this.champs, ...this.extra };
  }
}

export const unreadable = (message = 'La demande n’est pas lisible.') => new HttpError(400, message);
export const unauthorized = (message = 'Connectez-vous pour continuer.') => new HttpError(401, message);
export const forbidden = () => new HttpError(403, 'Cette action n’est pas permise à ce compte.');
export const notFound = (message = 'Cette adresse n’existe pas.') => new HttpError(404, message);
export const conflict = (message: string, extra?: Record<string, unknown>) =>
  new HttpError(409, message, { extra });
export const tooLarge = (message: string, champs?: Record<string, string>) =>
  new HttpError(413, message, { champs });
export const wrongKind = (message: string, champs?: Record<string, string>) =>
  new HttpError(415, message, { champs });
export const tooMany = (
  seconds: number,
  message = `Trop d’essais\u202f: attendez ${seconds} s avant de recommencer.`,
) => new HttpError(429, message, { headers: { 'retry-after': String(seconds) } });
export const notNow = (message = 'Le site est très demandé\u202f: réessayez dans un instant.') =>
  new HttpError(503, message, { headers: { 'retry-after': '2' } });

/** The storage does not answer, or refuses; this says nothing about the file itself. */
export class StorageUnreachable extends Error {
  constructor(cause: unknown) {
    super('The place of files cannot be reached', { cause });
  }
}

const FILES_AWAY = 'Les fichiers du site ne répondent pas pour le moment\u202f: réessayez dans un instant.';
const DATABASE_AWAY =
  'La base de données du site ne répond pas pour le moment\u202f: réessayez dans un instant.';
export const diskFull = () =>
  new HttpError(
    507,
    'Le disque du site est plein\u202f: rien n’a été enregistré. Prévenez la personne qui l’administre.',
  );

/** One wrong field, or several: the message names them, `champs` says why. Labels are the ones on screen. */
export function invalid(champs: Record<string, string>, labels: Record<string, string> = {}): HttpError {
  return fieldsError(422, champs, labels);
}

export function fieldsError(
  status: number,
  champs: Record<string, string>,
  labels: Record<string, string> = {},
) {
  const names = Object.keys(champs);
  const [first] = names;
  const label = (name: string) => labels[name] ?? name;
  const message =
    names.length === 1 && first !== undefined
      ? `${label(first)}\u202f: ${champs[first]}`
      : `${names.length} champs sont à corriger\u202f: ${names.map(label).join(', ')}.`;
  return new HttpError(status, message, { champs });
}

/** Fastify's and the multipart reader's own errors, by code. */
const BY_CODE: Record<string, () => HttpError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => wrongKind('Ce type de contenu n’est pas accepté ici.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => tooLarge('La demande est trop volumineuse.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => unreadable(),
  FST_ERR_BAD_URL: () => unreadable('Cette adresse n’est pas lisible.'),
  FST_ERR_MAX_PARAM_LENGTH: () => notFound(),
  FST_PARTS_LIMIT: () => tooLarge('Ce formulaire a trop de parties.'),
  FST_FILES_LIMIT: () => tooLarge('Ce formulaire a trop de fichiers.'),
  FST_FIELDS_LIMIT: () => tooLarge('Ce formulaire a trop de champs.'),
  FST_PROTO_VIOLATION: () => unreadable(),
  FST_INVALID_MULTIPART_CONTENT_TYPE: () => wrongKind('Un formulaire avec fichiers est attendu ici.'),
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  EFBIG: diskFull,
};

/** The HTTP error that a thrown value becomes; undefined: unforeseen, to be logged and answered with a plain 500. */
export function asHttpError(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  if (error instanceof StorageUnreachable) return notNow(FILES_AWAY);
  if (error instanceof SiteMoving) return notNow(error.message);
  const trouble = databaseTrouble(error);
  if (trouble === 'busy') return notNow();
  if (trouble === 'away') return notNow(DATABASE_AWAY);
  if (trouble === 'full') return diskFull();
  if (trouble === 'orphan') return conflict('Ce dont cela dépend vient d’être supprimé.');
  if (trouble === 'duplicate') return conflict('Cela existe déjà.');
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const known = BY_CODE[code];
  if (known) return known();
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 413) return tooLarge('La demande est trop volumineuse.');
  if (status === 415) return wrongKind('Ce type de contenu n’est pas accepté ici.');
  return status >= 400 && status < 500 ? unreadable() : undefined;
}

export const UNFORESEEN =
  'Une erreur inattendue est survenue\u202f; elle a été notée. Réessayez dans un instant.';

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

function labelsOf(schema: z.ZodType): Record<string, string> {
  if (schema instanceof z.ZodPipe) {
    // The transformations before or after the fields name none.
    return { ...labelsOf(schema.in as z.ZodType), ...labelsOf(schema.out as z.ZodType) };
  }
  if (!(schema instanceof z.ZodObject)) return {};
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, field]) => [name, titleOf(field as z.ZodType) ?? name]),
  );
}

/** The title of a field. A wrapper (« may be left out », « has a default ») hides that of the schema inside. */
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
