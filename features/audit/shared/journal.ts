/* What pages and the server agree on about the journal. Free of zod, so that browsers need not load it. */

export const JOURNAL_DAYS = 365;

/** Actions that staff are told of, as a thief of a session begins with them. */
export const WATCHED = {
  newAdmin: 'création d’un administrateur',
  rights: 'changement des droits d’un administrateur',
  allPasswords: 'téléchargement des mots de passe de tous les séjours',
  export: 'export de tout le site',
  lostToYoung: 'mot de passe perdu, refusé à une adresse ajoutée depuis moins d’un jour',
  lostToAdded: 'mot de passe perdu, envoyé à une adresse ajoutée depuis peu',
} as const;

/** What the line about a new passkey says, of the instant that the passkey bears. */
export const NEW_PASSKEY = 'ajout d’une clé d’accès';

export const FIRST_ADMIN = 'création du premier administrateur';

/** Asks for the lines that are about no table, in the place of its name. */
export const NO_TABLE = 'aucun';
