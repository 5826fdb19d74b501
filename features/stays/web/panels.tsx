import { lazyPage, type Panel } from '#platform/web/pages.tsx';
import type { StayTab } from './stayPage.tsx';

export const staysPanels: readonly Panel[] = [
  {
    key: 'sejours',
    group: 'Séjours',
    label: 'Séjours',
    words:
      'colonie colo camp vacances stage centre gîte numéro liste créer nouveau ajouter ouvrir modifier changer corriger nom date lieu adresse heure horaire départ arrivée retour urgence téléphone consignes informations infos pratiques prolonger durée des photos supprimer enlever fermer clôturer terminer annuler reporter été',
    place: 140,
    Component: lazyPage(async () => (await import('./StaysPanel.tsx')).StaysPanel),
  },
  {
    key: 'directeurs',
    group: 'Familles et directeurs',
    label: 'Directeurs',
    words:
      'formateur directrice animateur adjoint adjointe responsable encadrant équipe liste ajouter nouveau nouvelle supprimer remplacer modifier changer téléphone mail adresse contact séjour',
    place: 170,
    Component: lazyPage(async () => (await import('./directors/DirectorsPanel.tsx')).DirectorsPanel),
  },
  {
    key: 'sejours-affecter',
    group: 'Familles et directeurs',
    label: 'Affecter des séjours',
    words: 'directrice nommer attribuer assigner désigner qui dirige remplacer changer responsable animateur',
    place: 180,
    within: 'directeurs',
    Component: lazyPage(async () => (await import('./directors/AssignPanel.tsx')).AssignPanel),
  },
  {
    key: 'familles',
    group: 'Familles et directeurs',
    label: 'Familles',
    words:
      'enfant stagiaire participant jeune petit gamin frère sœur fratrie allergie sanitaire médical régime fils fille parent père mère papa maman séparés divorcés liste effectif adresse mail e-mail second deuxième droit à l’image photo autorisation parentale consentement accord refus inscrit inscrire inscription désinscrire désistement ajouter nouveau nouvel supprimer enlever retirer modifier changer corriger vient annuler fiche nom prénom',
    place: 190,
    Component: lazyPage(async () => (await import('./families/FamiliesPanel.tsx')).FamiliesPanel),
  },
  {
    key: 'mots-de-passe',
    group: 'Séjours',
    label: 'Mots de passe',
    words:
      'code d’accès identifiant mdp perdu oublié séjour famille parent directeur changer nouveau régénérer voir afficher connaître connexion',
    place: 200,
    within: 'sejours',
    Component: lazyPage(async () => (await import('./PasswordsPanel.tsx')).PasswordsPanel),
  },
  {
    key: 'livrets',
    group: 'Séjours',
    label: 'Livrets',
    words:
      'document PDF trousseau fiche sanitaire menu repas semaine allergie brochure programme liste affaires valise emporter bagages règlement convocation séjour ajouter déposer télécharger parent famille supprimer',
    place: 230,
    Component: lazyPage(async () => (await import('./booklets/BookletsPanel.tsx')).BookletsPanel),
  },
  {
    key: 'rapport',
    group: 'Séjours',
    label: 'Rapport d’un séjour',
    words:
      'bilan évaluation questionnaire sondage enquête satisfaction Excel export avis note commentaire retour parent famille directeur statistiques résultats réponses synthèse',
    place: 240,
    within: 'sejours',
    Component: lazyPage(async () => (await import('./ReportPanel.tsx')).ReportPanel),
  },
];

export const stayTabs: readonly StayTab[] = [
  {
    key: 'enfants',
    label: 'Enfants',
    place: 10,
    Component: lazyPage(async () => (await import('./families/FamiliesPanel.tsx')).Families),
  },
  {
    key: 'directeurs',
    label: 'Directeurs',
    place: 20,
    Component: lazyPage(async () => (await import('./directors/DirectorsPanel.tsx')).DirectorsPanel),
  },
  {
    key: 'livrets',
    label: 'Livrets',
    place: 50,
    Component: lazyPage(async () => (await import('./booklets/BookletsPanel.tsx')).BookletsOfStay),
  },
  {
    key: 'avis',
    label: 'Bilan et avis',
    place: 70,
    Component: lazyPage(async () => (await import('./ReportPanel.tsx')).Report),
  },
  {
    key: 'reglages',
    label: 'Réglages',
    place: 80,
    Component: lazyPage(async () => (await import('./StaysPanel.tsx')).StayToChange),
  },
];
