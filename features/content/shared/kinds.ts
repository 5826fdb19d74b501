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
  path: '/actualites' | '/alaune' | '/avantage' | '/events' | '/logos' | '/documents' | '/employes';
  /** Path of its creation call, as the original site had it. */
  createPath: Exclude<ItemKind['path'], '/employes'> | '/create-employes';
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
  texts: ReturnType<typeof textsOf> & {
    /** Further effect of a deletion, shown with the question. */
    consequence?: string;
  };
}

export interface ContentKind extends ItemKind {
  path: Exclude<ItemKind['path'], '/employes'>;
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

function contentKind<const K extends Omit<ContentKind, 'hasWindow' | 'createPath'>>(kind: K) {
  return { ...kind, createPath: kind.path, hasWindow: true as const };
}

const field = <const T extends Field['type']>(type: T, required: boolean, label: string, max: number) =>
  ({ type, label, required, max, inList: true }) as const;
const line = (label: string, max = 200) => field('line', true, label, max);
const paragraphs = (label: string, max = 50_000) => field('paragraphs', true, label, max);
const optionalAddress = (label: string) => field('address', false, label, 2_000);
const choice = (label: string, options: readonly string[]) => ({
  ...field('choice', false, label, 50),
  options,
});
const tick = (label: string) => field('tick', false, label, 1);
/** Sent only in the answer by id, to keep lists light. */
const byIdOnly = <F extends Field>(one: F) => ({ ...one, inList: false }) as const;

/** What staff and visitors read of an item that is called `name`; `one`: one to be chosen, « une actualité ». */
function textsOf(name: string, thisOne: string, one: string) {
  const e = thisOne.startsWith('cette ') ? 'e' : '';
  const subject = `C${thisOne.slice(1)}`;
  return {
    created: `${name} ajouté${e} avec succès`,
    updated: `${name} modifié${e} avec succès`,
    deleted: `${name} supprimé${e} avec succès`,
    restored: `${name} restauré${e} avec succès`,
    notFound: `${subject} n’existe pas ou n’existe plus.`,
    /** When the item changed between reading and saving. */
    stale: `${subject} a été modifié${e} entre-temps par quelqu’un d’autre.`,
    /** When a deletion or a form is asked for and nothing was chosen. */
    nothingChosen: `Veuillez sélectionner ${one}.`,
    confirmDeletion: `Êtes-vous sûr de vouloir supprimer ${thisOne}\u202f?`,
  };
}

export const news = contentKind({
  path: '/actualites',
  table: 'actualites',
  label: 'Actualité',
  plural: 'Actualités',
  byId: {
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
  texts: textsOf('Actualité', 'cette actualité', 'une actualité'),
});

export const featured = contentKind({
  path: '/alaune',
  table: 'alaune',
  label: 'Élément À la Une',
  plural: 'Éléments À la Une',
  byId: {
    title: 'Modifier les informations de l’élément À la Une',
    page: '/une-modify',
    seenAt: '/une-details/',
    leadsTo: null,
  },
  readableBy: 'anyone',
  fields: {
    titre: line('Titre'),
    resume: paragraphs('Résumé', 2_000),
    description: paragraphs('Description'),
    lien_article: optionalAddress('Lien vers l’article'),
  },
  titledBy: 'titre',
  newestBy: 'date_publication',
  picture: { column: 'image_url', accepts: ['image_url'], label: 'Image de présentation' },
  folder: 'images_stages',
  texts: textsOf('Élément À la Une', 'cet élément À la Une', 'un élément À la Une'),
});

export const partners = contentKind({
  path: '/logos',
  table: 'logos',
  label: 'Logo partenaire',
  plural: 'Logos partenaires',
  byId: {
    title: 'Modifier un logo partenaire',
    page: '/logo-modify',
    leadsTo: '/portail?panneau=logos',
  },
  readableBy: 'anyone',
  fields: { nom: line('Nom'), url_site: field('address', true, 'Adresse du site', 2_000) },
  titledBy: 'nom',
  newestBy: 'date_publication',
  picture: { column: 'image', accepts: ['image'], label: 'Logo', help: 'Un logo est montré sur fond blanc.' },
  folder: 'images_stages',
  texts: {
    ...textsOf('Logo', 'ce logo', 'un logo à supprimer'),
    created: 'Logo partenaire ajouté avec succès',
  },
});

export const events = contentKind({
  path: '/events',
  table: 'events',
  label: 'Événement',
  plural: 'Événements',
  byId: {
    title: 'Modifier les informations de l’événement',
    page: '/event-modify',
    seenAt: '/event-detail/',
    leadsTo: '/Evenements',
  },
  readableBy: 'anyone',
  fields: {
    title: line('Titre'),
    date: field('moment', true, 'Date', 40),
    fin: field('moment', false, 'Fin', 40),
    location: line('Lieu'),
    lien_plan: byIdOnly(optionalAddress('Lien vers un plan')),
    summary: paragraphs('Résumé', 2_000),
    article: paragraphs('Description'),
    lien_inscription: byIdOnly(optionalAddress('Lien pour s’inscrire')),
  },
  titledBy: 'title',
  newestBy: 'date_publication',
  upcomingBy: 'date',
  endsBy: 'fin',
  picture: { column: 'image_url', accepts: ['image_url'], label: 'Image de présentation' },
  gallery: { column: 'images', label: 'Images de détail', max: 30 },
  folder: 'images',
  texts: textsOf('Événement', 'cet événement', 'un événement'),
});

export const benefits = contentKind({
  path: '/avantage',
  table: 'avantage',
  label: 'Avantage',
  plural: 'Avantages',
  byId: {
    title: 'Modifier les informations de l’avantage',
    page: '/avantage-modify',
    seenAt: '/avantage-detail/',
    leadsTo: null,
  },
  readableBy: 'anyone',
  fields: {
    titre: line('Titre'),
    categorie: choice('Catégorie', BENEFIT_CATEGORIES),
    economie: field('line', false, 'Économie', 80),
    resume: paragraphs('Résumé', 2_000),
    description: byIdOnly(paragraphs('Description')),
    lien_article: byIdOnly(optionalAddress('Lien vers l’article')),
  },
  titledBy: 'titre',
  newestBy: 'date_publication',
  picture: { column: 'image_url', accepts: ['image_url'], label: 'Image' },
  folder: 'images_stages',
  texts: textsOf('Avantage', 'cet avantage', 'un avantage'),
});

export const minutes = contentKind({
  path: '/documents',
  table: 'documents',
  label: 'Compte rendu',
  plural: 'Comptes rendus',
  byId: {
    title: 'Modifier un compte rendu',
    page: '/compte-rendu-modify',
    leadsTo: '/portail?panneau=documents',
  },
  readableBy: ['admin', 'reader'],
  fields: { nom: line('Nom'), date_ajout: field('day', true, 'Date', 30) },
  titledBy: 'nom',
  newestBy: 'date_ajout',
  pdf: { column: 'url', label: 'Fichier PDF' },
  folder: 'doc_stage_formateur',
  texts: textsOf('Document', 'ce document', 'un document à supprimer'),
});

/** The kind of the people in the org chart, for the portal's forms and the bin. */
export const employees = {
  path: '/employes',
  createPath: '/create-employes',
  table: 'employes',
  label: 'Employé',
  plural: 'Employés',
  byId: {
    title: 'Modifier les informations de l’employé',
    page: '/employe-modify',
    seenAt: '/membres#employe-',
    leadsTo: '/portail',
  },
  fields: {
    prenom: line('Prénom', 100),
    nom: line('Nom', 100),
    poste: line('Poste'),
    role: choice('Rôle', ['Employé', 'Responsable']),
    manager_id: field('person', false, 'Responsable hiérarchique', 15),
    email: field('email', true, 'E-mail', 254),
    email_public: tick('Montrer l’e-mail sur le site'),
    telephone: field('phone', false, 'Téléphone', 50),
    telephone_public: tick('Montrer le téléphone sur le site'),
    photo_public: tick('Montrer la photo sur le site'),
  },
  titledBy: ['prenom', 'nom'],
  qualifiedBy: 'poste',
  hasWindow: false,
  picture: { column: 'photo', accepts: ['photo'], label: 'Photo', isSquare: true },
  folder: 'images_stages',
  texts: {
    ...textsOf('Employé', 'cet employé', 'un employé'),
    notFound: 'Cette fiche n’existe pas ou n’existe plus.',
    stale: 'Cette fiche a été modifiée entre-temps par quelqu’un d’autre.',
    confirmDeletion: 'Êtes-vous sûr de vouloir supprimer cet employé ?',
    consequence: 'Son équipe montera d’un niveau dans l’organigramme.',
  },
} as const satisfies ItemKind;

export const KINDS: readonly ContentKind[] = [news, featured, partners, events, benefits, minutes];

export const ITEM_KINDS: readonly ItemKind[] = [...KINDS, employees];

/** The name of a kind in addresses and in the journal: `actualites`, `alaune`… */
export function genreOf(kind: ItemKind): string {
  return kind.path.slice(1);
}

export function kindOfGenre(genre: string): ItemKind | undefined {
  return ITEM_KINDS.find((kind) => genreOf(kind) === genre);
}

export function titleOf({ titledBy }: ItemKind, item: Record<string, unknown>): string {
  return [titledBy]
    .flat()
    .map((name) => String(item[name] ?? ''))
    .join(' ');
}

/** The columns that every content kind has beside its own fields. */
export type Envelope = {
  id: number;
  created_at: string;
  /** `publie_du`, or the creation when no start was set. */
  date_publication: string;
  publie_du: string | null;
  publie_au: string | null;
  /** 1: a draft, which staff alone see; else 0. */
  brouillon: number;
  version: number;
};

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
  page: number;
  /** The text around the first word found, with … where it was cut. */
  extrait: string;
}

/** An item as answered in a list; `passages` where its PDF was searched. */
export type ListItem<K extends ContentKind> = Omit<Item<K>, LeftOut<K>> &
  (K extends { pdf: PdfField } ? { passages?: Passage[] } : unknown);
