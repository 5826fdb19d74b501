import type { Access } from '../roles.ts';

/*
 * A content kind is a value: six of them are read by one server feature and, in the portal, by one form.
 * Kinds differ by data, never by code; the first that needs an `if` becomes a feature of its own.
 * This file stays free of zod so that public pages can read kinds without loading it.
 */

/** A text field of a kind; its key is the wire name, the form's name and the column. */
export interface Field {
  label: string;
  /**
   * `line` one line · `paragraphs` several lines, light Markdown · `address` an http(s) link · `day` a plain
   * date `2026-06-20` · `moment` a wall-clock time in the event's place, sent as `2026-06-20T18:30:00.000Z`.
   */
  type: 'line' | 'paragraphs' | 'address' | 'day' | 'moment';
  required: boolean;
  /** Most characters accepted. */
  max: number;
  /** False: only in the answer by id, to keep lists light. */
  inList: boolean;
}

/** One picture, optional. `accepts` lists the form names under which the original site sent it. */
export interface PictureField {
  column: 'image_url' | 'image';
  accepts: readonly string[];
  label: string;
  /** What is good to know before choosing it. */
  help?: string;
}

/** Several pictures in an order, read as one string joined by `;`. */
export interface GalleryField {
  column: 'images';
  label: string;
  max: number;
}

/** One private PDF, required. */
export interface PdfField {
  column: 'url';
  label: string;
}

export interface ById {
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

export interface ContentKind {
  /** Path of its calls under the prefix, and its name in the bin and the journal once the slash is off. */
  path: `/${string}`;
  table: 'actualites' | 'alaune' | 'avantage' | 'events' | 'logos' | 'documents';
  label: string;
  plural: string;
  /** GET and PUT /{id}; `null` where the product has neither. */
  byId: ById | null;
  readableBy: Access;
  fields: Record<string, Field>;
  /** The field that names an item in the bin, the journal and the lists of the portal. */
  titledBy: string;
  /** Newest first by this column (then by id); `date_publication` is the start of publication or the creation. */
  newestBy: 'date_publication' | 'date_ajout';
  /** A `moment` field that puts what is to come first, nearest first, and what is past after it. */
  upcomingBy?: string;
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
  };
}

export function contentKind<const K extends ContentKind>(kind: K): K {
  return kind;
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

/** What a page needs to show one picture: its size avoids jumps, `apercu` is a ThumbHash in base64. */
export interface Illustration {
  nom: string;
  largeur: number;
  hauteur: number;
  apercu: string;
  texte_alternatif: string;
}

/** The columns that every kind has beside its own fields. */
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

/** An item as it stands in its list. */
export type ListItem<K extends ContentKind> = Omit<Item<K>, LeftOut<K>>;

/** Days that a deleted item stays in the bin before it and its files are erased. */
export const BIN_DAYS = 30;

/**
 * Widths, in pixels, in which a picture is kept beside its largest size; only those below that size exist. A logo
 * or a thumbnail; a phone's screen, or a column of a desktop; a phone's screen with three dots to a pixel.
 */
export const PICTURE_WIDTHS = [320, 720, 1080] as const;
/** Longest side of the largest size kept, in pixels. */
export const PICTURE_MAX = 1920;

/** The widths that a picture of `width` pixels is kept in beside its own, narrowest first. */
export function narrowerWidths(width: number): number[] {
  return PICTURE_WIDTHS.filter((one) => one < width);
}

/** The name under which a narrower size of a picture is served. */
export function narrower(name: string, width: number): string {
  return name.replace(/\.webp$/, `-${width}.webp`);
}
