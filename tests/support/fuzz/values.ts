import fc from 'fast-check';
import type { z } from 'zod';

/*
 * Values for a schema, most of them as it wants them, the rest as nobody should send them. What a schema wants is found
 * by asking it which of a heap of values it takes: its own rules stand nowhere a second time.
 */

/** Objects inside each other beyond which there is nothing to find. */
const DEPTH = 4;

const LONE_SURROGATES = ['\ud800', 'a\udfff', '\udc00\ud800'];

/** Texts that something once broke on, in one place or another. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\t',
  '\u00a0\u202f\u200b',
  '\0',
  'a\0b',
  'ligne\r\nX-Injecte: oui',
  '\u202egpj.exe',
  'שלום עולם',
  '\u200f\u2067مرحبا',
  ...LONE_SURROGATES,
  '👩‍👩‍👧‍👦🇫🇷é́́',
  '\ufeffbom',
  '\u2028\u2029',
  'x'.repeat(41_000),
  'é'.repeat(300),
  "' OR '1'='1'; --",
  '"; DROP TABLE stages; --',
  '%_\\%',
  '$1 :x ? {{7*7}} #{7*7}',
  '<script>alert(1)</script>',
  '=cmd|calc!A1',
  '../../etc/passwd',
  '..\\..\\x',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'true',
  '[object Object]',
  '[1]',
  '{"a":1}',
  '١٢',
  '0',
  '-1',
  '1e3',
  '0x10',
  '9007199254740993',
  '99999999999999999999',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '+275760-09-13T00:00:00Z',
  '2026-06-20T25:61:00Z',
  'javascript:alert(1)',
  'http://',
  'a@b',
  `${'a'.repeat(250)}@exemple.org`,
  'a@exemple.org,b@exemple.org',
];

const HOSTILE_OTHERS: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 0.5, 1e21, -1e308, 5e-324],
  ...[2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 999_999_999_999_999],
  ...[[], [[]], [null], ['a', 'b'], [1, 2], {}, { length: 3 }, { toString: 1 }, { $gt: '' }],
];

/** Texts and numbers such as people send, so that some of what is made gets as far as being done. */
const PLAUSIBLE: readonly unknown[] = [
  ...[
    'Été',
    'Une colonie à la mer',
    'Deux lignes\nde texte',
    'Zoé',
    'Villeneuve',
    '1',
    '3',
    '01 99 00 00 01',
  ],
  ...['2026-06-20', '2026-06-21', '2026-06-20T18:30', '2026-06-20T09:00:00.000Z', '20/06/2026'],
  ...['lou@exemple.org', 'staff@exemple.org', 'https://exemple.org/a?b=c', '/actualites', 'camille.b'],
  ...['poivron-lanterne-43', 'ABCD-EFGH-JKLM', 'x'.repeat(20), 'ab'.repeat(32), '0.0', 'a', ' espaces '],
  ...['familles', 'sejours', 'actualites', 'oui', '#0a7', 'Responsable', 'Employé', '[]'],
  ...[1, 2, 3, 4, 5, 7, 30, 50, true, false, null],
];

/** Names that no form has, and that objects or rows do. */
const FOREIGN_NAMES = [
  ...['id', 'role', 'stageId', 'stage_id', 'version', 'created_at', 'mdp_formateur', 'admin', 'token'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', 'a.b', 'a[b]', 'nom[]'],
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_OTHERS) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** What a schema takes, as far as the heap has it; `known` are ids and names of what is on the site. */
export function valuesOf(schema: z.ZodType, known: readonly unknown[], depth = DEPTH): fc.Arbitrary<unknown> {
  const inner = structureOf(schema);
  if (inner.type === 'object' && depth > 0) return objectOf(inner.shape, known, depth - 1);
  if (inner.type === 'array') {
    const items = fc.array(valuesOf(inner.element, known, depth - 1), { maxLength: 4 });
    return fc.oneof({ weight: 14, arbitrary: items }, { weight: 1, arbitrary: hostile });
  }
  const heap = [...known, ...PLAUSIBLE, ...literalsOf(schema), ...HOSTILE_TEXTS, ...HOSTILE_OTHERS];
  const taken = heap.filter((value) => schema.safeParse(value).success);
  const wanted = taken.length > 0 ? fc.constantFrom(...taken) : hostile;
  return fc.oneof({ weight: 14, arbitrary: wanted }, { weight: 1, arbitrary: hostile });
}

/** Fields of an object, some of them missing, and some that it does not have. */
function objectOf(
  shape: Record<string, z.ZodType>,
  known: readonly unknown[],
  depth: number,
): fc.Arbitrary<unknown> {
  const fields = fc.tuple(
    ...Object.entries(shape).map(([name, field]) =>
      fc.option(fc.tuple(fc.constant(name), valuesOf(field, known, depth)), { freq: presenceOf(field) }),
    ),
  );
  const foreign = fc.array(fc.tuple(fc.constantFrom(...FOREIGN_NAMES), hostile), { maxLength: 2 });
  // Made of entries: `__proto__` then is a name like others, and is written into JSON.
  const made = fc
    .tuple(fields, fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: foreign }))
    .map(([own, others]) => Object.fromEntries([...others, ...own.filter((entry) => entry !== null)]));
  return fc.oneof({ weight: 20, arbitrary: made }, { weight: 1, arbitrary: hostile });
}

/** One in so many times a field is left out: often where it may be. */
export const presenceOf = (field: z.ZodType) => (field.safeParse(undefined).success ? 2 : 15);

type Structure =
  | { type: 'object'; shape: Record<string, z.ZodType> }
  | { type: 'array'; element: z.ZodType }
  | { type: 'other' };

/** What stands below all that wraps a schema. */
export function structureOf(schema: z.ZodType): Structure {
  const { innerType, in: read, out, shape, element, options } = definitionOf(schema);
  if (shape) return { type: 'object', shape };
  if (element) return { type: 'array', element };
  for (const below of [innerType, read, out, ...(options ?? [])]) {
    const found = below ? structureOf(below) : undefined;
    if (found && found.type !== 'other') return found;
  }
  return { type: 'other' };
}

/** The values that an enumeration or a literal names. */
function literalsOf(schema: z.ZodType): unknown[] {
  const { innerType, in: read, options, entries, values } = definitionOf(schema);
  const below = [innerType, read, ...(options ?? [])].flatMap((one) => (one ? literalsOf(one) : []));
  return [...Object.values(entries ?? {}), ...(values ?? []), ...below];
}

interface Definition {
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  options?: z.ZodType[];
  entries?: Record<string, unknown>;
  values?: unknown[];
}

/** The members of all kinds of schemas that hold others. */
const definitionOf = (schema: z.ZodType) => schema.def as unknown as Definition;
