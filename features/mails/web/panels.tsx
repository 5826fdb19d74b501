import type { StayTab } from '#features/stays/web/stayPage.tsx';
import { lazyPage, type Panel } from '#platform/web/pages.tsx';

export const mailsPanels: readonly Panel[] = [
  {
    key: 'codes-envoyer',
    group: 'E-mails',
    label: 'Envoyer les codes',
    words:
      'mot de passe mdp perdu oublié renvoyer envoi donner identifiant accès lien famille parent papa maman directeur courriel mail pas reçu recevoir connexion séjour invitation',
    place: 210,
    Component: lazyPage(async () => (await import('./SendCodesPanel.tsx')).SendCodesPanel),
  },
  {
    key: 'familles-ecrire',
    group: 'E-mails',
    label: 'Écrire aux familles',
    words:
      'mail courriel message parent papa maman directeur prévenir informer avertir annoncer annonce communiquer retard car départ rappel envoyer groupé groupe tout le monde circulaire newsletter contacter',
    place: 205,
    Component: lazyPage(async () => (await import('./SendCodesPanel.tsx')).FamilyWordPanel),
  },
  {
    key: 'etiquettes',
    group: 'E-mails',
    label: 'Étiquettes à imprimer',
    words:
      'papier imprimer impression imprimante QR code flasher distribuer donner coupon enfant famille sans mail enveloppe planche découper mot de passe fiche',
    place: 220,
    Component: lazyPage(async () => (await import('./SlipsPanel.tsx')).SlipsPanel),
  },
  {
    key: 'ecrire',
    group: 'E-mails',
    rights: ['contenus', 'sejours'],
    label: 'Écrire un e-mail',
    words:
      'mail courriel message famille parent papa maman directeur prévenir informer avertir annoncer retard envoyer groupé groupe tout le monde circulaire newsletter contacter relancer rappel',
    place: 260,
    Component: lazyPage(async () => (await import('./WritePanel.tsx')).WritePanel),
  },
  {
    key: 'envois',
    group: 'E-mails',
    label: 'E-mails envoyés',
    words:
      'mail courriel message envoi parti accusé réception refusé rebond retour revenu adresse fausse mauvaise invalide échec erreur pas non reçu famille parent spam historique suivi relancer renvoyer attente désabonné',
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
