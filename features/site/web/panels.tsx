import { lazyPage, type Panel } from '#platform/web/pages.tsx';
import { IDENTITY_FIELDS, SETTING_LABELS } from '../shared/identity.ts';

/** Other words for the settings. */
const WORDS: Record<string, string> = {
  organisation_nom: 'CSE comité association titre du site',
  organisation_adresse: 'CSE rue siège bureau déménagé locaux local coordonnées',
  organisation_telephone: 'CSE numéro coordonnées permanence appeler',
  organisation_email: 'CSE adresse courriel coordonnées',
  organisation_siren: 'SIRET numéro CSE',
  organisation_rna: 'numéro association',
  directeur_publication: 'mentions légales responsable du site',
  hebergeur_nom: 'mentions légales serveur hébergement',
  contact_donnees: 'DPO délégué à la protection',
  contact_email: 'mail réception notification',
  offres_emploi_url: 'recrutement poste lien menu',
  effectif: 'nombre de salariés nos missions 50 CSE',
  comptes_rendus_mot_de_passe: 'mdp CR PV code réunion lire salariés accès',
  sejours_visiteurs: 'noms et dates numéros cacher public connexion',
  sejours_lieu: 'lieu où cacher montrer familles',
  photos_conservation_jours: 'combien de temps durée rester restent garder visibles effacer prolonger délai',
  message_soir_heure: 'mail nouvelles photos notification quotidien familles désabonner désinscrire arrêter',
  portail_inactivite_heures: 'déconnexion automatique session inactivité durée expire',
  second_facteur: 'double authentification 2FA obligatoire sécurité',
};

export const sitePanels: readonly Panel[] = [
  {
    key: 'messages',
    group: 'E-mails',
    rights: ['contenus', 'sejours'],
    label: 'Messages de contact',
    words:
      'courrier mail reçu boîte réception lire visiteur salarié parent répondre réponse question demande formulaire',
    place: 280,
    Component: lazyPage(async () => (await import('./ContactPanel.tsx')).ContactPanel),
  },
  {
    key: 'reglages',
    group: 'Réglages et santé',
    label: 'Réglages',
    words:
      'paramètres configuration options préférences identité coordonnées organisation mentions légales politique de confidentialité bas de page pied de page logo image en-tête du site changer modifier',
    place: 310,
    fields: Object.entries({ ...IDENTITY_FIELDS, ...SETTING_LABELS }).map(([name, field]) => ({
      name,
      label: typeof field === 'string' ? field : field.label,
      words: WORDS[name],
    })),
    Component: lazyPage(async () => (await import('./SettingsPanel.tsx')).SettingsPanel),
  },
];
