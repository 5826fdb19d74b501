/*
 * The states of a photo, on the wire and on screen: what every list, count, filter, query and screen asks of one. What a
 * new state needs stands in CONTRIBUTING.md. Free of zod, so that browsers need not load it.
 */

interface StateTraits {
  /** Its name on screen, for staff and directors. */
  label: string;
  /** Its filter on the shelf: its name, its label, and its place among the filters, those that need an action first. */
  filter: { name: string; label: string; place: number };
  /** What its photos wait for. */
  awaits: 'preparation' | 'decision' | undefined;
  /** Whether the sizes of its photos are made, so that a person decides on them. */
  isPrepared: boolean;
  /** Whether families see its photos, from their publication time on. */
  isPublic: boolean;
  /**
   * Whether a decision or a request keeps its photos from families. States before a decision keep them too, but are not
   * « hidden »: nobody chose that.
   */
  isHidden: boolean;
  /** Whether a family asked for it; a refusal, unlike it, is the choice of those who check photos. */
  isAsked: boolean;
  /** Whether the file cannot be made into a photo, for the reason in `refus`. */
  isUnreadable: boolean;
  /** Whether a person threw its photos away: only those who check photos see them, on their own. */
  isInBin: boolean;
}

const OTHERWISE = {
  awaits: undefined,
  isPrepared: false,
  isPublic: false,
  isHidden: false,
  isAsked: false,
  isUnreadable: false,
  isInBin: false,
} as const;

export const PHOTO_STATES = {
  /** Its file has arrived, and its sizes are being made. */
  recue: {
    ...OTHERWISE,
    label: 'En préparation',
    filter: { name: 'preparing', label: 'En préparation', place: 6 },
    awaits: 'preparation',
  },
  a_verifier: {
    ...OTHERWISE,
    label: 'À vérifier',
    filter: { name: 'toCheck', label: 'À vérifier', place: 1 },
    awaits: 'decision',
    isPrepared: true,
  },
  publiee: {
    ...OTHERWISE,
    label: 'Publiée',
    filter: { name: 'published', label: 'Visibles par les familles', place: 3 },
    isPrepared: true,
    isPublic: true,
  },
  refusee: {
    ...OTHERWISE,
    label: 'Écartée',
    filter: { name: 'refused', label: 'Écartées', place: 5 },
    isPrepared: true,
    isHidden: true,
  },
  /** Taken down, by a decision or by a removal request: families do not see it until a person decides. */
  retiree: {
    ...OTHERWISE,
    label: 'Retirée sur demande',
    filter: { name: 'removed', label: 'Retirées sur demande', place: 0 },
    isPrepared: true,
    isHidden: true,
    isAsked: true,
  },
  illisible: {
    ...OTHERWISE,
    label: 'Illisible',
    filter: { name: 'unreadable', label: 'Illisibles', place: 7 },
    isUnreadable: true,
  },
  /** Until it is put back or erased for good. */
  corbeille: {
    ...OTHERWISE,
    label: 'Dans la corbeille',
    filter: { name: 'bin', label: 'Corbeille', place: 9 },
    isHidden: true,
    isInBin: true,
  },
} as const satisfies Record<string, StateTraits>;
export type PhotoState = keyof typeof PHOTO_STATES;

export const STATES = Object.keys(PHOTO_STATES) as PhotoState[];

/** The states whose photos are so. */
const statesThat = (areSo: (traits: StateTraits) => boolean) =>
  STATES.filter((state) => areSo(PHOTO_STATES[state]));

export const AWAIT_PREPARATION = statesThat(({ awaits }) => awaits === 'preparation');
export const AWAIT_DECISION = statesThat(({ awaits }) => awaits === 'decision');
/** The states that a person gives to a photo: those of photos that are prepared. */
export type Decision = { [State in PhotoState]: PreparedOrNot<State> }[PhotoState];
type PreparedOrNot<State extends PhotoState> = (typeof PHOTO_STATES)[State]['isPrepared'] extends true
  ? State
  : never;
export const PREPARED = statesThat(({ isPrepared }) => isPrepared) as Decision[];
export const PUBLIC = statesThat(({ isPublic }) => isPublic);
export const UNREADABLE = statesThat(({ isUnreadable }) => isUnreadable);
export const IN_BIN = statesThat(({ isInBin }) => isInBin);
/** Counted as photos of their day, for those who check them. */
export const OF_DAY = statesThat(
  (one) => !one.isInBin && !one.isUnreadable && (one.isAsked || !one.isHidden),
);
/** A person or the site gave up photos in these states: no full version of them is awaited. */
export const GIVEN_UP = [...UNREADABLE, ...IN_BIN];
