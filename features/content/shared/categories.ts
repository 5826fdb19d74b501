/**
 * What benefits are about, in the order in which visitors choose among them; the first is for those of which staff say
 * nothing. Apart from the kinds, so that public pages need not load these.
 */
export const BENEFIT_CATEGORIES = [
  'Autre',
  'Culture et sorties',
  'Enfants et famille',
  'Santé et prévoyance',
  'Sport et bien-être',
  'Vacances et voyages',
  'Vie quotidienne',
] as const;
