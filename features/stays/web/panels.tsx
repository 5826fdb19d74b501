import { lazyPage, type Panel } from '#platform/web/pages.tsx';
import type { StayTab } from './stayPage.tsx';

export const staysPanels: readonly Panel[] = [
  {
    key: 'sejours',
    group: 'Séjours',
    label: 'Séjours',
    words: 'colonies camps vacances dates informations pratiques prolonger les photos',
    place: 140,
    Component: lazyPage(async () => (await import('./StaysPanel.tsx')).StaysPanel),
  },
  {
    key: 'directeurs',
    group: 'Familles et directeurs',
    label: 'Directeurs',
    words: 'formateurs responsables équipe',
    place: 170,
    Component: lazyPage(async () => (await import('./directors/DirectorsPanel.tsx')).DirectorsPanel),
  },
  {
    key: 'sejours-affecter',
    group: 'Familles et directeurs',
    label: 'Affecter des séjours',
    words: 'directeurs nommer',
    place: 180,
    within: 'directeurs',
    Component: lazyPage(async () => (await import('./directors/AssignPanel.tsx')).AssignPanel),
  },
  {
    key: 'familles',
    group: 'Familles et directeurs',
    label: 'Familles',
    words: 'enfants stagiaires parents adresses droit à l’image consentement inscrits',
    place: 190,
    Component: lazyPage(async () => (await import('./families/FamiliesPanel.tsx')).FamiliesPanel),
  },
  {
    key: 'mots-de-passe',
    group: 'Séjours',
    label: 'Mots de passe',
    words: 'codes d’accès identifiants mot de passe perdu séjour',
    place: 200,
    within: 'sejours',
    Component: lazyPage(async () => (await import('./PasswordsPanel.tsx')).PasswordsPanel),
  },
  {
    key: 'livrets',
    group: 'Séjours',
    label: 'Livrets',
    words: 'documents PDF trousseau',
    place: 230,
    Component: lazyPage(async () => (await import('./booklets/BookletsPanel.tsx')).BookletsPanel),
  },
  {
    key: 'rapport',
    group: 'Séjours',
    label: 'Rapport d’un séjour',
    words: 'bilan évaluation questionnaire Excel avis',
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
