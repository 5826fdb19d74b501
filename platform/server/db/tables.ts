import type { Generated } from 'kysely';
import type { MailKind, MailState, MailTrouble } from '#platform/shared/mails.ts';
import type { PasswordType, Role } from '#platform/shared/roles.ts';

/*
 * The tables of the platform; names are wire names. Instants are ISO text in UTC. A feature adds its own tables by
 * merging into `Tables`, in its `server/tables.ts`.
 */

/** Features add columns of their own as well. */
export interface SessionsTable {
  id: Generated<number>;
  /** SHA-256 of the token, in hexadecimal; the token itself is stored nowhere. */
  empreinte: string;
  role: Role;
  admin_id: number | null;
  stage_id: number | null;
  created_at: string;
  expire_le: string;
  /** For admins: when they last gave their password, and their code where they have one. */
  prouve_le: Generated<string | null>;
  /** Where it was opened, `Firefox sur Windows`; blank: unknown. */
  appareil: Generated<string>;
  /** The shortened address that it was opened from. */
  reseau: Generated<string>;
  /** When it was last used, give or take `SEEN_MS`; null: not since it was opened. */
  vu_le: Generated<string | null>;
  /** It ends when it is not used for so long; null: it does not. */
  inactivite_minutes: Generated<number | null>;
  /** The link that opened it; null: a password did. */
  lien: Generated<string | null>;
}

/** Sessions that somebody ended, and why, until they would have ended by themselves. */
export interface SessionsFiniesTable {
  /** As in `SessionsTable`. */
  empreinte: string;
  motif: 'mot_de_passe' | 'fermee' | 'par_lien';
  expire_le: string;
}

export type QueueName = 'others' | 'photos' | 'mails';

export interface Tables {
  sessions: SessionsTable;
  sessions_finies: SessionsFiniesTable;
  tentatives: {
    /** Keyed hash of what is counted: no address is readable here. */
    cle: string;
    echecs: number;
    attendre_jusqua: string;
    dernier_le: string;
  };
  fichiers: {
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
    /** CRC-32 that a ZIP states for its files; for photos only. */
    crc32: Generated<number | null>;
    created_at: string;
    /** When its integrity was last checked; blank: never. */
    verifie_le: Generated<string>;
    /** Since when integrity checks have found it damaged or missing. */
    abime_le: Generated<string | null>;
  };
  jobs: {
    id: Generated<number>;
    nom: string;
    /** Its queue; see `platform/server/jobs/jobs.ts`. */
    file: Generated<QueueName>;
    /** The part of its queue that waits together: for a mail, the provider of its address. */
    voie: Generated<string>;
    /** The message that it sends: the job is deleted with it, and a message has one job at most. */
    message_id: Generated<number | null>;
    charge: string;
    essais: number;
    /** Priority: the lowest goes first, whichever was added before. */
    rang: Generated<number>;
    a_faire_le: string;
    /** End of the lease of the worker that has it; past that the worker counts as dead and another may take the job. */
    pris_jusqua: string | null;
    erreur: string | null;
    created_at: string;
  };
  planifications: {
    nom: string;
    /** Of the backup, which has no next run: until when the last one is kept, if that is later. */
    prochaine_le: string;
    derniere_le: string | null;
    /** When its last completed run ended; until there is one, when it was first tried. */
    reussie_le: Generated<string | null>;
  };
  /** A mailing: mails of one kind that were requested together. */
  envois: {
    id: Generated<number>;
    genre: MailKind;
    /** Type of the passwords that its mails bring; null for other mails. */
    type: PasswordType | null;
    /** Random key, part of the context of its sealed texts and of the ids of its messages. */
    cle: string;
    /** Texts that staff wrote, `{objet, texte}`, sealed; blank when there is none, or none any longer. */
    contenu: string;
    acteur: string;
    admin_id: number | null;
    created_at: string;
  };
  /** A message to one address. Its content is composed when it is sent or read. */
  envois_messages: {
    id: Generated<number>;
    envoi_id: number;
    /** The stay whose password it brings. */
    stage_id: number | null;
    /** The contact message that it forwards. */
    contact_id: number | null;
    destinataire: string;
    /** The address in lower case, for comparison. */
    cle_destinataire: string;
    etat: MailState;
    essais: Generated<number>;
    /** When it was written, or last sent again by staff. */
    attend_depuis: string;
    erreur: MailTrouble | null;
    /** Answer of the mail server, cut short. */
    reponse: string | null;
    /** Keyed hash of the password that it brought, once it is sent. */
    mdp_empreinte: string | null;
    created_at: string;
    /** When it was sent or given up. */
    termine_le: string | null;
  };
  /** A mail provider that has to be spared; the one called `relais` is the site's own mail server, for all messages. */
  envois_voies: {
    nom: string;
    /** Nothing is sent to it before this instant. */
    libre_le: string;
    /** Number of backoffs in a row. */
    reculs: Generated<number>;
    erreur: MailTrouble | null;
    depuis: string | null;
  };
  /** Number of messages sent in an hour, kept apart so that the daily limit holds whatever is deleted meanwhile. */
  envois_heures: {
    /** `2026-06-20T09`, UTC. */
    heure: string;
    nombre: number;
  };
  /** What was created with a key, for a day; see `platform/server/http/once.ts`. */
  creations: {
    cle: string;
    demande: string;
    /** Sealed by the key that was presented; null between the creation and its answer. */
    reponse: string | null;
    created_at: string;
  };
  /** One row: when the site last checked, by a clock it trusted, whether photos have expired. */
  horloge: {
    id: number;
    vue_le: string;
  };
  /** Hourly counts of events, to detect spikes; see `platform/server/countsStore.ts`. */
  rafales: {
    genre: string;
    /** The address, account or thing that is counted; blank: everybody together. */
    cle: string;
    /** `2026-06-20T09`, UTC. */
    heure: string;
    nombre: number;
  };
}

/** The columns that identify a row of each table, in an order in which tables can be written. */
export type TableKeys = {
  [Name in keyof Tables]: readonly [keyof Tables[Name] & string, ...(keyof Tables[Name] & string)[]];
};

/** Keys of the platform's tables; these reference tables of features, never the reverse. */
export const platformTables = {
  sessions: ['id'],
  sessions_finies: ['empreinte'],
  tentatives: ['cle'],
  creations: ['cle'],
  fichiers: ['nom'],
  planifications: ['nom'],
  horloge: ['id'],
  rafales: ['heure', 'genre', 'cle'],
  envois: ['id'],
  envois_messages: ['id'],
  envois_voies: ['nom'],
  envois_heures: ['heure'],
  jobs: ['id'],
} satisfies Partial<TableKeys>;
