import type { ReplyOf } from '#platform/shared/call.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import { folded } from '#platform/shared/fold.ts';
import type { Question } from '#platform/shared/page.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { dayOf } from '#platform/web/ui/texts.ts';

/** The stays as every dropdown and every page shows them. */

export const STAYS = { key: 'GET /stages' } as const satisfies Question;
/** With how many people and words each has, for staff. */
export const COUNTED_STAYS = { key: 'GET /stages-suivi' } as const satisfies Question;
export type CountedStay = ReplyOf<'GET /stages-suivi'>[number];
/** Logged when they cannot be loaded. */
export const STAYS_FAILED = 'Erreur lors de la récupération des séjours:';
/** As many as are looked through without typing. */
export const WORTH_FILTERING = 12;

export interface NamedStay {
  id: number;
  nom_stage: string;
  date_debut: string;
  date_fin: string;
}

/** « Été à Oléron — du 6 au 20 juillet 2026 ». */
export function stayLabel(stay: Omit<NamedStay, 'id'>, locale: string): string {
  return `${stay.nom_stage} — ${rangeOf(stay.date_debut, stay.date_fin, locale)}`;
}

type StayState = 'running' | 'coming' | 'past';

const GROUPS: Record<StayState, string> = { running: 'En cours', coming: 'À venir', past: 'Passés' };

/** Where a stay stands on `today`, both its days included. */
export function stateOf({ date_debut, date_fin }: NamedStay, today: string): StayState {
  if (date_fin < today) return 'past';
  return date_debut > today ? 'coming' : 'running';
}

/** The stays by where they stand, those of today first, without empty groups. They come the latest first. */
export function groupedStays<S extends NamedStay>(
  stays: readonly S[],
  today: string,
): { title: string; stays: S[] }[] {
  return (Object.keys(GROUPS) as StayState[]).flatMap((state) => {
    const group = stays.filter((stay) => stateOf(stay, today) === state);
    // The next one first; among past ones, the latest.
    const ordered = state === 'past' ? group : group.toReversed();
    return group.length > 0 ? [{ title: GROUPS[state], stays: ordered }] : [];
  });
}

/** The stays whose label holds what was typed. */
export function matchingStays<S extends NamedStay>(stays: readonly S[], typed: string, locale: string): S[] {
  return stays.filter((stay) => folded(stayLabel(stay, locale)).includes(folded(typed)));
}

/** Of a stay whose photos are over: what became of its people, and since when. */
export function erasedText(since: string, locale: string, timeZone: string): string {
  const day = dayOf(since, locale, timeZone);
  return `Les photos de ce séjour ne sont plus en ligne\u202f: elles ont été effacées le ${day}, avec ses familles et ses mots de passe.`;
}

/** Where staff change a stay, or make a new one. */
export function stayFormAddress(id: number | 'nouveau'): string {
  return `${panelAddress('sejours')}&sejour=${id}`;
}

/** The field of that form which says how long photos are kept. */
export const RETENTION_FIELD = 'conservation_jours';

/** Where staff change how long the photos of a stay are kept. */
export function retentionAddress(id: number): string {
  return `${stayFormAddress(id)}#${RETENTION_FIELD}`;
}

/** Where mails are seen to, for whatever leads there. */

export function mailingAddress(id: number): string {
  return `${panelAddress('envois')}&envoi=${id}`;
}

interface ChosenCodes {
  stageIds: readonly number[];
  type?: PasswordType;
  /** Only to whoever has not been sent the present password. */
  isOnlyMissing?: boolean;
}

/** The form that sends codes, with these stays ticked. */
export function sendCodesAddress({ stageIds, type, isOnlyMissing = false }: ChosenCodes): string {
  const chosen = [
    ...stageIds.map((id) => `sejour=${id}`),
    ...(type ? [`type=${type}`] : []),
    ...(isOnlyMissing ? ['seulement=non_recus'] : []),
  ];
  return [panelAddress('codes-envoyer'), ...chosen].join('&');
}
