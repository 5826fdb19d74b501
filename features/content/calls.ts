import { z } from 'zod';
import { lastChange } from '#features/audit/calls.ts';
import { askedQuery, foundThings } from '#features/site/calls.ts';
import { PDF_BYTES, PICTURE_BYTES } from '#platform/shared/bytes.ts';
import { call, type FileRule, id, idParams, instant } from '#platform/shared/call.ts';
import type { Access } from '#platform/shared/roles.ts';
import {
  emailAddress,
  isFilled,
  line,
  paragraphs,
  REQUIRED,
  required,
  webAddress,
  whole,
} from '#platform/shared/text.ts';
import { isDay, readInstant, readMoment } from '#platform/shared/time.ts';
import {
  benefits,
  type ContentKind,
  events,
  type Field,
  featured,
  type Item,
  type ItemKind,
  type ListItem,
  minutes,
  news,
  partners,
} from './shared/kinds.ts';
import { SKIPPED_MAX } from './shared/limits.ts';

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
  /** Whether it is a draft; undefined: unchanged, or published at once. */
  brouillon: boolean | undefined;
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
    if (!field.required || mayLack(kind, name))
      shape[name] = creation ? text.prefault(unsaid(field)) : text.optional();
    else shape[name] = creation ? required(text) : required(text).optional();
    const help = [mayLack(kind, name) ? 'Obligatoire, sauf dans un brouillon.' : '', clockOf(field)];
    shape[name] = shape[name].meta({ title: field.label, ...described(help.join(' ').trim()) });
  }
  if (kind.hasWindow) {
    shape.publie_du = publicationEdge.meta({ title: 'Publié du' });
    shape.publie_au = publicationEdge.meta({ title: 'Publié jusqu’au' });
    shape.brouillon = z.enum(['0', '1']).optional().meta({ title: 'Brouillon' });
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
  return wholeUnlessDraft(kind, z.object(shape)).transform((body): ItemBody => {
    const text = (name: string) => body[name] as string | undefined;
    return {
      values: Object.fromEntries(Object.keys(kind.fields).map((name) => [name, text(name)])),
      version: body.version as number | undefined,
      publie_du: text('publie_du'),
      publie_au: text('publie_au'),
      brouillon: body.brouillon === undefined ? undefined : body.brouillon === '1',
      texte_alternatif: text('texte_alternatif'),
      picture: kind.picture?.accepts.map(text).find((value) => value !== undefined),
      cadrage_x: body.cadrage_x as number | undefined,
      cadrage_y: body.cadrage_y as number | undefined,
      gallery: body.images as string[] | undefined,
      textes_alternatifs: body.textes_alternatifs as string[] | undefined,
    };
  });
}

/** What a description of the calls says of a time on the wire. */
const clockOf = ({ type }: Field) =>
  type === 'moment' ? 'L’heure que montrent les horloges du site\u202f: le Z final ne dit pas UTC.' : '';

const described = (description: string) => (description === '' ? {} : { description });

/** Whether a draft may leave a required field blank: any but those that name it. */
export function mayLack(kind: ItemKind, name: string): boolean {
  return kind.hasWindow && kind.fields[name]?.required === true && ![kind.titledBy].flat().includes(name);
}

/** Refuses blank required fields that only a draft may leave so, beside the errors of other fields. */
function wholeUnlessDraft(kind: ItemKind, form: z.ZodObject): z.ZodType<Record<string, unknown>> {
  const lacking = Object.keys(kind.fields).filter((name) => mayLack(kind, name));
  return lacking.reduce(
    (schema, name) =>
      schema.refine((body) => body.brouillon === '1' || body[name] === undefined || isFilled(body[name]), {
        path: [name],
        error: REQUIRED,
        when: ({ issues }) => !issues.some(({ path }) => path?.[0] === name),
      }),
    form,
  );
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
    if (!list || field.inList) shape[name] = z.string().meta(described(clockOf(field)));
  }
  if (kind.picture) shape[kind.picture.column] = z.string().nullable();
  if (kind.gallery) shape.images = z.string();
  if (kind.pdf) shape.url = z.string();
  if (!kind.pdf) shape.illustrations = z.array(illustration);
  shape.created_at = z.string();
  shape.date_publication = z.string();
  shape.publie_du = z.string().nullable();
  shape.publie_au = z.string().nullable();
  shape.brouillon = z.number();
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

/** An item as answered by id, with `more` members. Its shape is the kind's data, which types cannot follow: a cast. */
function itemSchema<K extends ContentKind, M = unknown>(kind: K, more: z.ZodRawShape = {}) {
  const schema: z.ZodType = z.object({ ...itemShape(kind, false), ...more });
  return schema as z.ZodType<Item<K> & M>;
}

const savedSchema = <K extends ContentKind>(kind: K) =>
  itemSchema<K, { message: string; conseil?: string }>(kind, {
    message: z.string(),
    conseil: z.string().optional(),
  });

function listSchema<K extends ContentKind>(kind: K) {
  const found = kind.pdf ? { passages: passages.optional() } : {};
  const schema: z.ZodType = z.array(z.object({ ...itemShape(kind, true), ...found }));
  return schema as z.ZodType<ListItem<K>[]>;
}

function listCall<K extends ContentKind, Q extends z.ZodObject>(kind: K, query: Q) {
  return call({
    summary: `Liste\u202f: ${kind.label}`,
    access: kind.readableBy,
    query,
    reply: listSchema(kind),
  });
}

function creationCall<K extends ContentKind>(kind: K) {
  return call({
    summary: `Création\u202f: ${kind.label}`,
    access: ['contenus'],
    body: itemForm(kind, true),
    status: 201,
    reply: savedSchema(kind),
  });
}

function deletionCall(kind: ContentKind) {
  return call({
    summary: `Mise à la corbeille\u202f: ${kind.label}`,
    access: ['contenus'],
    params: idParams,
  });
}

function readingCall<K extends ContentKind, R extends z.ZodType>(
  kind: K,
  reply: R,
  access: Access = kind.readableBy,
) {
  return call({
    summary: `Lecture\u202f: ${kind.label}`,
    access,
    params: idParams,
    reply,
  });
}

/** The answer to a form that is older than its item: both texts, and who saved the other. */
export const staleItem = <A extends z.ZodType>(actuel: A) =>
  z.object({ message: z.string(), actuel, envoye: z.record(z.string(), z.string()), modifie: lastChange });

function changeCall<K extends ContentKind>(kind: K) {
  return call({
    summary: `Modification\u202f: ${kind.label}`,
    access: ['contenus'],
    params: idParams,
    body: itemForm(kind, false),
    reply: savedSchema(kind),
    conflict: staleItem(itemSchema(kind)),
  });
}

const neighbour = z.object({ id: z.number(), titre: z.string() }).nullable();

/** What a page of one item leads on to: two titles, so that no page needs a whole list for them. */
function neighboursCall(kind: ContentKind) {
  return call({
    summary: `Précédent et suivant dans la liste\u202f: ${kind.label}`,
    access: kind.readableBy,
    params: idParams,
    reply: z.object({ precedent: neighbour, suivant: neighbour }),
  });
}

/** The calls of the six kinds; by id, some answer a list of one, as the original site did. */
export const contentCalls = {
  'GET /actualites': listCall(news, listQuery),
  'POST /actualites': creationCall(news),
  'DELETE /actualites/:id': deletionCall(news),
  'GET /actualites/:id': readingCall(news, z.array(itemSchema(news))),
  'PUT /actualites/:id': changeCall(news),
  'GET /actualites/:id/voisins': neighboursCall(news),
  'GET /alaune': listCall(featured, listQuery),
  'POST /alaune': creationCall(featured),
  'DELETE /alaune/:id': deletionCall(featured),
  'GET /alaune/:id': readingCall(featured, itemSchema(featured)),
  'PUT /alaune/:id': changeCall(featured),
  'GET /alaune/:id/voisins': neighboursCall(featured),
  'GET /logos': listCall(partners, listQuery),
  'POST /logos': creationCall(partners),
  'DELETE /logos/:id': deletionCall(partners),
  'GET /logos/:id': readingCall(partners, itemSchema(partners)),
  'PUT /logos/:id': changeCall(partners),
  'GET /events': listCall(events, listQuery),
  'POST /events': creationCall(events),
  'DELETE /events/:id': deletionCall(events),
  'GET /events/:id': readingCall(events, z.array(itemSchema(events))),
  'PUT /events/:id': changeCall(events),
  'GET /events/:id/voisins': neighboursCall(events),
  'GET /events/:id/agenda': call({
    summary: 'Un événement, pour un agenda',
    access: 'anyone',
    params: idParams,
    media: 'text/calendar; charset=utf-8',
    reply: z.string(),
  }),
  'GET /avantage': listCall(benefits, listQuery),
  'POST /avantage': creationCall(benefits),
  'DELETE /avantage/:id': deletionCall(benefits),
  'GET /avantage/:id': readingCall(benefits, itemSchema(benefits)),
  'PUT /avantage/:id': changeCall(benefits),
  'GET /avantage/:id/voisins': neighboursCall(benefits),
  'GET /documents': listCall(minutes, searchQuery),
  'GET /documents/acces': call({
    summary: 'Si les comptes rendus sont ouverts à qui a leur mot de passe',
    access: 'anyone',
    reply: z.object({
      /** `aucun`: nothing is published; `sans_mot_de_passe`: nobody has chosen or read the password yet. */
      etat: z.enum(['ouvert', 'aucun', 'sans_mot_de_passe']),
    }),
  }),
  'POST /documents': creationCall(minutes),
  'DELETE /documents/:id': deletionCall(minutes),
  'GET /documents/recherche': call({
    summary: 'Recherche sur le site\u202f: ce qu’elle trouve dans les comptes rendus',
    access: minutes.readableBy,
    query: askedQuery,
    reply: foundThings,
  }),
  // Readers have the list; the form alone asks for one.
  'GET /documents/:id': readingCall(minutes, itemSchema(minutes), ['contenus']),
  'PUT /documents/:id': changeCall(minutes),
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

function unsaid({ type }: Field): string {
  return type === 'tick' ? '1' : '';
}

export const binCalls = {
  'GET /corbeille': call({
    summary: 'Ce qui a été supprimé et peut encore être restauré',
    access: ['contenus'],
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
    access: ['contenus'],
    params: z.object({ genre: z.string().max(40), id }),
  }),
};
