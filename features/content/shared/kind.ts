import type { Illustration } from '#platform/shared/pictures.ts';
import type { Access } from '#platform/shared/roles.ts';

/*
 * A kind is a value. Six content kinds are read by one server feature; all kinds, employees too, have one form in
 * the portal. Kinds differ by data, never by code; the first whose calls need an `if` has a feature of its own.
 * This file stays free of zod so that public pages can read kinds without loading it.
 */

/** A text field of a kind; its key is the wire name, the form's name and the column. */
export interface Field {
  label: string;
  /**
   * `line` one line · `paragraphs` several lines, light Markdown · `address` an http(s) link · `day` a plain
   * date `2026-06-20` · `moment` a wall-clock time in the event's place, sent as `2026-06-20T18:30:00.000Z` ·
   * `email`, `phone` · `choice` one of `options`, the first when blank · `person` the id of an employee, or blank ·
   * `tick` `1` or `0`, ticked when a creation does not say.
   */
  type:
    | 'line'
    | 'paragraphs'
    | 'address'
    | 'day'
    | 'moment'
    | 'email'
    | 'phone'
    | 'choice'
    | 'person'
    | 'tick';
  required: boolean;
  /** Most characters accepted. */
  max: number;
  options?: readonly string[];
  /** False: only in the answer by id, to keep lists light. */
  inList: boolean;
}

/** One picture, optional. `accepts` lists the form names under which the original site sent it. */
interface PictureField {
  column: 'image_url' | 'image' | 'photo';
  accepts: readonly string[];
  label: string;
  /** What is good to know before choosing it. */
  help?: string;
  /**
   * Shown as a square around a point that staff choose, kept in `cadrage_x` and `cadrage_y`: percents of what the
   * square leaves out that lie to its left and above it.
   */
  isSquare?: boolean;
}

/** Several pictures in an order, read as one string joined by `;`. */
interface GalleryField {
  column: 'images';
  label: string;
  max: number;
}

/** One private PDF, required. */
export interface PdfField {
  column: 'url';
  label: string;
}

interface ById {
  /** What GET /{id} answers, as the original did: a list of one, or the object. */
  readsAs: 'list' | 'object';
  updated: string;
  /** Said when the item changed between reading and saving. */
  stale: string;
  /** Title of its form, and the page of the portal that holds it, before `/{id}`. */
  title: string;
  page: `/${string}`;
  /** Its page for visitors, before the id. */
  seenAt: `/${string}`;
  /** Where a save or a deletion leads; `null`: one stays on the page. */
  leadsTo: `/${string}` | null;
}

/** What forms, the lists of the portal and the bin know of any kind. */
export interface ItemKind {
  /** Path of its calls under the prefix, and its name in the bin and the journal once the slash is off. */
  path: `/${string}`;
  /** Path of its creation, where the original site had another. */
  createPath?: `/${string}`;
  table: 'actualites' | 'alaune' | 'avantage' | 'events' | 'logos' | 'documents' | 'employes';
  label: string;
  plural: string;
  /** GET and PUT /{id}; `null` where the product has neither. */
  byId: ById | null;
  fields: Record<string, Field>;
  /** The fields that name an item in the bin, the journal and the lists of the portal. */
  titledBy: string | readonly string[];
  /** The field that stands beside the name where one is chosen from a list. */
  qualifiedBy?: string;
  /** Staff choose from when and until when an item is public. */
  hasWindow: boolean;
  picture?: PictureField;
  gallery?: GalleryField;
  pdf?: PdfField;
  /** Folder of its files and last part of the address that serves them. */
  folder: 'images' | 'images_stages' | 'doc_stage_formateur';
  texts: {
    created: string;
    deleted: string;
    restored: string;
    notFound: string;
    /** Said when a deletion, or a form, is asked for and nothing was chosen. */
    nothingChosen: string;
    /** Asked before a deletion. */
    confirmDeletion: string;
    /** What else a deletion brings about. */
    consequence?: string;
  };
}

export interface ContentKind extends ItemKind {
  table: Exclude<ItemKind['table'], 'employes'>;
  readableBy: Access;
  titledBy: string;
  hasWindow: true;
  /** Newest first by this column (then by id); `date_publication` is the start of publication or the creation. */
  newestBy: 'date_publication' | 'date_ajout';
  /** A `moment` field that puts what is to come first, nearest first, and what is past after it. */
  upcomingBy?: string;
}

export function contentKind<const K extends Omit<ContentKind, 'hasWindow'>>(
  kind: K,
): K & { hasWindow: true } {
  return { ...kind, hasWindow: true };
}

/** What an item is called. */
export function titleOf({ titledBy }: ItemKind, item: Record<string, unknown>): string {
  return [titledBy]
    .flat()
    .map((name) => String(item[name] ?? ''))
    .join(' ');
}

type FieldOptions = Partial<Pick<Field, 'max' | 'inList'>>;
type Shaped<T extends Field['type'], R extends boolean, O extends FieldOptions> = Field & {
  type: T;
  required: R;
  inList: O['inList'] extends false ? false : true;
};

function shaped<T extends Field['type'], R extends boolean, const O extends FieldOptions>(
  type: T,
  required: R,
  label: string,
  max: number,
  options?: O,
): Shaped<T, R, O> {
  return { label, type, required, max, inList: true, ...options } as unknown as Shaped<T, R, O>;
}

export const line = <const O extends FieldOptions>(label: string, options?: O) =>
  shaped('line', true, label, 200, options);
export const paragraphs = <const O extends FieldOptions>(label: string, options?: O) =>
  shaped('paragraphs', true, label, 50_000, options);
export const address = (label: string) => shaped('address', true, label, 2_000);
export const optionalAddress = <const O extends FieldOptions>(label: string, options?: O) =>
  shaped('address', false, label, 2_000, options);
export const day = (label: string) => shaped('day', true, label, 30);
export const moment = (label: string) => shaped('moment', true, label, 40);
export const email = (label: string) => shaped('email', true, label, 254);
export const phone = (label: string) => shaped('phone', false, label, 50);
export const choice = <const O extends readonly string[]>(label: string, options: O) => ({
  ...shaped('choice', false, label, 50),
  options,
});
export const person = (label: string) => shaped('person', false, label, 15);
export const tick = (label: string) => shaped('tick', false, label, 1);

/** The columns that every content kind has beside its own fields. */
export interface Envelope {
  id: number;
  created_at: string;
  /** `publie_du`, or the creation when no start was set. */
  date_publication: string;
  publie_du: string | null;
  publie_au: string | null;
  version: number;
}

type FileColumns<K extends ContentKind> = (K extends { picture: { column: infer C extends string } }
  ? Record<C, string | null>
  : unknown) &
  (K extends { gallery: GalleryField } ? { images: string } : unknown) &
  (K extends { pdf: PdfField } ? { url: string } : { illustrations: Illustration[] });

/** An item as it is read by id. */
export type Item<K extends ContentKind> = Envelope & { [F in keyof K['fields']]: string } & FileColumns<K>;

type LeftOut<K extends ContentKind> = {
  [F in keyof K['fields']]: K['fields'][F]['inList'] extends false ? F : never;
}[keyof K['fields']];

/** A page of a PDF on which a search found something. */
export interface Passage {
  /** From 1. */
  page: number;
  /** The words around the first of those found, with … where it was cut. */
  extrait: string;
}

/** An item as it stands in its list; `passages` where its PDF was searched. */
export type ListItem<K extends ContentKind> = Omit<Item<K>, LeftOut<K>> &
  (K extends { pdf: PdfField } ? { passages?: Passage[] } : unknown);

/** Items that a list can be asked to skip at most. */
export const SKIPPED_MAX = 100_000;

/** Days that a deleted item stays in the bin before it and its files are erased. */
export const BIN_DAYS = 30;
