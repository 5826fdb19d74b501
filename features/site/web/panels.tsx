import { lazyPage, type Panel } from '#platform/web/pages.tsx';
import {
  FACTOR_LABEL,
  HEADCOUNT_LABEL,
  IDENTITY_FIELDS,
  IDLE_LABEL,
  STAYS_SHOWN_LABEL,
} from '../shared/identity.ts';

export const sitePanels: readonly Panel[] = [
  {
    key: 'messages',
    group: 'E-mails',
    rights: ['contenus', 'sejours'],
    label: 'Messages de contact',
    words: 'courrier reçu visiteurs répondre question',
    place: 280,
    Component: lazyPage(async () => (await import('./ContactPanel.tsx')).ContactPanel),
  },
  {
    key: 'reglages',
    group: 'Réglages et santé',
    label: 'Réglages',
    words:
      'identité nom de l’organisation adresse SIREN conservation des photos mot de passe des comptes rendus mentions légales hébergeur offres d’emploi délégué effectif nombre de salariés nos missions noms et dates des séjours numéros confidentialité double authentification obligatoire',
    place: 310,
    fields: [
      ...Object.entries(IDENTITY_FIELDS).map(([name, { label }]) => ({ name, label })),
      { name: 'effectif', label: HEADCOUNT_LABEL },
      { name: 'sejours_visiteurs', label: STAYS_SHOWN_LABEL },
      { name: 'portail_inactivite_heures', label: IDLE_LABEL },
      { name: 'second_facteur', label: FACTOR_LABEL },
    ],
    Component: lazyPage(async () => (await import('./SettingsPanel.tsx')).SettingsPanel),
  },
];
