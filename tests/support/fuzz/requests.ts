import fc from 'fast-check';
import type { z } from 'zod';
import { API_PREFIX, type Call, type FileRule, type MultipartBody } from '#platform/shared/call.ts';
import type { TestSite } from '#tests/support/people.ts';
import { hostileText, presenceOf, structureOf, valuesOf } from './values.ts';

/* Requests for a call of the table: its address, its questions, and a body as its schema wants it or as none should be. */

export interface Request {
  /** Below the prefix of calls, coded. */
  path: string;
  /** Undefined: none is sent. */
  type: string | undefined;
  body: Buffer | undefined;
}

/** Files of each kind that a form may take, good ones and others. */
export type Samples = Record<FileRule['kind'], readonly Buffer[]>;

const BOUNDARY = 'limite-du-formulaire';
const TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded', multipart: '' };

/** Parts of an address that no schema speaks of. */
const RAW_PARTS = [
  '%00',
  '%ff',
  '%c0%af',
  '%ed%a0%80',
  '..%2f..%2fsecret.key',
  '%5c',
  '%25',
  '%',
  '%zz',
  '.',
];

export function requestsFor(
  call: Call,
  path: string,
  known: readonly unknown[],
  samples: Samples,
): fc.Arbitrary<Request> {
  return fc
    .record({
      path: pathsOf(call, path, known),
      query: queriesOf(call, known),
      sent: call.body ? bodiesOf(call.body, known, samples) : fc.constant(NO_BODY),
    })
    .map(({ path, query, sent }) => readable({ path: path + query, ...sent }));
}

/** A failure shows the start of the body as text, rather than the numbers of its bytes. */
function readable(request: Request): Request {
  const { path, type, body } = request;
  const shown = [path, type, body?.toString('latin1').slice(0, 3_000)];
  return Object.assign(request, { [fc.toStringMethod]: () => JSON.stringify(shown) });
}

type Sent = Pick<Request, 'type' | 'body'>;
const NO_BODY: Sent = { type: undefined, body: undefined };

/** A lone surrogate has no code: what browsers put in its place is sent. */
const coded = (value: unknown) => encodeURIComponent(asText(value).toWellFormed());

/** What forms and addresses hold in the place of a value. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function pathsOf(call: Call, path: string, known: readonly unknown[]): fc.Arbitrary<string> {
  const parts = path.split('/').map((part) => {
    if (!part.startsWith(':')) return fc.constant(part);
    const schema = call.params?.shape[part.slice(1)] as z.ZodType | undefined;
    const texts = [...known.map(String), ...known.map(String)];
    const value = schema ? valuesOf(schema, texts) : hostileText;
    return fc.oneof(
      { weight: 10, arbitrary: value.map((one) => coded(one).slice(0, 3_000)) },
      { weight: 1, arbitrary: fc.constantFrom(...RAW_PARTS) },
    );
  });
  return fc.tuple(...parts).map((made) => made.join('/'));
}

const rarely = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: values });

function queriesOf(call: Call, known: readonly unknown[]): fc.Arbitrary<string> {
  const shape = (call.query?.shape ?? {}) as Record<string, z.ZodType>;
  const texts = known.map(String);
  const pairs = Object.entries(shape).map(([name, schema]) =>
    fc
      .tuple(fc.option(valuesOf(schema, texts), { freq: presenceOf(schema) }), rarely(hostileText))
      .map((values) => values.filter((value) => value !== null))
      .map((values) => values.map((value) => `${name}=${coded(value)}`)),
  );
  const odd = fc.constantFrom('__proto__=1', 'id=2', 'stageId=2', '&&=', 'a[b]=1', '%zz=%', 'constructor=x');
  return fc
    .tuple(fc.tuple(...pairs), rarely(odd))
    .map(([own, other]) => [...own.flat(), ...(other ? [other] : [])].join('&'))
    .map((query) => (query === '' ? '' : `?${query.slice(0, 7_000)}`));
}

function bodiesOf(
  body: NonNullable<Call['body']>,
  known: readonly unknown[],
  samples: Samples,
): fc.Arbitrary<Sent> {
  const made =
    body.as === 'multipart'
      ? formsOf(body, known, samples)
      : valuesOf(body.schema, known).map((value) => {
          const text = body.as === 'json' ? (JSON.stringify(value) ?? '') : urlEncoded(value);
          return { type: TYPES[body.as], body: Buffer.from(text) };
        });
  return fc.oneof(
    { weight: 16, arbitrary: made },
    { weight: 3, arbitrary: fc.tuple(made, damages).map(([sent, damage]) => damage(sent)) },
    { weight: 1, arbitrary: fc.constantFrom(NO_BODY, ...ODD_BODIES) },
  );
}

function urlEncoded(value: unknown): string {
  const pairs = typeof value === 'object' && value !== null ? Object.entries(value) : [['x', value]];
  const all = pairs.flatMap(([name, one]) => [one].flat().map((each) => [name, asText(each)]));
  return new URLSearchParams(all as [string, string][]).toString();
}

const deep = (open: string, close: string) => open.repeat(9_000) + close.repeat(9_000);

const ODD_BODIES: readonly Sent[] = [
  ...[deep('[', ']'), deep('{"a":', '}').replace(':}', ':1}'), '{"__proto__":{"x":1}}', '{"a":1,"a":2}'],
  ...['', '{', 'nul', '1e999', '"\\ud800"', `"${'x'.repeat(150_000)}"`, '\ufeff{}', "{'a':1}", '[] []'],
].map((text) => ({ type: TYPES.json, body: Buffer.from(text) }));

/** What may happen to a body on its way. */
const damages: fc.Arbitrary<(sent: Sent) => Sent> = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }).map((part) => ({ type, body }: Sent) => ({
    type,
    body: body?.subarray(0, Math.floor(part * body.length)),
  })),
  fc
    .tuple(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom([0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0]),
    )
    .map(([part, bytes]) => ({ type, body = Buffer.alloc(0) }: Sent) => {
      const at = Math.floor(part * body.length);
      return { type, body: Buffer.concat([body.subarray(0, at), Buffer.from(bytes), body.subarray(at)]) };
    }),
  fc
    .constantFrom(
      ...[...Object.values(TYPES), 'text/plain', 'application/json; charset=utf-16', 'application/xml'],
      ...['multipart/form-data', 'multipart/form-data; boundary=autre', 'application/jsonx', undefined],
    )
    .map((type) => ({ body }: Sent) => ({ type, body })),
);

interface Part {
  name: string;
  value: Buffer;
  /** Makes it a file. */
  filename: string | undefined;
}

/** Texts and files in any order, some missing, some sent twice, some that the form does not have. */
function formsOf(body: MultipartBody, known: readonly unknown[], samples: Samples): fc.Arbitrary<Sent> {
  const structure = structureOf(body.schema);
  const shape = structure.type === 'object' ? structure.shape : {};
  const texts = Object.entries(shape).map(([name, schema]) =>
    fc.option(valuesOf(schema, known.map(String)), { freq: presenceOf(schema) }).map((value) =>
      [value]
        .flat()
        .filter((one) => one !== null && one !== undefined)
        .map((one) => part(name, Buffer.from(asText(one)))),
    ),
  );
  const files = Object.entries(body.files).map(([name, { kind }]) =>
    fc
      .array(fc.tuple(fc.constantFrom(...samples[kind]), hostileText), { maxLength: 2 })
      .map((list) => list.map(([value, filename]) => part(name, value, filename))),
  );
  const odd = fc.array(fc.tuple(hostileText, hostileText, fc.option(hostileText)), { maxLength: 1 });
  return fc
    .tuple(fc.tuple(...texts), fc.tuple(...files), odd, fc.boolean())
    .chain(([some, others, foreign, isShuffled]) => {
      const parts = [
        ...some.flat(),
        ...others.flat(),
        ...foreign.map(([name, value, filename]) => part(name, Buffer.from(value), filename ?? undefined)),
      ];
      const order = { minLength: parts.length, maxLength: parts.length };
      return isShuffled ? fc.shuffledSubarray(parts, order) : fc.constant(parts);
    })
    .map((parts) => ({ type: `multipart/form-data; boundary=${BOUNDARY}`, body: multipart(parts) }));
}

const part = (name: string, value: Buffer, filename?: string): Part => ({ name, value, filename });

/** Names go as they are, line breaks and quotes included. */
function multipart(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, value, filename }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"` +
        `${filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: image/jpeg`}\r\n\r\n`,
    ),
    value,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** What no answer takes; a guard against one that never comes, not a measure. */
const ENDLESS_MS = 20_000;

/** Sends a request that was made here, and reads the answer, unless it is a stream without an end. */
export async function sendMade(
  site: TestSite,
  method: string,
  { path, type, body }: Request,
  token: string | undefined,
) {
  const answer = await fetch(`${site.origin}${API_PREFIX}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(type ? { 'content-type': type } : {}),
    },
    body: (body ?? null) as Uint8Array<ArrayBuffer> | null,
    signal: AbortSignal.timeout(ENDLESS_MS),
  });
  const isEndless = answer.headers.get('content-type') === 'text/event-stream';
  if (isEndless) await answer.body?.cancel();
  return { status: answer.status, headers: answer.headers, text: isEndless ? '' : await answer.text() };
}
