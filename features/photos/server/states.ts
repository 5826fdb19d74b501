import type { Insertable, Updateable } from 'kysely';
import { spend, type Thing } from '#platform/server/budgets.ts';
import { type Access, insertedId } from '#platform/server/db/database.ts';
import { PHOTO_STATES, type PhotoState, PREPARED } from '../shared/states.ts';
import type { RemovalDecision } from '../shared/terms.ts';
import { closeRemovals } from './removalsStore.ts';
import { type PhotoRow, seenAt } from './store.ts';
import type { PhotosTable, StateWrite } from './tables.ts';

/*
 * Every change of a photo's state: the table of transitions, and what writes them. A value of `statut` from elsewhere
 * does not compile (`StateWrite`).
 *
 * A photo that a person ruled out stays ruled out in every state that it comes to: no change publishes it that does not
 * take it back in the same stroke, and one change takes back one photo.
 */

export type Transition = By & {
  /** States that it leaves; `new`: the photo is made. */
  from: readonly (PhotoState | 'new')[];
  to: PhotoState;
  effects: Effects;
};

/** `person`: a director or staff. `spends`: from their budget; throwing away is counted with the bin’s column. */
type By =
  | { by: 'person'; spends: Thing | null }
  | { by: 'upload' | 'job' | 'family' | 'restore'; spends?: never };

/**
 * What changes with the state, besides `numero`, `modifie_le` and `cachee`; absent: it stays as it is. Jobs and files
 * belong to those who ask for the transition.
 */
interface Effects {
  /** `given`: the time to come that is given, else now, unless the photo was published before. */
  publiee_le?: 'given' | null;
  motif?: 'given' | '';
  /** The answer with which open removal requests are closed. */
  requests?: RemovalDecision;
  /** Whom it hides the photo from: `everybody`, those too who saw it after the backup; absent: those who see it. */
  hides?: 'everybody';
  /** `confirmed`: it stays in the bin, and will be erased when it is given. */
  bin?: 'in' | 'confirmed' | 'out';
  /** Whether it rules the photo out. */
  isOut?: true;
}

/** States in which families see a photo, or will unless somebody hides it. */
const NOT_HIDDEN = PREPARED.filter((state) => !PHOTO_STATES[state].isHidden);

/** All transitions. The README of this feature draws this table, and a test compares both. */
export const TRANSITIONS = {
  // Somebody who sends a photo wants it to be there: it leaves the bin, and is prepared and checked again.
  receive: { from: ['new', 'illisible', 'corbeille'], to: 'recue', by: 'upload', effects: { bin: 'out' } },
  prepare: { from: ['recue', 'illisible'], to: 'a_verifier', by: 'job', effects: {} },
  fail: { from: ['recue', 'illisible'], to: 'illisible', by: 'job', effects: {} },
  publish: {
    from: PREPARED,
    to: 'publiee',
    by: 'person',
    spends: 'photosPubliees',
    effects: { publiee_le: 'given', motif: '', requests: 'gardee' },
  },
  refuse: {
    from: PREPARED,
    to: 'refusee',
    by: 'person',
    spends: 'photosCachees',
    effects: { publiee_le: null, motif: 'given', requests: 'retiree', isOut: true },
  },
  // Neither checking a photo again nor taking it down settles the requests for its removal: the decision is to come.
  recheck: {
    from: PREPARED,
    to: 'a_verifier',
    by: 'person',
    spends: 'photosCachees',
    effects: { publiee_le: null, motif: '' },
  },
  // The publication time stays: a photo that was taken down and is published again is not new.
  takeDown: { from: PREPARED, to: 'retiree', by: 'person', spends: 'photosCachees', effects: { motif: '' } },
  hideOnRequest: { from: NOT_HIDDEN, to: 'retiree', by: 'family', effects: {} },
  hideAgain: { from: NOT_HIDDEN, to: 'retiree', by: 'restore', effects: { hides: 'everybody' } },
  recheckAll: { from: ['publiee'], to: 'a_verifier', by: 'restore', effects: { publiee_le: null } },
  discard: {
    from: ['recue', 'illisible', ...PREPARED],
    to: 'corbeille',
    by: 'person',
    spends: null,
    effects: { publiee_le: null, motif: '', requests: 'retiree', bin: 'in' },
  },
  // Never published at once: somebody looks at it again.
  putBack: { from: ['corbeille'], to: 'a_verifier', by: 'person', spends: null, effects: { bin: 'out' } },
  confirm: {
    from: ['corbeille'],
    to: 'corbeille',
    by: 'person',
    spends: 'photosEffacees',
    effects: { bin: 'confirmed' },
  },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof TRANSITIONS;

export function leaves(name: TransitionName, from: PhotoState | 'new'): boolean {
  const transition: Transition = TRANSITIONS[name];
  return transition.from.includes(from);
}

function stateAfter(name: TransitionName): StateWrite {
  return TRANSITIONS[name].to as PhotoState as StateWrite;
}

/** Columns that only transitions write. */
type OfStates = 'statut' | 'publiee_le' | 'motif' | 'cachee' | keyof typeof NOT_IN_BIN | keyof typeof NOT_OUT;

const NOT_IN_BIN = { jetee_le: null, jetee_par: '', effacement_le: null };
const NOT_OUT = { ecartee_le: null, ecartee_par: '' };

export async function insertPhoto(
  transaction: Access,
  values: Omit<Insertable<PhotosTable>, OfStates | 'nom'>,
): Promise<number> {
  return insertedId(
    transaction
      .insertInto('photos')
      .values({ ...values, statut: stateAfter('receive'), nom: null, publiee_le: null }),
  );
}

type Columns = Omit<Updateable<PhotosTable>, OfStates>;
/** New values of a photo that come with its file; undefined: unchanged. */
export type FileChanges = { [column in keyof Columns]: Columns[column] | undefined };

/** Changes a photo with its file. The transition leaves a photo in other states where it is, and the rest changes. */
export async function updatePhoto(
  transaction: Access,
  { id, statut }: Pick<PhotoRow, 'id' | 'statut'>,
  changes: FileChanges,
  transition?: 'receive' | 'prepare' | 'fail',
): Promise<void> {
  const name = transition && leaves(transition, statut) ? transition : undefined;
  await transaction
    .updateTable('photos')
    .set({ ...changes, statut: name && stateAfter(name) })
    // No file brings a photo into the bin.
    .$if(name !== undefined, (query) => query.set(NOT_IN_BIN))
    .where('id', '=', id)
    .execute();
}

/** A change of photos; undefined: unchanged. */
interface PhotoChanges {
  /** Photos in a state that it does not leave are not changed at all. */
  transition?: TransitionName | undefined;
  /** A publication time to come, for `publish`; undefined: at once. */
  publiee_le?: string | undefined;
  /** The reason of `refuse`. */
  motif?: string | undefined;
  /** The answer to families that asked for a removal, where the transition closes their requests. */
  reponse?: string | undefined;
  /** Who throws the photos away or rules them out. */
  acteur?: string | undefined;
  /** A photo that was ruled out is so no longer; of one photo only. */
  isTakenBack?: boolean | undefined;
  /** When the photos are erased for good, for `discard` and `confirm`; null: once staff have confirmed it. */
  effacement_le?: string | null | undefined;
  legende?: string | undefined;
  jour?: string | undefined;
  /** The change number, from `numberChange`. */
  numero: number;
}

/** Changes photos; returns how many. */
export async function changePhotos(
  transaction: Access,
  ids: readonly number[],
  {
    transition: name,
    publiee_le: hour,
    motif,
    reponse = '',
    acteur = '',
    isTakenBack = false,
    effacement_le = null,
    ...changes
  }: PhotoChanges,
  now: Date,
): Promise<number> {
  if (isTakenBack && ids.length > 1) throw new Error('photos that were ruled out are taken back one by one');
  const at = now.toISOString();
  const transition: Transition | undefined = name && TRANSITIONS[name];
  const { effects = {}, to } = transition ?? {};
  const from = transition?.from.filter((state) => state !== 'new');
  const isHidden = to !== undefined && (!PHOTO_STATES[to].isPublic || hour !== undefined);
  const { numUpdatedRows } = await transaction
    .updateTable('photos')
    .set({ ...changes, modifie_le: at, motif: effects.motif === 'given' ? motif : effects.motif })
    .$if(name !== undefined, (query) => query.set({ statut: name && stateAfter(name) }))
    .$if(effects.bin === 'in', (query) => query.set({ jetee_le: at, jetee_par: acteur, effacement_le }))
    .$if(effects.bin === 'confirmed', (query) => query.set({ effacement_le }))
    .$if(effects.bin === 'out', (query) => query.set(NOT_IN_BIN))
    .$if(effects.isOut === true, (query) => query.set({ ecartee_le: at, ecartee_par: acteur }))
    .$if(isTakenBack, (query) => query.set(NOT_OUT))
    .$if(isHidden, (query) =>
      query.set((was) => ({
        cachee:
          effects.hides === 'everybody'
            ? changes.numero
            : was.case().when(seenAt(now)(was)).then(changes.numero).else(was.ref('cachee')).end(),
      })),
    )
    .$if(effects.publiee_le === null, (query) => query.set({ publiee_le: null }))
    .$if(effects.publiee_le === 'given', (query) =>
      query.set(({ eb, ref }) => ({
        publiee_le: hour ?? eb.case().when('publiee_le', '<=', at).then(ref('publiee_le')).else(at).end(),
      })),
    )
    .where('id', 'in', ids)
    .$if(to !== undefined && PHOTO_STATES[to].isPublic && !isTakenBack, (query) =>
      query.where('ecartee_le', 'is', null),
    )
    .$if(from !== undefined, (query) => query.where('statut', 'in', from ?? []))
    .executeTakeFirst();
  if (effects.requests) await closeRemovals(transaction, ids, { decision: effects.requests, reponse }, now);
  if (transition?.spends) await spend(transaction, transition.spends, Number(numUpdatedRows), now);
  return Number(numUpdatedRows);
}
