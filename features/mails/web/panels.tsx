import type { StayTab } from '#features/stays/web/stayPage.tsx';
import { lazyPage, type Panel } from '#platform/web/pages.tsx';

export const mailsPanels: readonly Panel[] = [
  {
    key: 'codes-envoyer',
    group: 'E-mails',
    label: 'Envoyer les codes',
    words: 'mot de passe perdu renvoyer identifiants accès familles directeurs courriel',
    place: 210,
    Component: lazyPage(async () => (await import('./SendCodesPanel.tsx')).SendCodesPanel),
  },
  {
    key: 'familles-ecrire',
    group: 'E-mails',
    label: 'Écrire aux familles',
    words: 'message prévenir parents annonce courriel directeurs car départ retard rappel',
    place: 205,
    Component: lazyPage(async () => (await import('./SendCodesPanel.tsx')).FamilyWordPanel),
  },
  {
    key: 'etiquettes',
    group: 'E-mails',
    label: 'Étiquettes à imprimer',
    words: 'papier imprimer QR code distribuer coupons',
    place: 220,
    Component: lazyPage(async () => (await import('./SlipsPanel.tsx')).SlipsPanel),
  },
  {
    key: 'ecrire',
    group: 'E-mails',
    rights: ['contenus', 'sejours'],
    label: 'Écrire un e-mail',
    words: 'courriel message familles prévenir',
    place: 260,
    Component: lazyPage(async () => (await import('./WritePanel.tsx')).WritePanel),
  },
  {
    key: 'envois',
    group: 'E-mails',
    label: 'E-mails envoyés',
    words: 'courriels refusés rebond adresse fausse échec non reçus',
    place: 270,
    Component: lazyPage(async () => (await import('./MailingsPanel.tsx')).MailingsPanel),
  },
];

export const mailTabs: readonly StayTab[] = [
  {
    key: 'codes',
    label: 'Codes',
    place: 30,
    Component: lazyPage(async () => (await import('./SendCodesPanel.tsx')).StayCodes),
  },
  {
    key: 'etiquettes',
    label: 'Étiquettes',
    place: 60,
    Component: lazyPage(async () => (await import('./SlipsPanel.tsx')).Slips),
  },
];
