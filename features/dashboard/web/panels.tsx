import { lazyPage, type Panel } from '#platform/web/pages.tsx';

export const dashboardPanels: readonly Panel[] = [
  {
    key: 'accueil',
    group: 'Accueil',
    label: 'Accueil du portail',
    words: 'tableau de bord alerte à faire préparer l’été premiers pas contenu d’exemple visites aide',
    place: 10,
    Component: lazyPage(async () => (await import('./HomePanel.tsx')).HomePanel),
  },
  {
    key: 'sante',
    group: 'Réglages et santé',
    label: 'Santé du site',
    words:
      'version mise à jour sauvegarde copie disque place espace base de données état technique panne bug problème lent marche fonctionne serveur erreur',
    place: 315,
    Component: lazyPage(async () => (await import('./HomePanel.tsx')).HealthPanel),
  },
  {
    key: 'journal',
    group: 'Réglages et santé',
    label: 'Journal',
    words:
      'historique qui a fait quoi quand modifié changé supprimé ajouté effacé enfant modification suppression trace activité connexion coupable auteur',
    place: 320,
    Component: lazyPage(async () => (await import('./JournalPanel.tsx')).JournalPanel),
  },
];
