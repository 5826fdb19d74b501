import type { Illustration } from '#platform/shared/pictures.ts';
import type { Access } from '#platform/shared/roles.ts';

/*
 * A kind is a value. One server feature serves the six content kinds; all kinds, employees included, share one form in
 * the portal. Kinds differ by data, never by code; a kind whose calls would need an `if` gets a feature of its own.
 * This file stays free of zod so that public pages can read kinds without loading it.
 */

/** A text field of a kind; its key is the wire name, the form's name and the column. */
export interface Field {
  label: string;
  /**
   * `line` one line · `paragraphs` several lines, light Markdown · `address` an http(s) link · `day` a plain
   * date `2026-06-20` · `moment` a wall-clock time in the event's place, sent as `2026-06-20T18:30:00.000Z` ·
   * `email`, `phone` · `choice` one of `options`, the first when blank · `person` the id of an employee, or blank ·
   * `tick` `1` or `0`, ticked when a creation leaves it out.
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
  /** Maximum length in characters. */
  max: number;
  options?: readonly string[];
  /** False: sent only in the answer by id, to keep lists light. */
  inList: boolean;
}

/** One picture, optional. `accepts` lists the form names under which the original site sent it. */
interface PictureField {
  column: 'image_url' | 'image' | 'photo';
  accepts: readonly string[];
  label: string;
  /** Hint shown before a picture is chosen. */
  help?: string;
  /**
   * Shown as a square around a point that staff choose, stored in `cadrage_x` and `cadrage_y`: of the part of the
   * picture that the square leaves out, the percentage to its left and above it.
   */
  isSquare?: boolean;
}

/** Several pictures in an order, stored and sent as one string joined by `;`. */
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
  updated: string;
  /** Message when the item changed between reading and saving. */
  stale: string;
  /** Title of its form, and the address of its portal page, before `/{id}`. */
  title: string;
  page: `/${string}`;
  /** Address of its page for visitors, before the id; absent: it has no page of its own. */
  seenAt?: `/${string}`;
  /** Address that a save or a deletion leads to; `null`: the page stays. */
  leadsTo: `/${string}` | null;
}

/** A kind as forms, the lists of the portal and the bin see it. */
export interface ItemKind {
  /** Path of its calls under the prefix; without the slash, its name in the bin and the journal. */
  path: `/${string}`;
  /** Path of its creation call, where the original site used another. */
  createPath?: `/${string}`;
  table: 'actualites' | 'alaune' | 'avantage' | 'events' | 'logos' | 'documents' | 'employes';
  label: string;
  plural: string;
  /** Its form, by its calls GET and PUT /{id}. */
  byId: ById;
  fields: Record<string, Field>;
  /** The fields that name an item in the bin, the journal and the lists of the portal. */
  titledBy: string | readonly string[];
  /** The field shown beside the name when an item is chosen from a list. */
  qualifiedBy?: string;
  /** True when staff choose the start and the end of an item's publication. */
  hasWindow: boolean;
  picture?: PictureField;
  gallery?: GalleryField;
  pdf?: PdfField;
  /** Folder of its files, and the last part of the address that serves them. */
  folder: 'images' | 'images_stages' | 'doc_stage_formateur';
  texts: {
    created: string;
    deleted: string;
    restored: string;
    notFound: string;
    /** Message when a deletion or a form is asked for and nothing was chosen. */
    nothingChosen: string;
    /** Question before a deletion. */
    confirmDeletion: string;
    /** Further effect of a deletion, shown with the question. */
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
  /** A `moment` field to sort by: upcoming items first, nearest first; then past items, latest first. */
  upcomingBy?: string;
}

export function contentKind<const K extends Omit<ContentKind, 'hasWindow'>>(
  kind: K,
): K & { hasWindow: true } {
  return { ...kind, hasWindow: true };
}

/** The title of an item: its `titledBy` fields, joined by spaces. */
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
  /** 1: a draft, which staff alone see; else 0. */
  brouillon: number;
  version: number;
}

type FileColumns<K extends ContentKind> = (K extends { picture: { column: infer C extends string } }
  ? Record<C, string | null>
  : unknown) &
  (K extends { gallery: GalleryField } ? { images: string } : unknown) &
  (K extends { pdf: PdfField } ? { url: string } : { illustrations: Illustration[] });

/** An item as answered by id. */
export type Item<K extends ContentKind> = Envelope & { [F in keyof K['fields']]: string } & FileColumns<K>;

type LeftOut<K extends ContentKind> = {
  [F in keyof K['fields']]: K['fields'][F]['inList'] extends false ? F : never;
}[keyof K['fields']];

/** A page of a PDF on which a search found something. */
export interface Passage {
  /** From 1. */
  page: number;
  /** The text around the first word found, with … where it was cut. */
  extrait: string;
}

/** An item as answered in a list; `passages` where its PDF was searched. */
export type ListItem<K extends ContentKind> = Omit<Item<K>, LeftOut<K>> &
  (K extends { pdf: PdfField } ? { passages?: Passage[] } : unknown);

/** Maximum number of items that a list can skip. */
export const SKIPPED_MAX = 100_000;

/** Days that a deleted item stays in the bin before it and its files are erased. */
export const BIN_DAYS = 30;
