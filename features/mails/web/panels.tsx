import { GROUPS, lazyPage, type Panel } from '#platform/web/pages.tsx';

export const mailsPanels: readonly Panel[] = [
  {
    key: 'codes-envoyer',
    group: GROUPS.stays,
    label: 'Envoyer les codes',
    place: 210,
    Component: lazyPage(async () => (await import('./SendCodesPanel.tsx')).SendCodesPanel),
  },
  {
    key: 'etiquettes',
    group: GROUPS.stays,
    label: 'Étiquettes à imprimer',
    place: 220,
    Component: lazyPage(async () => (await import('./SlipsPanel.tsx')).SlipsPanel),
  },
  {
    key: 'ecrire',
    group: GROUPS.administration,
    label: 'Écrire un e-mail',
    place: 260,
    Component: lazyPage(async () => (await import('./WritePanel.tsx')).WritePanel),
  },
  {
    key: 'envois',
    group: GROUPS.administration,
    label: 'E-mails envoyés',
    place: 270,
    Component: lazyPage(async () => (await import('./MailingsPanel.tsx')).MailingsPanel),
  },
];
