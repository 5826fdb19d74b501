import { type NamedStay, stateOf } from '#features/stays/web/stays.ts';
import { daysBetween } from '#platform/shared/time.ts';

/** Where a stay stands today, in a few words. */
export function progressOf(stay: NamedStay, today: string): string {
  const state = stateOf(stay, today);
  if (state === 'past') return 'Séjour terminé';
  if (state === 'running') {
    const day = daysBetween(stay.date_debut, today) + 1;
    return `En ce moment\u202f: jour ${day} sur ${daysBetween(stay.date_debut, stay.date_fin) + 1}`;
  }
  const left = daysBetween(today, stay.date_debut);
  return left === 1 ? 'Commence demain' : `Commence dans ${left}\u00a0jours`;
}
