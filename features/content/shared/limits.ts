/* What pages tell and the server enforces, once for both. Free of zod and of the kinds, which public pages need not load. */

export const SKIPPED_MAX = 100_000;

/** Days that a deleted item stays in the bin before it and its files are erased. */
export const BIN_DAYS = 30;

/**
 * What benefits are about, in the order in which visitors choose among them; the first is for those of which staff say
 * nothing.
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
