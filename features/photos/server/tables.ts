import type { Generated } from 'kysely';
import type { PhotoState, PhotoVersion } from '#features/photos/shared/terms.ts';

/* The tables of this feature: one interface each, names are the wire's. Instants are ISO text in UTC. */

/** A photo, from the moment its file has come whole. */
export interface PhotosTable {
  id: Generated<number>;
  stage_id: number;
  /** SHA-256 of the file as it was taken, unique in its stay: the same file is the same photo. */
  empreinte: string;
  statut: PhotoState;
  /** The best that has come. */
  version: PhotoVersion;
  /** Why a person refused it. */
  motif: Generated<string>;
  /** Why its file, or its full version, could not be made into a photo. */
  refus: Generated<string>;
  /** Name of the file as it was sent; blank once the photo is prepared. */
  nom_envoye: Generated<string>;
  /** Random: what the names of its files begin with; null until it is prepared. */
  nom: string | null;
  /** 1: prepared from its full version. */
  a_jpeg: Generated<number>;
  jour: string;
  /** The moment on the clock of who took it. */
  prise_le: string;
  legende: Generated<string>;
  largeur: Generated<number>;
  hauteur: Generated<number>;
  apercu: Generated<string>;
  /** Of its files, what waits for preparation included. */
  octets: Generated<number>;
  /** From when families see it, once it is `publiee`; may be to come. */
  publiee_le: string | null;
  /** Of its last change, among those of its stay. */
  numero: number;
  /** Of the change since which families see it no longer; 0: they never lost it. */
  cachee: Generated<number>;
  created_at: string;
  modifie_le: string;
}

/** Counts the changes of a stay's photos and words, so that whoever looks at them asks for what is new only. */
interface PhotosFluxTable {
  stage_id: number;
  numero: number;
  /** The last change of what families see. */
  vu: number;
}

/** Photos that were erased, so that pages which show them are told to take them away. */
interface PhotosEffaceesTable {
  photo_id: number;
  stage_id: number;
  /** Of the change that erased it. */
  numero: number;
  /** As of a photo. */
  cachee: number;
}

/** Photos on their way; what has come of each is files of the register. */
export interface PhotosEnvoisTable {
  id: Generated<number>;
  /** Stay and random name, as in its address. */
  nom: string;
  stage_id: number;
  /** SHA-256 of the full version. */
  empreinte: string;
  /** JSON of what was said of the file. */
  annonce: string;
  /** In bytes: of the whole file, and what has come of it. */
  taille: number;
  recu: Generated<number>;
  modifie_le: string;
}

/** A removal that somebody asked for. */
interface PhotosRetraitsTable {
  id: Generated<number>;
  photo_id: number;
  /** The sign-in, which may have ended since: not a reference. */
  session_id: number;
  mot: string;
  /** 1 when it hid the photo at once. */
  a_masque: Generated<number>;
  created_at: string;
  /** Since when a person has decided. */
  traite_le: string | null;
}

/** Photos to be downloaded together, for a day. */
interface PhotosSelectionsTable {
  cle: string;
  stage_id: number;
  session_id: number;
  /** JSON array of photo ids. */
  ids: string;
  created_at: string;
}

/** When a sign-in first opened a photo: kept as long as the photo, for the day when a password has leaked. */
export interface PhotosOuverturesTable {
  photo_id: number;
  session_id: number;
  /** Shortened. */
  ip: string;
  ouverte_le: string;
}

/** What the directors of a stay say of one of its days. */
interface JoursTable {
  stage_id: number;
  jour: string;
  mot: string;
  modifie_le: string;
}

/**
 * That somebody confirmed that the families of a stay agree to photos; once those are erased, the proof of it, with
 * counts and without names.
 */
interface AttestationsTable {
  id: Generated<number>;
  stage_id: number;
  nom_stage: string;
  date_debut: string;
  date_fin: string;
  /** Which wording was confirmed. */
  formulaire: string;
  atteste_le: string;
  acteur: string;
  /** How many children had said what, counted when they were erased; null until then. */
  oui: number | null;
  non: number | null;
  inconnu: number | null;
  /** How many photos were erased. */
  photos: number | null;
  efface_le: string | null;
}

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    photos: PhotosTable;
    photos_flux: PhotosFluxTable;
    photos_effacees: PhotosEffaceesTable;
    photos_retraits: PhotosRetraitsTable;
    photos_envois: PhotosEnvoisTable;
    photos_selections: PhotosSelectionsTable;
    photos_ouvertures: PhotosOuverturesTable;
    jours: JoursTable;
    attestations: AttestationsTable;
  }
}
