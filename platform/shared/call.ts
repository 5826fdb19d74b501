import { z } from 'zod';
import type { Access } from './roles.ts';

/** What a file field of a multipart body accepts. The type sniffed from the bytes must match `kind`, never the name. */
export interface FileRule {
  label: string;
  /** Largest size of one file, in bytes. */
  maxBytes: number;
  /** How many files the field takes at most. */
  maxFiles: number;
  kind: 'picture' | 'pdf' | 'table';
}

interface TextBody {
  as: 'json' | 'form';
  schema: z.ZodType;
}

/** A multipart body: text fields checked by `schema` (repeated ones arrive as arrays), files by their rules. */
export interface MultipartBody {
  as: 'multipart';
  schema: z.ZodType;
  files: Record<string, FileRule>;
}

/**
 * One call of the product. Its key in the table is `METHOD /path`, under the prefix `/api/api`; everything
 * about it (who may call it, what goes in, what comes out) is read from here by the server, by the
 * documentation page, by the browser's client and by the access tests.
 */
export interface Call {
  /** One French line for the documentation. */
  summary: string;
  access: Access;
  /** Opened by a browser by itself, without a header: cookies authenticate it, and the answer is not JSON. */
  byCookie?: true;
  /**
   * Asks whoever calls for a new proof of who they are when their last one is old (403 with `etape: preuve`): what a
   * thief of an open session must not get. For calls of staff alone, as nobody else can give one.
   */
  fresh?: true;
  /**
   * Served on a full disk too, in the room that the database keeps: what opens a session, and what hides, takes away or
   * locks. So are calls that read, and those with the method DELETE.
   */
  onFullDisk?: true;
  /** Path parameters; an invalid one is a 404, as the address names nothing. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: TextBody | MultipartBody;
  /**
   * Whether a key makes it once, however often it is sent (docs/decisions/0038); by default a POST that answers 201 is
   * such a creation.
   */
  once?: boolean;
  /** Status of a success, if not 200. */
  status?: 201;
  /** Content type of a success that is not JSON; its `reply` then is the text itself. */
  media?: string;
  /** The reply of a success; unknown keys never leave the server. */
  reply: z.ZodType;
  /** The 409 reply, where it says more than a message. */
  conflict?: z.ZodType;
}

export const statusOf = ({ status }: Call): 200 | 201 => status ?? 200;

export const isCreation = (method: string, { once, status }: Call): boolean =>
  method === 'POST' && (once ?? status === 201);

/** Keeps the literal types of a call, by which the client and the handlers are typed; without a reply, it is `message`. */
export function call<const C extends Omit<Call, 'reply'> & Partial<Pick<Call, 'reply'>>>(definition: C) {
  return { reply: message, ...definition } as Replying<C>;
}
type Replying<C> = C extends { reply: z.ZodType } ? C : C & { reply: typeof message };

/** The JSON body of a call. */
export function json<S extends z.ZodType>(schema: S) {
  return { as: 'json' as const, schema };
}

export const printed = { media: 'application/pdf', reply: z.file() };

export const workbook = {
  media: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  reply: z.file(),
};

/**
 * The table of calls of the product, for the types below. `app/calls.ts` declares it by merging into this interface, so
 * that code below it is typed by the whole table without importing it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled where the table stands
export interface Product {}

/** Every call by its key, `METHOD /path`. */
export type Api = Product extends { calls: infer Calls } ? Calls : Record<never, Call>;
export type CallKey = keyof Api & string;

type Schema<C, F extends string> = C extends Record<F, infer S> ? S : undefined;
type Out<S> = S extends z.ZodType ? z.output<S> : undefined;
type In<S> = S extends z.ZodType ? z.input<S> : undefined;
type BodySchema<C> = C extends { body: { schema: infer S } } ? S : undefined;

/** What a handler receives. */
export type ParamsOf<K extends CallKey> = Out<Schema<Api[K], 'params'>>;
export type QueryOf<K extends CallKey> = Out<Schema<Api[K], 'query'>>;
export type BodyOf<K extends CallKey> = Out<BodySchema<Api[K]>>;
export type ReplyOf<K extends CallKey> = Out<Schema<Api[K], 'reply'>>;

/** What a client sends: the path's parameters, and the body as JSON or as the form itself. */
export type PathParams<P> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string | number> & PathParams<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Record<Name, string | number>
    : unknown;
export type ClientBody<K extends CallKey> = Api[K] extends { body: { as: 'multipart' } }
  ? FormData
  : Api[K] extends { body: { as: 'form' } }
    ? URLSearchParams
    : In<BodySchema<Api[K]>>;

export type PathOf<K> = K extends `${string} ${infer P}` ? P : never;

/** The prefix of every call; the doubled segment is the original site's. */
export const API_PREFIX = '/api/api';

/** A path id: a positive integer that a database can hold, without sign, space or leading zero. */
export const id = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number);

export const idParams = z.object({ id });

/** `{ message }`, the reply of a write that has nothing else to say. */
export const message = z.object({ message: z.string() });

/**
 * The form of every refusal. `champs` holds error messages by field name; `etape` says what to give before the same is
 * asked again: the code of a second factor, a recovery code, or a new proof of who one is.
 */
export const refusal = z.object({
  message: z.string(),
  champs: z.record(z.string(), z.string()).optional(),
  etape: z.enum(['code', 'secours', 'preuve']).optional(),
});
export type Refusal = z.infer<typeof refusal>;

/** An instant as stored and sent: UTC, to the millisecond. */
export const instant = z.string();

/** A QR code: its dark modules as the `d` of an SVG path, in a square of `taille` units without margin. */
export const qrCode = z.object({ taille: z.number(), trace: z.string() });
