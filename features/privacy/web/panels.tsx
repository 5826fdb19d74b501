import { EVERY_RIGHT } from '#platform/shared/roles.ts';
import { lazyPage, type Panel } from '#platform/web/pages.tsx';

export const privacyPanels: readonly Panel[] = [
  {
    key: 'donnees',
    group: 'Réglages et santé',
    label: 'Données personnelles',
    words:
      'RGPD CNIL droit à l’oubli effacer supprimer exporter une adresse e-mail mail famille parent personne accès aux données vie privée confidentialité désabonner désinscrire ne plus recevoir désinscription preuve d’effacement attestation',
    place: 290,
    rights: EVERY_RIGHT,
    Component: lazyPage(async () => (await import('./PersonalPanel.tsx')).PersonalPanel),
  },
];
