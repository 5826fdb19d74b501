import type { ColumnType, Generated } from 'kysely';
import type { TableKeys } from '#platform/server/db/tables.ts';
import type { PhotoState } from '../shared/states.ts';
import type { PhotoVersion, RemovalDecision } from '../shared/terms.ts';

/** A state that `states.ts` has found to be allowed; no other value is written to `statut`. */
export type StateWrite = PhotoState & { readonly allowed: unique symbol };

/** A photo, from the moment its first file has arrived in full. */
export interface PhotosTable {
  id: Generated<number>;
  stage_id: number;
  /** SHA-256 of the file as it was taken, unique in its stay: the same file is the same photo. */
  empreinte: string;
  /** Written by `states.ts` alone. */
  statut: ColumnType<PhotoState, StateWrite, StateWrite>;
  /** The best version that has arrived. */
  version: PhotoVersion;
  /** Why a person refused it. */
  motif: Generated<string>;
  /** Why its file, or its full version, could not be made into a photo. */
  refus: Generated<string>;
  /** Name of the file as it was sent; blank once the photo is prepared. */
  nom_envoye: Generated<string>;
  /** Random prefix of the names of its files; null until it is prepared. */
  nom: string | null;
  /** 1: prepared from its full version, with a JPEG of that one; read by `versions.ts`. */
  a_jpeg: Generated<number>;
  /** 1: prepared from its light version, with a JPEG of that one. */
  a_jpeg_leger: Generated<number>;
  /** When its full version was prepared; null: not yet, or before this was noted. */
  complete_le: Generated<string | null>;
  /** 1: prepared since the size of 480 pixels exists. */
  a_480: Generated<number>;
  jour: string;
  /** Capture time, on the photographer's clock, put right by the answer `horloge_id`. */
  prise_le: string;
  /** Sorts the photos of a day, before `id`: `prise_le` until a person moves the photo or one beside it. */
  rang: string;
  /**
   * Numbers in the name of its file, which sort photos that its camera took in one second (`orderBurst`); blank where the
   * camera tells them apart, or where nothing does.
   */
  suite: Generated<string>;
  /** Camera whose clock dated it, as `cameraName` writes it; blank: unknown. Never shown to families. */
  appareil: Generated<string>;
  /** What a person answered about the clock of its camera, in `photos_horloges`; null: nobody was asked. */
  horloge_id: Generated<number | null>;
  legende: Generated<string>;
  largeur: Generated<number>;
  hauteur: Generated<number>;
  apercu: Generated<string>;
  /** JSON of what people changed in it (`recipe.ts`); blank: nothing. */
  retouche: Generated<string>;
  /** Bytes of its files, those waiting for preparation included. */
  octets: Generated<number>;
  /** From when families see it, once it is `publiee`; may be in the future. */
  publiee_le: string | null;
  /** Number of its last change, among those of its stay. */
  numero: number;
  /** Number of the last change that hid it from families; 0: none did. */
  cachee: Generated<number>;
  /** When it was chosen on the device that sent it, on the clock of the site; null: the device did not say. */
  choisie_le: Generated<string | null>;
  /** When a person last ruled it out, whatever its state has become since; null: nobody did, or somebody took it back. */
  ecartee_le: Generated<string | null>;
  /** Who did, as the journal names them; blank: nobody, or nobody knows. */
  ecartee_par: Generated<string>;
  /** When it was put into the bin; null: it is not there. */
  jetee_le: Generated<string | null>;
  /** Who put it there, as the journal names them; blank: it is not there. */
  jetee_par: Generated<string>;
  /** From when the site erases it for good; null in the bin: once staff have confirmed that it may. */
  effacement_le: Generated<string | null>;
  created_at: string;
  modifie_le: string;
}

/** Uploads under way; the bytes received are in registered files. */
export interface PhotosEnvoisTable {
  id: Generated<number>;
  /** Stay id and random name, as in its URL. */
  nom: string;
  stage_id: number;
  /** Session that began it, and with which it ends; not a reference, as the session may have ended since. */
  session_id: number;
  /** SHA-256 of the full version. */
  empreinte: string;
  /** JSON of the tus metadata of the file. */
  annonce: string;
  /** Bytes of the whole file. */
  taille: number;
  /** Bytes received so far. */
  recu: Generated<number>;
  modifie_le: string;
}

/** A photo as it was before zones of it were blurred: one row a blur; its file is registered for this row. */
export interface PhotosAvantTable {
  id: Generated<number>;
  photo_id: number;
  /** Name of its file, the best one that there was. */
  nom: string;
  version: PhotoVersion;
  /** `retouche` of the photo before. */
  retouche: string;
  floutee_le: string;
  /** Who blurred it, as the journal names them. */
  floutee_par: string;
  /** From when the site erases it; null: once staff have answered. */
  effacement_le: string | null;
}

/** What a person answered about the clock of a camera, for the photos of a stay that refer to it. */
export interface PhotosHorlogesTable {
  id: Generated<number>;
  stage_id: number;
  appareil: string;
  /** Seconds by which `prise_le` of its photos was moved; 0: they were left as they are. */
  decalage: number;
  /** 1: photos of the camera whose capture time seemed right moved as well. */
  toutes: number;
  decide_le: string;
}

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    photos: PhotosTable;
    /** Change number of a stay's photos and words of the day, so that a viewer asks only for what is new. */
    photos_flux: {
      stage_id: number;
      numero: number;
      /** Number of the last change that families see. */
      vu: number;
    };
    /** Tombstones of erased photos, so that pages which show them are told to remove them. */
    photos_effacees: {
      photo_id: number;
      stage_id: number;
      /** Number of the change that erased it. */
      numero: number;
      /** As in `PhotosTable`. */
      cachee: number;
    };
    /** A request for the removal of a photo. */
    photos_retraits: {
      id: Generated<number>;
      photo_id: number;
      /** Session of the request; not a reference, as the session may have ended since. */
      session_id: number;
      mot: string;
      /** 1 when it hid the photo at once. */
      a_masque: Generated<number>;
      created_at: string;
      /** When a person decided; null until then. */
      traite_le: string | null;
    };
    /** What a person decided on a removal request, for the sign-in that made it; the photo may be erased since. */
    photos_reponses: {
      retrait_id: number;
      /** Not a reference, like the request and the session. */
      photo_id: number;
      stage_id: number;
      session_id: number;
      demande_le: string;
      decision: RemovalDecision;
      /** What the team wrote to the family; may be blank. */
      reponse: string;
      decide_le: string;
      /** When the family said that it had read it; null until then. */
      lue_le: string | null;
    };
    photos_envois: PhotosEnvoisTable;
    photos_avant: PhotosAvantTable;
    photos_horloges: PhotosHorlogesTable;
    /** A selection of photos to download together, valid for a day. */
    photos_selections: {
      cle: string;
      stage_id: number;
      session_id: number;
      /** JSON array of photo ids. */
      ids: string;
      created_at: string;
    };
    /** When a session first opened a photo: kept as long as the photo, for the day when a password has leaked. */
    photos_ouvertures: {
      photo_id: number;
      session_id: number;
      /** Shortened. */
      ip: string;
      ouverte_le: string;
    };
    /** The word that the directors of a stay write for one of its days. */
    jours: {
      stage_id: number;
      jour: string;
      mot: string;
      modifie_le: string;
    };
    /**
     * Confirmation by somebody that the families of a stay agree to photos; once the photos are erased, the proof of it,
     * with counts and without names.
     */
    attestations: {
      id: Generated<number>;
      stage_id: number;
      nom_stage: string;
      date_debut: string;
      date_fin: string;
      /** Which wording was confirmed. */
      formulaire: string;
      atteste_le: string;
      acteur: string;
      /** Numbers of children by image consent, counted when they were erased; null until then. */
      oui: number | null;
      non: number | null;
      inconnu: number | null;
      /** Number of photos erased; null until then. */
      photos: number | null;
      efface_le: string | null;
    };
  }
}

/** The columns that identify a row of each. */
export const photoTables = {
  photos: ['id'],
  photos_flux: ['stage_id'],
  photos_effacees: ['photo_id'],
  photos_retraits: ['id'],
  photos_reponses: ['retrait_id'],
  photos_horloges: ['id'],
  photos_envois: ['id'],
  photos_avant: ['id'],
  photos_selections: ['cle'],
  photos_ouvertures: ['photo_id', 'session_id'],
  jours: ['stage_id', 'jour'],
  attestations: ['id'],
} satisfies Partial<TableKeys>;
