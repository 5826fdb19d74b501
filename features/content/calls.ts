import { z } from 'zod';
import { PDF_BYTES, PICTURE_BYTES } from '#platform/shared/bytes.ts';
import { call, type FileRule, id, idParams, instant, message } from '#platform/shared/call.ts';
import { type Access, ADMIN } from '#platform/shared/roles.ts';
import { emailAddress, line, paragraphs, required, webAddress, whole } from '#platform/shared/text.ts';
import { isDay, readInstant, readMoment } from '#platform/shared/time.ts';
import {
  type ContentKind,
  type Field,
  type Item,
  type ItemKind,
  type ListItem,
  type PdfField,
  SKIPPED_MAX,
} from './shared/kind.ts';

/*
 * The calls of a content kind, made from its value. A creation must send every required field; an edit may leave fields
 * out, and those stay unchanged.
 */

/** Text sent in the place of a file: the name of one that the item holds, or blank. */
const fileNames = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());
const alternativeText = line(500);

/**
 * A start or an end of publication; blank: none. A time without an offset is in the site's time zone, which only the
 * server knows: here it is only checked to be readable, and the server converts it.
 */
const publicationEdge = line(40)
  .refine((value) => value === '' || readInstant(value, 'UTC') !== undefined, {
    error: 'cette date n’est pas lisible (exemple\u202f: 2026-06-20T18:30).',
  })
  .optional();

/** The text part of an item's form; `version` is that of the row that the form was drawn from. */
export interface ItemBody {
  values: Record<string, string | undefined>;
  version: number | undefined;
  publie_du: string | undefined;
  publie_au: string | undefined;
  texte_alternatif: string | undefined;
  /** The single picture's field sent as text: its current name, or blank to remove it. */
  picture: string | undefined;
  /** Percentages; see `PictureField.isSquare`. */
  cadrage_x: number | undefined;
  cadrage_y: number | undefined;
  /** The gallery's names to keep, in order, blanks included. Undefined: field not sent. */
  gallery: string[] | undefined;
  textes_alternatifs: string[] | undefined;
}

function bodySchema(kind: ItemKind, creation: boolean) {
  const shape: Record<string, z.ZodType> = {};
  for (const [name, field] of Object.entries(kind.fields)) {
    const text = fieldSchema(field);
    if (!field.required) shape[name] = creation ? text.prefault(unsaid(field)) : text.optional();
    else shape[name] = creation ? required(text) : required(text).optional();
    shape[name] = shape[name].meta({ title: field.label });
  }
  if (kind.hasWindow) {
    shape.publie_du = publicationEdge.meta({ title: 'Publié du' });
    shape.publie_au = publicationEdge.meta({ title: 'Publié jusqu’au' });
  }
  if (!creation) {
    shape.version = whole(1).optional().meta({ title: 'Version' });
  }
  if (kind.picture) {
    shape.texte_alternatif = alternativeText.optional().meta({ title: 'Texte alternatif' });
    for (const name of kind.picture.accepts)
      shape[name] = line(200).optional().meta({ title: kind.picture.label });
    if (kind.picture.isSquare) {
      for (const name of ['cadrage_x', 'cadrage_y'])
        shape[name] = whole(0, 100).optional().meta({ title: 'Cadrage' });
    }
  }
  if (kind.gallery) {
    shape.images = fileNames.optional().meta({ title: kind.gallery.label });
    shape.textes_alternatifs = z
      .union([alternativeText.transform((value) => [value]), z.array(alternativeText)])
      .optional()
      .meta({ title: 'Textes alternatifs' });
  }
  return z.object(shape).transform((body): ItemBody => {
    const text = (name: string) => body[name] as string | undefined;
    return {
      values: Object.fromEntries(Object.keys(kind.fields).map((name) => [name, text(name)])),
      version: body.version as number | undefined,
      publie_du: text('publie_du'),
      publie_au: text('publie_au'),
      texte_alternatif: text('texte_alternatif'),
      picture: kind.picture?.accepts.map(text).find((value) => value !== undefined),
      cadrage_x: body.cadrage_x as number | undefined,
      cadrage_y: body.cadrage_y as number | undefined,
      gallery: body.images as string[] | undefined,
      textes_alternatifs: body.textes_alternatifs as string[] | undefined,
    };
  });
}

function fileRules(kind: ItemKind): Record<string, FileRule> {
  const rules: Record<string, FileRule> = {};
  for (const name of kind.picture?.accepts ?? []) {
    rules[name] = { label: kind.picture?.label ?? '', kind: 'picture', maxBytes: PICTURE_BYTES, maxFiles: 1 };
  }
  if (kind.gallery) {
    const { label, max } = kind.gallery;
    rules[kind.gallery.column] = { label, kind: 'picture', maxBytes: PICTURE_BYTES, maxFiles: max };
  }
  if (kind.pdf)
    rules[kind.pdf.column] = { label: kind.pdf.label, kind: 'pdf', maxBytes: PDF_BYTES, maxFiles: 1 };
  return rules;
}

/** The form of a kind, for its creation or its modification. */
export function itemForm(kind: ItemKind, creation: boolean): ItemForm {
  return { as: 'multipart', schema: bodySchema(kind, creation), files: fileRules(kind) };
}

interface ItemForm {
  as: 'multipart';
  schema: z.ZodType<ItemBody>;
  files: Record<string, FileRule>;
}

export const illustration = z.object({
  nom: z.string(),
  largeur: z.number(),
  hauteur: z.number(),
  apercu: z.string(),
  texte_alternatif: z.string(),
});

function itemShape(kind: ContentKind, list: boolean): Record<string, z.ZodType> {
  const shape: Record<string, z.ZodType> = { id: z.number() };
  for (const [name, field] of Object.entries(kind.fields)) {
    if (!list || field.inList) shape[name] = z.string();
  }
  if (kind.picture) shape[kind.picture.column] = z.string().nullable();
  if (kind.gallery) shape.images = z.string();
  if (kind.pdf) shape.url = z.string();
  if (!kind.pdf) shape.illustrations = z.array(illustration);
  shape.created_at = z.string();
  shape.date_publication = z.string();
  shape.publie_du = z.string().nullable();
  shape.publie_au = z.string().nullable();
  shape.version = z.number();
  return shape;
}

/** Length in characters of a `paragraphs` text in a shortened list: more than a card shows. */
export const SHORT_TEXT = 600;

/**
 * `tout`: an admin also gets items not published yet or no longer. `debut`: how many to skip. `limite`: how many at
 * most. `abrege`: only the first `SHORT_TEXT` characters of `paragraphs` texts.
 */
const listed = {
  tout: z.literal('1').optional(),
  debut: whole(0, SKIPPED_MAX).optional(),
  limite: whole(1, 100).optional(),
  abrege: z.literal('1').optional(),
};

/** Skipping needs a limit: without one, each `debut` would be another cached answer as long as the whole list. */
const isBounded = ({ debut, limite }: { debut?: number | undefined; limite?: number | undefined }) =>
  debut === undefined || limite !== undefined;
const UNBOUNDED = { path: ['debut'], error: 'un début demande aussi une limite.' };
const listQuery = z.object(listed).refine(isBounded, UNBOUNDED);
/** `recherche`: only items with every word in their title or their PDF; without a letter or digit: all items. */
const searchQuery = z.object({ ...listed, recherche: line(100).optional() }).refine(isBounded, UNBOUNDED);
const passages = z.array(z.object({ page: z.number(), extrait: z.string() }));
type ListQuery<K extends ContentKind> = K extends { pdf: PdfField } ? typeof searchQuery : typeof listQuery;

/** The calls of one kind, keyed by method and path. */
export function contentCalls<const K extends ContentKind>(kind: K) {
  type P = K['path'];
  const itemObject = z.object(itemShape(kind, false));
  const item = itemObject as unknown as z.ZodType<Item<K>>;
  const saved = itemObject.extend({ message: z.string() });
  const listShape = { ...itemShape(kind, true), ...(kind.pdf ? { passages: passages.optional() } : {}) };
  const listItem = z.object(listShape) as unknown as z.ZodType<ListItem<K>>;
  const read = { access: kind.readableBy as Access, status: 200 as const };
  const collection = {
    [`GET ${kind.path}`]: {
      ...read,
      summary: `Liste\u202f: ${kind.label}`,
      query: kind.pdf ? searchQuery : listQuery,
      reply: z.array(listItem),
    },
    [`POST ${kind.path}`]: {
      summary: `Création\u202f: ${kind.label}`,
      access: ADMIN,
      body: itemForm(kind, true),
      status: 201 as const,
      reply: saved,
    },
    [`DELETE ${kind.path}/:id`]: {
      summary: `Mise à la corbeille\u202f: ${kind.label}`,
      access: ADMIN,
      params: idParams,
      status: 200 as const,
      reply: message,
    },
  };
  const byId = {
    [`GET ${kind.path}/:id`]: {
      ...read,
      summary: `Lecture\u202f: ${kind.label}`,
      params: idParams,
      reply: kind.byId?.readsAs === 'list' ? z.array(item) : item,
    },
    [`PUT ${kind.path}/:id`]: {
      summary: `Modification\u202f: ${kind.label}`,
      access: ADMIN,
      params: idParams,
      body: itemForm(kind, false),
      status: 200 as const,
      reply: saved,
      conflict: z.object({ message: z.string(), actuel: item, envoye: z.record(z.string(), z.string()) }),
    },
  };
  return { ...collection, ...(kind.byId ? byId : {}) } as unknown as CollectionCalls<K, P> &
    (K['byId'] extends null ? unknown : ByIdCalls<K, P>);
}

type Saved<K extends ContentKind> = z.ZodType<{ message: string } & Item<K>>;
type IdParams = typeof idParams;

interface ReadCall<R, Q extends z.ZodObject | undefined, Pa extends z.ZodObject | undefined> {
  summary: string;
  access: Access;
  query: Q;
  params: Pa;
  status: 200;
  reply: z.ZodType<R>;
}

type CollectionCalls<K extends ContentKind, P extends string> = {
  [X in `GET ${P}`]: ReadCall<ListItem<K>[], ListQuery<K>, undefined>;
} & {
  [X in `POST ${P}`]: { summary: string; access: Access; body: ItemForm; status: 201; reply: Saved<K> };
} & {
  [X in `DELETE ${P}/:id`]: {
    summary: string;
    access: Access;
    params: IdParams;
    status: 200;
    reply: typeof message;
  };
};

type ByIdCalls<K extends ContentKind, P extends string> = {
  [X in `GET ${P}/:id`]: ReadCall<
    K['byId'] extends { readsAs: 'list' } ? Item<K>[] : Item<K>,
    undefined,
    IdParams
  >;
} & {
  [X in `PUT ${P}/:id`]: {
    summary: string;
    access: Access;
    params: IdParams;
    body: ItemForm;
    status: 200;
    reply: Saved<K>;
    conflict: z.ZodType;
  };
};

/** The rule of a field's text in any form. Blank is accepted here; `required` refuses it. */
function fieldSchema(field: Field): z.ZodType<string, string> {
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

/** Value of an optional field that a creation leaves out. */
function unsaid({ type }: Field): string {
  return type === 'tick' ? '1' : '';
}

/** Events as calendar files. */
export const calendarCalls = {
  'GET /events/:id/agenda': call({
    summary: 'Un événement, pour un agenda',
    access: 'anyone',
    params: idParams,
    status: 200,
    media: 'text/calendar; charset=utf-8',
    reply: z.string(),
  }),
};

export const binCalls = {
  'GET /corbeille': call({
    summary: 'Ce qui a été supprimé et peut encore être restauré',
    access: ADMIN,
    status: 200,
    reply: z.array(
      z.object({
        genre: z.string(),
        id: z.number(),
        titre: z.string(),
        supprime_le: instant,
        efface_le: instant,
      }),
    ),
  }),
  'POST /corbeille/:genre/:id/restaurer': call({
    summary: 'Restauration d’un élément supprimé',
    access: ADMIN,
    params: z.object({ genre: z.string().max(40), id }),
    status: 200,
    reply: message,
  }),
};
