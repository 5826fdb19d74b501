import type { Illustration } from '#platform/shared/pictures.ts';
import type { Access } from '#platform/shared/roles.ts';
import { BENEFIT_CATEGORIES } from './limits.ts';

/*
 * A kind is a value. One server feature serves the six content kinds; all kinds, employees included, share one form in
 * the portal. Kinds differ by data, never by code; a kind whose calls would need an `if` gets a feature of its own.
 * This file stays free of zod, which browsers need not load.
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
  /** A `moment` field after that one, blank for an item without an end: it is upcoming until then. */
  endsBy?: string;
}

function contentKind<const K extends Omit<ContentKind, 'hasWindow'>>(kind: K): K & { hasWindow: true } {
  return { ...kind, hasWindow: true };
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

const line = <const O extends FieldOptions>(label: string, options?: O) =>
  shaped('line', true, label, 200, options);
const paragraphs = <const O extends FieldOptions>(label: string, options?: O) =>
  shaped('paragraphs', true, label, 50_000, options);
const optionalLine = <const O extends FieldOptions>(label: string, options?: O) =>
  shaped('line', false, label, 200, options);
const address = (label: string) => shaped('address', true, label, 2_000);
const optionalAddress = <const O extends FieldOptions>(label: string, options?: O) =>
  shaped('address', false, label, 2_000, options);
const day = (label: string) => shaped('day', true, label, 30);
const moment = (label: string) => shaped('moment', true, label, 40);
const optionalMoment = (label: string) => shaped('moment', false, label, 40);
const email = (label: string) => shaped('email', true, label, 254);
const phone = (label: string) => shaped('phone', false, label, 50);
const choice = <const O extends readonly string[]>(label: string, options: O) => ({
  ...shaped('choice', false, label, 50),
  options,
});
const person = (label: string) => shaped('person', false, label, 15);
const tick = (label: string) => shaped('tick', false, label, 1);

export const news = contentKind({
  path: '/actualites',
  table: 'actualites',
  label: 'Actualité',
  plural: 'Actualités',
  byId: {
    updated: 'Actualité modifiée avec succès',
    stale: 'Cette actualité a été modifiée entre-temps par quelqu’un d’autre.',
    title: 'Modifier les informations de l’actualité',
    page: '/actu-modify',
    seenAt: '/?actualite=',
    leadsTo: '/portail',
  },
  readableBy: 'anyone',
  fields: { titre: line('Titre'), description: paragraphs('Description') },
  titledBy: 'titre',
  newestBy: 'date_publication',
  picture: { column: 'image_url', accepts: ['image', 'image_url'], label: 'Image de présentation' },
  folder: 'images_stages',
  texts: {
    created: 'Actualité ajoutée avec succès',
    deleted: 'Actualité supprimée avec succès',
    restored: 'Actualité restaurée avec succès',
    notFound: 'Cette actualité n’existe pas ou n’existe plus.',
    nothingChosen: 'Veuillez sélectionner une actualité.',
    confirmDeletion: 'Êtes-vous sûr de vouloir supprimer cette actualité ?',
  },
});

export const featured = contentKind({
  path: '/alaune',
  table: 'alaune',
  label: 'Élément À la Une',
  plural: 'Éléments À la Une',
  byId: {
    updated: 'Élément À la Une modifié avec succès',
    stale: 'Cet élément À la Une a été modifié entre-temps par quelqu’un d’autre.',
    title: 'Modifier les informations de l’élément À la Une',
    page: '/une-modify',
    seenAt: '/une-details/',
    leadsTo: null,
  },
  readableBy: 'anyone',
  fields: {
    titre: line('Titre'),
    resume: paragraphs('Résumé', { max: 2_000 }),
    description: paragraphs('Description'),
    lien_article: optionalAddress('Lien vers l’article'),
  },
  titledBy: 'titre',
  newestBy: 'date_publication',
  picture: { column: 'image_url', accepts: ['image_url'], label: 'Image de présentation' },
  folder: 'images_stages',
  texts: {
    created: 'Élément À la Une ajouté avec succès',
    deleted: 'Élément À la Une supprimé avec succès',
    restored: 'Élément À la Une restauré avec succès',
    notFound: 'Cet élément À la Une n’existe pas ou n’existe plus.',
    nothingChosen: 'Veuillez sélectionner un élément À la Une.',
    confirmDeletion: 'Êtes-vous sûr de vouloir supprimer cet élément À la Une ?',
  },
});

export const partners = contentKind({
  path: '/logos',
  table: 'logos',
  label: 'Logo partenaire',
  plural: 'Logos partenaires',
  byId: {
    updated: 'Logo modifié avec succès',
    stale: 'Ce logo a été modifié entre-temps par quelqu’un d’autre.',
    title: 'Modifier un logo partenaire',
    page: '/logo-modify',
    leadsTo: '/portail?panneau=logos',
  },
  readableBy: 'anyone',
  fields: { nom: line('Nom'), url_site: address('Adresse du site') },
  titledBy: 'nom',
  newestBy: 'date_publication',
  picture: { column: 'image', accepts: ['image'], label: 'Logo', help: 'Un logo est montré sur fond blanc.' },
  folder: 'images_stages',
  texts: {
    created: 'Logo partenaire ajouté avec succès',
    deleted: 'Logo supprimé avec succès',
    restored: 'Logo restauré avec succès',
    notFound: 'Ce logo n’existe pas ou n’existe plus.',
    nothingChosen: 'Veuillez sélectionner un logo à supprimer.',
    confirmDeletion: 'Êtes-vous sûr de vouloir supprimer ce logo ?',
  },
});

export const events = contentKind({
  path: '/events',
  table: 'events',
  label: 'Événement',
  plural: 'Événements',
  byId: {
    updated: 'Événement modifié avec succès',
    stale: 'Cet événement a été modifié entre-temps par quelqu’un d’autre.',
    title: 'Modifier les informations de l’événement',
    page: '/event-modify',
    seenAt: '/event-detail/',
    leadsTo: '/Evenements',
  },
  readableBy: 'anyone',
  fields: {
    title: line('Titre'),
    date: moment('Date'),
    fin: optionalMoment('Fin'),
    location: line('Lieu'),
    lien_plan: optionalAddress('Lien vers un plan', { inList: false }),
    summary: paragraphs('Résumé', { max: 2_000 }),
    article: paragraphs('Description'),
    lien_inscription: optionalAddress('Lien pour s’inscrire', { inList: false }),
  },
  titledBy: 'title',
  newestBy: 'date_publication',
  upcomingBy: 'date',
  endsBy: 'fin',
  picture: { column: 'image_url', accepts: ['image_url'], label: 'Image de présentation' },
  gallery: { column: 'images', label: 'Images de détail', max: 30 },
  folder: 'images',
  texts: {
    created: 'Événement ajouté avec succès',
    deleted: 'Événement supprimé avec succès',
    restored: 'Événement restauré avec succès',
    notFound: 'Cet événement n’existe pas ou n’existe plus.',
    nothingChosen: 'Veuillez sélectionner un événement.',
    confirmDeletion: 'Êtes-vous sûr de vouloir supprimer cet événement ?',
  },
});

export const benefits = contentKind({
  path: '/avantage',
  table: 'avantage',
  label: 'Avantage',
  plural: 'Avantages',
  byId: {
    updated: 'Avantage modifié avec succès',
    stale: 'Cet avantage a été modifié entre-temps par quelqu’un d’autre.',
    title: 'Modifier les informations de l’avantage',
    page: '/avantage-modify',
    seenAt: '/avantage-detail/',
    leadsTo: null,
  },
  readableBy: 'anyone',
  fields: {
    titre: line('Titre'),
    categorie: choice('Catégorie', BENEFIT_CATEGORIES),
    economie: optionalLine('Économie', { max: 80 }),
    resume: paragraphs('Résumé', { max: 2_000 }),
    description: paragraphs('Description', { inList: false }),
    lien_article: optionalAddress('Lien vers l’article', { inList: false }),
  },
  titledBy: 'titre',
  newestBy: 'date_publication',
  picture: { column: 'image_url', accepts: ['image_url'], label: 'Image' },
  folder: 'images_stages',
  texts: {
    created: 'Avantage ajouté avec succès',
    deleted: 'Avantage supprimé avec succès',
    restored: 'Avantage restauré avec succès',
    notFound: 'Cet avantage n’existe pas ou n’existe plus.',
    nothingChosen: 'Veuillez sélectionner un avantage.',
    confirmDeletion: 'Êtes-vous sûr de vouloir supprimer cet avantage ?',
  },
});

export const minutes = contentKind({
  path: '/documents',
  table: 'documents',
  label: 'Compte rendu',
  plural: 'Comptes rendus',
  byId: {
    updated: 'Document modifié avec succès',
    stale: 'Ce document a été modifié entre-temps par quelqu’un d’autre.',
    title: 'Modifier un compte rendu',
    page: '/compte-rendu-modify',
    leadsTo: '/portail?panneau=documents',
  },
  readableBy: ['admin', 'reader'],
  fields: { nom: line('Nom'), date_ajout: day('Date') },
  titledBy: 'nom',
  newestBy: 'date_ajout',
  pdf: { column: 'url', label: 'Fichier PDF' },
  folder: 'doc_stage_formateur',
  texts: {
    created: 'Document ajouté avec succès',
    deleted: 'Document supprimé avec succès',
    restored: 'Document restauré avec succès',
    notFound: 'Ce document n’existe pas ou n’existe plus.',
    nothingChosen: 'Veuillez sélectionner un document à supprimer.',
    confirmDeletion: 'Êtes-vous sûr de vouloir supprimer ce document ?',
  },
});

/** The kind of the people in the org chart, for the portal's forms and the bin. */
export const employees = {
  path: '/employes',
  createPath: '/create-employes',
  table: 'employes',
  label: 'Employé',
  plural: 'Employés',
  byId: {
    updated: 'Employé modifié avec succès',
    stale: 'Cette fiche a été modifiée entre-temps par quelqu’un d’autre.',
    title: 'Modifier les informations de l’employé',
    page: '/employe-modify',
    seenAt: '/membres#employe-',
    leadsTo: '/portail',
  },
  fields: {
    prenom: line('Prénom', { max: 100 }),
    nom: line('Nom', { max: 100 }),
    poste: line('Poste'),
    role: choice('Rôle', ['Employé', 'Responsable']),
    manager_id: person('Responsable hiérarchique'),
    email: email('E-mail'),
    email_public: tick('Montrer l’e-mail sur le site'),
    telephone: phone('Téléphone'),
    telephone_public: tick('Montrer le téléphone sur le site'),
    photo_public: tick('Montrer la photo sur le site'),
  },
  titledBy: ['prenom', 'nom'],
  qualifiedBy: 'poste',
  hasWindow: false,
  picture: { column: 'photo', accepts: ['photo'], label: 'Photo', isSquare: true },
  folder: 'images_stages',
  texts: {
    created: 'Employé ajouté avec succès',
    deleted: 'Employé supprimé avec succès',
    restored: 'Employé restauré avec succès',
    notFound: 'Cette fiche n’existe pas ou n’existe plus.',
    nothingChosen: 'Veuillez sélectionner un employé.',
    confirmDeletion: 'Êtes-vous sûr de vouloir supprimer cet employé ?',
    consequence: 'Son équipe montera d’un niveau dans l’organigramme.',
  },
} as const satisfies ItemKind;

/** Every content kind, in the order of the specification. */
export const KINDS: readonly ContentKind[] = [news, featured, partners, events, benefits, minutes];

export const ITEM_KINDS: readonly ItemKind[] = [...KINDS, employees];

/** The name of a kind in addresses and in the journal: `actualites`, `alaune`… */
export function genreOf(kind: ItemKind): string {
  return kind.path.slice(1);
}

export function kindOfGenre(genre: string): ItemKind | undefined {
  return ITEM_KINDS.find((kind) => genreOf(kind) === genre);
}

/** The title of an item: its `titledBy` fields, joined by spaces. */
export function titleOf({ titledBy }: ItemKind, item: Record<string, unknown>): string {
  return [titledBy]
    .flat()
    .map((name) => String(item[name] ?? ''))
    .join(' ');
}

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

export type Item<K extends ContentKind> = Envelope & { [F in keyof K['fields']]: string } & FileColumns<K>;

type LeftOut<K extends ContentKind> = {
  [F in keyof K['fields']]: K['fields'][F]['inList'] extends false ? F : never;
}[keyof K['fields']];

export interface Passage {
  /** From 1. */
  page: number;
  /** The text around the first word found, with … where it was cut. */
  extrait: string;
}

/** An item as answered in a list; `passages` where its PDF was searched. */
export type ListItem<K extends ContentKind> = Omit<Item<K>, LeftOut<K>> &
  (K extends { pdf: PdfField } ? { passages?: Passage[] } : unknown);
