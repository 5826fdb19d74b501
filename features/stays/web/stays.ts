import type { CallKey, ReplyOf } from '#platform/shared/call.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import { folded } from '#platform/shared/fold.ts';
import type { Question } from '#platform/shared/page.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { panelAddress } from '#platform/web/portal.ts';
import type { AskedQuestion } from '#platform/web/questions.ts';
import { dayOf } from '#platform/web/ui/texts.ts';
import type { Viewer } from './sessions.ts';

/* Queries, groups, addresses and texts of stays, shared by all dropdowns and pages. */

export const STAYS = { key: 'GET /stages' } as const satisfies Question;
/** The stays with the numbers of their people, photos and evaluations, for staff. */
export const COUNTED_STAYS = { key: 'GET /stages-suivi' } as const satisfies Question;
export type CountedStay = ReplyOf<'GET /stages-suivi'>[number];
/** Lists longer than this have a filter; shorter ones are easy to scan. */
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

export type StayState = 'running' | 'coming' | 'past';

const GROUPS: Record<StayState, string> = { running: 'En cours', coming: 'À venir', past: 'Passés' };

/** The state of a stay on `today`; its first and last days are included. */
export function stateOf({ date_debut, date_fin }: NamedStay, today: string): StayState {
  if (date_fin < today) return 'past';
  return date_debut > today ? 'coming' : 'running';
}

/** Groups stays, given latest first, by state: current ones first, without empty groups. */
export function groupedStays<S extends NamedStay>(
  stays: readonly S[],
  today: string,
): { title: string; stays: S[] }[] {
  return (Object.keys(GROUPS) as StayState[]).flatMap((state) => {
    const group = stays.filter((stay) => stateOf(stay, today) === state);
    // Soonest first; among past stays, latest first.
    const ordered = state === 'past' ? group : group.toReversed();
    return group.length > 0 ? [{ title: GROUPS[state], stays: ordered }] : [];
  });
}

export function matchingStays<S extends NamedStay>(stays: readonly S[], typed: string, locale: string): S[] {
  return stays.filter((stay) => folded(stayLabel(stay, locale)).includes(folded(typed)));
}

/** Says that the photos, families and passwords of a stay were erased, and when. */
export function erasedText(since: string, locale: string, timeZone: string): string {
  const day = dayOf(since, locale, timeZone);
  return `Les photos de ce séjour ne sont plus en ligne\u202f: elles ont été effacées le ${day}, avec ses familles et ses mots de passe.`;
}

export function stayAddress(id: number, tab = 'enfants'): string {
  return `${panelAddress('sejours')}&sejour=${id}&onglet=${tab}`;
}

/** Address of the form on which staff change or add a stay. */
export function stayFormAddress(id: number | 'nouveau'): string {
  return id === 'nouveau' ? `${panelAddress('sejours')}&sejour=nouveau` : stayAddress(id, 'reglages');
}

export function childAddress({ id, stageId }: { id: number; stageId: number }): string {
  return `${stayAddress(stageId)}&enfant=${id}`;
}

export function directorAddress(id: number): string {
  return `${panelAddress('directeurs')}&directeur=${id}`;
}

/** The field of that form for the retention of photos. */
export const RETENTION_FIELD = 'conservation_jours';

export function retentionAddress(id: number): string {
  return `${stayFormAddress(id)}#${RETENTION_FIELD}`;
}

export function photosAddress(id: number): string {
  return `/photos-modify/${id}`;
}

/* Addresses of the panels of mails. */

export function mailingAddress(id: number): string {
  return `${panelAddress('envois')}&envoi=${id}`;
}

interface ChosenCodes {
  stageIds: readonly number[];
  type?: PasswordType;
  /** Sends only to those who have not been sent the current password. */
  isOnlyMissing?: boolean;
  /** Sends only to the families of these children. */
  children?: readonly number[];
}

export function sendCodesAddress({
  stageIds,
  type,
  isOnlyMissing = false,
  children = [],
}: ChosenCodes): string {
  return [
    withChildren(withStays('codes-envoyer', stageIds), children),
    ...(type ? [`type=${type}`] : []),
    ...(isOnlyMissing ? ['seulement=non_recus'] : []),
  ].join('&');
}

/** Where staff write to the families of a stay, or of some of its children. */
export function writeAddress(stageId: number, children: readonly number[] = []): string {
  return withChildren(withStays('familles-ecrire', [stageId]), children);
}

function withChildren(address: string, children: readonly number[]): string {
  return [address, ...children.map((id) => `enfant=${id}`)].join('&');
}

export function slipsAddress(stageIds: readonly number[]): string {
  return withStays('etiquettes', stageIds);
}

function withStays(panel: string, stageIds: readonly number[]): string {
  return [panelAddress(panel), ...stageIds.map((id) => `sejour=${id}`)].join('&');
}

/* Queries about one stay: for staff without `as`, else for who signed in to it or looks at it as a family. */

export type ManagedStay = Extract<ReplyOf<'GET /stages/:id'>, { version: number }>;

/** Interval in ms at which a page checks again whether the stay is still open to its viewer. */
export const STILL_OPEN = { every: () => 5 * 60_000 };

export function isStayId(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text);
}

/** Makes the question about one stay that has this key; who asks is `first`, unless it is said with the stay. */
export function aboutStay<K extends CallKey>(key: K, first?: Viewer) {
  return (id: number | string, as: Viewer | undefined = first) => ({ key, params: { id }, as });
}

export const stayQuestion = aboutStay('GET /stages/:id');
export const childrenQuestion = aboutStay('GET /get-stagiaires/:id');
export const directorsQuestion = aboutStay('GET /formateurs/by-stage/:id', 'stay');
export const reviewQuestion = aboutStay('GET /stages/:id/bilan', 'stay');
export const evaluationQuestion = aboutStay('GET /stages/:id/evaluation');
export const dayWordsQuestion = aboutStay('GET /stages/:id/jours', 'stay');

export function bookletsQuestion(stageId: number, as: Viewer) {
  return { key: 'GET /livrets', query: { stageId }, as } as const satisfies AskedQuestion;
}

export const BOOKLETS = { key: 'GET /livrets-suivi' } as const satisfies Question;
export type Booklet = ReplyOf<'GET /livrets-suivi'>[number];

export const STAYS_ADDRESS = panelAddress('sejours');

export function familyViewAddress(id: number): string {
  return `/stage-details/${id}`;
}

/** « 12 enfants, 1 directeur »; zero is worded as well. */
export function peopleOf({ familles, directeurs }: Pick<CountedStay, 'familles' | 'directeurs'>): string {
  const count = (number: number, none: string, one: string) =>
    number === 0 ? none : `${number} ${one}${number > 1 ? 's' : ''}`;
  const children = count(familles, 'aucun enfant', 'enfant');
  return `${children}, ${count(directeurs, 'aucun directeur', 'directeur')}`;
}
