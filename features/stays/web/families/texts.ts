import type { Child } from '#features/stays/families-calls.ts';
import type { Consent } from '#features/stays/shared/terms.ts';

/** What may be done with photos of a child, beside the name. */
export const CONSENT_TEXTS: Record<Consent, string> = {
  oui: 'Photos autorisées',
  non: 'Sans droit à l’image',
  inconnu: 'Accord inconnu',
};

/** « 24 enfants, dont 3 sans droit à l’image et 5 dont l’accord est inconnu ». */
export function countOf(children: readonly Child[]): string {
  const having = (consent: Consent) =>
    children.filter(({ consentement_image }) => consentement_image === consent).length;
  const [without, unknown] = [having('non'), having('inconnu')];
  const parts = [
    ...(without > 0 ? [`${without} sans droit à l’image`] : []),
    ...(unknown > 0 ? [`${unknown} dont l’accord est inconnu`] : []),
  ];
  return [childrenIn(children.length), parts.join(' et ')].filter(Boolean).join(', dont ');
}

export function childrenIn(count: number): string {
  return `${count} enfant${count > 1 ? 's' : ''}`;
}

export function nameOf({ prenom, nom }: Child): string {
  return `${prenom} ${nom}`;
}
