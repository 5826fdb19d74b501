import type { StayTab } from '#features/stays/web/stayPage.tsx';
import { photosAddress } from '#features/stays/web/stays.ts';
import { type ItemPanel, lazyPage, type Panel } from '#platform/web/pages.tsx';

export const photosPanels: readonly Panel[] = [
  {
    key: 'photos',
    group: 'Photos',
    label: 'Photos d’un séjour',
    words:
      'vérifier valider modérer tourner pivoter gênante attente trier accepter refuser publier dépublier image album galerie retrait retirer enlever supprimer effacer masquer cacher flouter visage enfant parent demande droit à l’image légende télécharger ajouter envoyer voir jour camp colo',
    place: 250,
    Component: lazyPage(async () => (await import('./PhotosPanel.tsx')).PhotosPanel),
  },
];

export const photoItemPanels: readonly ItemPanel[] = [
  {
    path: '/photos-modify',
    panel: 'photos',
    Component: lazyPage(async () => (await import('./PhotosPage.tsx')).PhotosPage),
  },
];

export const photoTabs: readonly StayTab[] = [
  { key: 'photos', label: 'Photos', right: 'photos', place: 40, addressOf: photosAddress },
];
