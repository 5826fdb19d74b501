/*
 * The codes of mails on the wire, with their French labels. Free of zod, so that browsers need not load it.
 */

export const MAIL_KINDS = {
  codes: 'Codes d’accès',
  perdu: 'Mot de passe perdu',
  essai: 'Essai',
  libre: 'E-mail',
  mot: 'Message',
  soir: 'Message du soir',
  fin: 'Fin des photos',
  contact: 'Message de contact',
  alerte: 'Alerte du site',
  connexion: 'Nouvelle connexion',
  invitation: 'Invitation au portail',
} as const;
export type MailKind = keyof typeof MAIL_KINDS;

/** Sending state of a message; `echec` and `annule` are given up, until staff send a failed one again. */
export const MAIL_STATES = {
  attente: 'En attente',
  envoi: 'En cours d’envoi',
  envoye: 'Envoyé',
  echec: 'Échec',
  annule: 'Annulé',
} as const;
export type MailState = keyof typeof MAIL_STATES;

/** Why a message could not be sent: French texts by wire code. */
export const MAIL_TROUBLES = {
  adresse_inconnue: 'adresse inconnue',
  domaine_inconnu: 'le nom après l’arobase n’existe pas',
  boite_pleine: 'boîte pleine',
  boite_fermee: 'boîte fermée',
  refuse: 'le fournisseur refuse ce message',
  ralentit: 'le fournisseur ralentit',
  coupe: 'la connexion a été coupée',
  injoignable: 'le serveur d’envoi ne répond pas',
  compte_refuse: 'le serveur d’envoi refuse le compte du site',
  expediteur_refuse: 'le serveur d’envoi refuse l’adresse du site',
  non_chiffre: 'le serveur d’envoi ne prouve pas son identité',
  plus_inscrite: 'cette adresse n’est plus inscrite au séjour',
  acces_coupe: 'l’accès de cette adresse est coupé',
  adresse_recente: 'cette adresse est inscrite depuis moins d’un jour, et personne ne l’a confirmée',
  arretee: 'cette adresse ne veut plus de ce message',
  rien_de_neuf: 'il n’y a plus rien de nouveau à annoncer',
  photos_finies: 'les photos de ce séjour ne sont plus en ligne',
  texte_efface: 'le texte du message est effacé',
  invitation_finie: 'cette invitation est retirée, acceptée ou remplacée',
  trop_tard: 'il attendait depuis trop longtemps',
  autre: 'refusé, sans raison claire',
} as const;
export type MailTrouble = keyof typeof MAIL_TROUBLES;
