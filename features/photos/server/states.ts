import { PHOTO_STATES, type PhotoState } from '#features/photos/shared/terms.ts';
import type { Access } from '#platform/server/db/open.ts';
import { seenAt } from './store.ts';
import type { StateWrite } from './tables.ts';

/** A way in which a photo changes state. */
interface Transition {
  /** States that it leaves; `new`: the photo is made. */
  from: readonly (PhotoState | 'new')[];
  to: PhotoState;
  by: 'upload' | 'job' | 'person' | 'family' | 'restore';
  /** What else changes with the state, besides `numero` and `modifie_le`: in words, done by those who ask for it. */
  effects: string;
}

/**
 * Of every state: whether its photos are prepared, so that a person decides on them, and whether a decision or a request
 * keeps them from families.
 */
const STATES: Record<PhotoState, { isPrepared: boolean; isHidden: boolean }> = {
  recue: { isPrepared: false, isHidden: false },
  a_verifier: { isPrepared: true, isHidden: false },
  publiee: { isPrepared: true, isHidden: false },
  refusee: { isPrepared: true, isHidden: true },
  retiree: { isPrepared: true, isHidden: true },
  illisible: { isPrepared: false, isHidden: false },
};
const PREPARED = (Object.keys(PHOTO_STATES) as PhotoState[]).filter((state) => STATES[state].isPrepared);
/** States in which families see a photo, or will unless somebody hides it. */
const NOT_HIDDEN = PREPARED.filter((state) => !STATES[state].isHidden);

/**
 * Every change of a photo's state. The README of this feature draws this table, and a test compares both. A change of
 * `statut` that does not come from here does not compile (`StateWrite`).
 */
export const TRANSITIONS = {
  receive: {
    from: ['new', 'illisible'],
    to: 'recue',
    by: 'upload',
    effects: 'a job prepares the file',
  },
  prepare: {
    from: ['recue', 'illisible'],
    to: 'a_verifier',
    by: 'job',
    effects: 'its sizes are registered, the received file is erased',
  },
  fail: {
    from: ['recue', 'illisible'],
    to: 'illisible',
    by: 'job',
    effects: '`refus` says why; the received file is erased',
  },
  publish: {
    from: PREPARED,
    to: 'publiee',
    by: 'person',
    effects:
      '`publiee_le` is now, a time to come, or the time at which it was published before; removal requests are closed, once somebody has read them',
  },
  refuse: {
    from: PREPARED,
    to: 'refusee',
    by: 'person',
    effects: '`motif` says why; `publiee_le` is cleared; removal requests are closed',
  },
  recheck: {
    from: PREPARED,
    to: 'a_verifier',
    by: 'person',
    effects: '`publiee_le` is cleared; removal requests wait on',
  },
  takeDown: {
    from: PREPARED,
    to: 'retiree',
    by: 'person',
    effects: '`publiee_le` and removal requests stay',
  },
  hideOnRequest: {
    from: NOT_HIDDEN,
    to: 'retiree',
    by: 'family',
    effects: 'the request waits for a person',
  },
  hideAgain: {
    from: NOT_HIDDEN,
    to: 'retiree',
    by: 'restore',
    effects: 'hidden also from families that saw it after the backup',
  },
  recheckAll: {
    from: ['publiee'],
    to: 'a_verifier',
    by: 'restore',
    effects: '`publiee_le` is cleared',
  },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof TRANSITIONS;

/** The state after a transition, where the photo is in a state that it leaves; empty where it is not. */
export function stateAfter(name: TransitionName, from: PhotoState): { statut?: StateWrite } {
  const transition: Transition = TRANSITIONS[name];
  return transition.from.includes(from) ? { statut: transition.to as StateWrite } : {};
}

/** New values of photos; undefined: unchanged. */
interface PhotoChanges {
  /** Photos in a state that it does not leave are not changed at all. */
  transition?: TransitionName | undefined;
  motif?: string | undefined;
  legende?: string | undefined;
  jour?: string | undefined;
  /** `at once` keeps a publication time that has already passed. */
  publiee_le?: string | null | 'at once' | undefined;
  /** The change number, from `numberChange`. */
  numero: number;
}

/** Changes photos, by id or all those of a stay; returns how many. */
export async function changePhotos(
  transaction: Access,
  which: { ids: readonly number[] } | { stageId: number },
  { transition: name, publiee_le, ...changes }: PhotoChanges,
  now: Date,
): Promise<number> {
  const at = now.toISOString();
  const transition: Transition | undefined = name && TRANSITIONS[name];
  const isHidden = transition !== undefined && (transition.to !== 'publiee' || publiee_le !== 'at once');
  const { numUpdatedRows } = await transaction
    .updateTable('photos')
    .set({ ...changes, modifie_le: at })
    .$if(transition !== undefined, (query) => query.set({ statut: transition?.to as StateWrite }))
    .$if(isHidden, (query) =>
      query.set((was) => ({
        cachee:
          name === 'hideAgain'
            ? changes.numero
            : was.case().when(seenAt(now)(was)).then(changes.numero).else(was.ref('cachee')).end(),
      })),
    )
    .$if(publiee_le === 'at once', (query) =>
      query.set(({ eb, ref }) => ({
        publiee_le: eb.case().when('publiee_le', '<=', at).then(ref('publiee_le')).else(at).end(),
      })),
    )
    .$if(publiee_le !== 'at once' && publiee_le !== undefined, (query) =>
      query.set({ publiee_le: publiee_le as string | null }),
    )
    .$if('ids' in which, (query) => query.where('id', 'in', 'ids' in which ? which.ids : []))
    .$if('stageId' in which, (query) => query.where('stage_id', '=', 'stageId' in which ? which.stageId : 0))
    .$if(transition !== undefined, (query) =>
      query.where(
        'statut',
        'in',
        (transition?.from ?? []).filter((state) => state !== 'new'),
      ),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** The table as a Mermaid state diagram, as the README shows it. */
export function drawTransitions(): string {
  const lines = Object.entries<Transition>(TRANSITIONS).flatMap(([name, { from, to, by }]) =>
    from.map((state) => `  ${state === 'new' ? '[*]' : state} --> ${to}: ${name} (${by})`),
  );
  return ['stateDiagram-v2', ...lines].join('\n');
}
