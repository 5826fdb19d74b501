import { GROUPS, lazyPage, type Panel } from '#platform/web/pages.tsx';

export const staysPanels: readonly Panel[] = [
  {
    key: 'sejours',
    group: GROUPS.stays,
    label: 'Séjours',
    place: 140,
    Component: lazyPage(async () => (await import('./StaysPanel.tsx')).StaysPanel),
  },
  {
    key: 'directeurs',
    group: GROUPS.stays,
    label: 'Directeurs',
    place: 170,
    Component: lazyPage(async () => (await import('./directors/DirectorsPanel.tsx')).DirectorsPanel),
  },
  {
    key: 'sejours-affecter',
    group: GROUPS.stays,
    label: 'Affecter des séjours',
    place: 180,
    Component: lazyPage(async () => (await import('./directors/AssignPanel.tsx')).AssignPanel),
  },
  {
    key: 'familles',
    group: GROUPS.stays,
    label: 'Familles',
    place: 190,
    Component: lazyPage(async () => (await import('./families/FamiliesPanel.tsx')).FamiliesPanel),
  },
  {
    key: 'mots-de-passe',
    group: GROUPS.stays,
    label: 'Mots de passe',
    place: 200,
    Component: lazyPage(async () => (await import('./PasswordsPanel.tsx')).PasswordsPanel),
  },
  {
    key: 'livrets',
    group: GROUPS.stays,
    label: 'Livrets',
    place: 230,
    Component: lazyPage(async () => (await import('./booklets/BookletsPanel.tsx')).BookletsPanel),
  },
  {
    key: 'rapport',
    group: GROUPS.stays,
    label: 'Rapport d’un séjour',
    place: 240,
    Component: lazyPage(async () => (await import('./ReportPanel.tsx')).ReportPanel),
  },
];
