import type { Generated } from 'kysely';
import type { MailKind, MailState, MailTrouble } from '#platform/shared/mails.ts';
import type { PasswordType, Role } from '#platform/shared/roles.ts';

/*
 * The tables of the platform: one interface each, names are the wire's. Instants are ISO text in UTC. A feature adds its own
 * by merging into `Tables`, in its `server/tables.ts`.
 */

interface SessionsTable {
  id: Generated<number>;
  /** SHA-256 of the token, in hexadecimal; the token itself is nowhere. */
  empreinte: string;
  role: Role;
  admin_id: number | null;
  stage_id: number | null;
  created_at: string;
  expire_le: string;
  /** 1: a family that has answered the questionnaire. */
  evaluation_faite: Generated<number>;
}

export interface TentativesTable {
  /** Keyed hash of what is counted: no address is readable here. */
  cle: string;
  echecs: number;
  attendre_jusqua: string;
  dernier_le: string;
}

export interface FichiersTable {
  nom: string;
  dossier: string;
  /** Table and id of the row that holds the file. */
  objet: string;
  objet_id: number;
  type: string;
  taille: number;
  sha256: string;
  /** Widths that exist beside the largest, `320;720`; blank until they are made. */
  largeurs: string;
  /** Of photos: what a ZIP says of its files. */
  crc32: Generated<number | null>;
  created_at: string;
  /** When it was last read again; blank: never. */
  verifie_le: Generated<string>;
  /** Since when its readings find it damaged or missing. */
  abime_le: Generated<string | null>;
}

interface JobsTable {
  id: Generated<number>;
  nom: string;
  charge: string;
  essais: number;
  /** The lower goes first, whichever was added before. */
  rang: Generated<number>;
  a_faire_le: string;
  /** Until then a worker has it; past that it died with it and another may take it. */
  pris_jusqua: string | null;
  erreur: string | null;
  created_at: string;
}

interface PlanificationsTable {
  nom: string;
  prochaine_le: string;
  derniere_le: string | null;
  /** Its last run that came to its end; until there is one, its first try. */
  reussie_le: Generated<string | null>;
}

/** Mails of one kind that were asked for together. */
export interface EnvoisTable {
  id: Generated<number>;
  genre: MailKind;
  /** Whose codes; null for other mails. */
  type: PasswordType | null;
  /** Random: what its sealed texts and the numbers of its messages are made with. */
  cle: string;
  /** What staff wrote, `{objet, texte}`, sealed; blank when there is nothing, or nothing any longer. */
  contenu: string;
  acteur: string;
  admin_id: number | null;
  created_at: string;
}

/** A message to one address. What it says is put together when it leaves or is read. */
export interface EnvoisMessagesTable {
  id: Generated<number>;
  envoi_id: number;
  /** The stay whose code it brings. */
  stage_id: number | null;
  /** The contact message that it brings. */
  contact_id: number | null;
  destinataire: string;
  /** The address folded to one case. */
  cle_destinataire: string;
  /** The lane that it leaves by: of its provider, or the one of all others. */
  voie: string;
  /** The lowest first: whoever asks for one message does not wait behind a thousand. */
  rang: number;
  etat: MailState;
  essais: Generated<number>;
  /** Since it was written, or since staff last sent it again. */
  attend_depuis: string;
  a_envoyer_le: string;
  /** Until then the sender has it; past that it died with it. */
  pris_jusqua: string | null;
  erreur: MailTrouble | null;
  /** What the mail server answered, cut short. */
  reponse: string | null;
  /** Keyed hash of the password that it brought, once it has left. */
  mdp_empreinte: string | null;
  created_at: string;
  /** Since when it is sent or given up. */
  termine_le: string | null;
}

/** A lane of mails; the one called `relais` is the mail server itself, which all go through. */
interface EnvoisVoiesTable {
  nom: string;
  /** Nothing leaves by it before. */
  libre_le: string;
  /** How many times in a row it asked to wait. */
  reculs: Generated<number>;
  erreur: MailTrouble | null;
  depuis: string | null;
}

/** How many messages left in an hour: the day's limit holds whatever is deleted meanwhile. */
interface EnvoisHeuresTable {
  /** `2026-06-20T09`, UTC. */
  heure: string;
  nombre: number;
}

/** One row: when the site last looked whether photos are over, by a clock that it believed. */
interface HorlogeTable {
  id: number;
  vue_le: string;
}

/** How much there was of something in an hour; see `platform/server/http/spikes.ts`. */
interface RafalesTable {
  genre: string;
  /** Whose; blank: everybody's together. */
  cle: string;
  /** `2026-06-20T09`, UTC. */
  heure: string;
  nombre: number;
}

export interface Tables {
  sessions: SessionsTable;
  tentatives: TentativesTable;
  fichiers: FichiersTable;
  jobs: JobsTable;
  planifications: PlanificationsTable;
  envois: EnvoisTable;
  envois_messages: EnvoisMessagesTable;
  envois_voies: EnvoisVoiesTable;
  envois_heures: EnvoisHeuresTable;
  horloge: HorlogeTable;
  rafales: RafalesTable;
}
