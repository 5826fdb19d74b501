import { useEffect, useMemo, useRef, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_STATES } from '#features/photos/shared/states.ts';
import { asTaken } from '#features/photos/web/useStayPhotos.ts';
import { CallError } from '#platform/web/api.ts';
import { groupBy } from '#platform/web/groupBy.ts';
import { UNFORESEEN, useNotices } from '#platform/web/ui/notices.tsx';
import type { PhotoNews } from './CheckingParts.tsx';
import { type Change, useDecisions, type Verdict } from './decisions.tsx';

/* The decisions of a check: those of a whole day in the grid, and those on one photo after the other. */

interface Step<C extends Change = Verdict> {
  ids: readonly number[];
  change: C;
}

/** A step on its way to the server, or the undo of one. */
type Sending = Step<Change>;

export type Checking = ReturnType<typeof useChecking>;

/**
 * The photos to check. A decision takes effect here at once and is sent while the next photo is shown; if it cannot be
 * sent, its photos come back. One by one, the photo that is shown stays, whatever others do with it, until it is decided
 * on here or skipped.
 */
export function useChecking(photos: readonly Photo[]) {
  const { decide: save } = useDecisions();
  const { warn } = useNotices();
  /** Ids in the order in which the photos were taken; photos that arrive meanwhile come last. */
  const [order, setOrder] = useState<readonly number[]>([]);
  const [steps, setSteps] = useState<readonly Step[]>([]);
  /** Ids brought back by an undo or a failure: shown next, even if the list still has their old state. */
  const [back, setBack] = useState<readonly number[]>([]);
  const [held, setHeld] = useState<Photo>();
  /** Ids to look at one by one; undefined: all. */
  const [scope, setScope] = useState<ReadonlySet<number>>();
  /** Ticks given here, by id; the others follow what the server says. */
  const [choices, setChoices] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [trouble, setTrouble] = useState<string>();
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const outbox = useRef<Sending[]>([]);
  const isSending = useRef(false);

  const known = new Set(order);
  const arrived = photos.filter((photo) => awaitsDecision(photo) && !known.has(photo.id)).sort(asTaken);
  if (arrived.length > 0) setOrder([...order, ...arrived.map(({ id }) => id)]);

  const found = useMemo(() => new Map(photos.map((photo) => [photo.id, photo])), [photos]);
  const decided = useMemo(() => new Set(steps.flatMap(({ ids }) => ids)), [steps]);
  const waiting = useMemo(
    () =>
      [...new Set([...back, ...order])].flatMap((id) => {
        const photo = decided.has(id) ? undefined : found.get(id);
        return photo && (awaitsDecision(photo) || back.includes(id)) ? [photo] : [];
      }),
    [back, order, decided, found],
  );
  const ticked = useMemo(
    () => new Set(waiting.flatMap((photo) => (isTickedIn(choices, photo) ? [photo.id] : []))),
    [waiting, choices],
  );
  const out = useMemo(() => {
    const verdicts = new Map(steps.flatMap(({ ids, change }) => ids.map((id) => [id, change.statut])));
    return photos.filter(
      ({ id, statut }) => !back.includes(id) && (verdicts.get(id) ?? statut) === 'refusee',
    );
  }, [photos, steps, back]);
  const days = useMemo(() => daysOf(waiting, out, choices), [waiting, out, choices]);
  const inScope = waiting.filter(({ id }) => !scope || scope.has(id) || back.includes(id));
  const current = held && !decided.has(held.id) ? (found.get(held.id) ?? held) : inScope[0];
  if (current !== held) setHeld(current);

  function giveBack(ids: readonly number[]): void {
    setSteps((before) => keep(before, (id) => !ids.includes(id)));
    setBack((before) => [...new Set([...ids, ...before])]);
  }

  async function deliver({ ids, change }: Sending): Promise<void> {
    try {
      const isKept = (await save(ids, change)) !== undefined;
      // Photos with another step in the outbox, such as an undo, stay in `back` until that step is sent.
      const later = new Set(outbox.current.flatMap((step) => step.ids));
      if (isKept) return setBack((before) => before.filter((id) => !ids.includes(id) || later.has(id)));
      giveBack(ids);
      setHeld(undefined);
    } catch (error) {
      const why = error instanceof CallError ? error.message : UNFORESEEN;
      setTrouble(why);
      // The screen is closed and its message no longer visible: show a notice.
      if (!isOpen.current) warn('Des décisions sur des photos n’ont pas pu être enregistrées.', why);
      giveBack(ids);
      if (!(error instanceof CallError)) throw error;
    }
  }

  async function send(step: Sending): Promise<void> {
    outbox.current.push(step);
    if (isSending.current) return;
    isSending.current = true;
    try {
      for (let next = takeAlike(outbox.current); next; next = takeAlike(outbox.current)) await deliver(next);
    } finally {
      isSending.current = false;
    }
  }

  function decide(ids: readonly number[], change: Verdict): void {
    setTrouble(undefined);
    setSteps((before) => [...before, { ids, change }]);
    setBack((before) => before.filter((id) => !ids.includes(id)));
    void send({ ids, change });
  }

  function tick(ids: readonly number[], isTicked: boolean): void {
    setChoices((before) => new Map([...before, ...ids.map((id) => [id, isTicked] as const)]));
  }

  /** Brings photos back to be checked; those that were ruled out are taken back, each by itself. */
  function recheck(ids: readonly number[], wereOut: boolean): void {
    setTrouble(undefined);
    giveBack(ids);
    setHeld(undefined);
    const change = { statut: 'a_verifier' } as const;
    if (wereOut) for (const id of ids) void send({ ids: [id], change: { ...change, ecartee: false } });
    else void send({ ids, change });
  }

  return {
    current,
    inScope,
    /** What others did with it while it was shown, if anything. */
    news: current && newsOf(current, found.has(current.id), back.includes(current.id)),
    waiting,
    days,
    ticked,
    /** Decisions made here, without the photos that were deleted since. */
    steps: keep(steps, (id) => found.has(id)),
    /** Why decisions could not be saved; undefined: no failure. */
    trouble,
    decide,
    /** Publishes the ticked photos of a day, which leaves the grid with those that were unticked. */
    publishDay({ out: left }: CheckedDay, ids: readonly number[], change: Verdict): void {
      decide(ids, change);
      setChoices((before) => without(before, left));
    },
    /** Unticking is a decision, kept at once; ticking again takes back one photo, and none of several. */
    choose(ids: readonly number[], isTicked: boolean): void {
      const isOut = new Set(out.map(({ id }) => id));
      const areOut = ids.filter((id) => isOut.has(id) || found.get(id)?.gestion?.ecartee);
      const chosen = isTicked && ids.length > 1 ? ids.filter((id) => !areOut.includes(id)) : ids;
      tick(chosen, isTicked);
      const toRefuse = isTicked ? [] : ids.filter((id) => !isOut.has(id));
      if (toRefuse.length > 0) decide(toRefuse, { statut: 'refusee' });
      if (isTicked && areOut.length === 1 && ids.length === 1) recheck(ids, true);
    },
    /** Begins to show photos one by one: those with these ids, or all. */
    look(ids?: readonly number[]): void {
      setScope(ids && new Set(ids));
      setHeld(undefined);
    },
    leave(): void {
      setBack((before) => before.filter((id) => id !== current?.id));
      setHeld(undefined);
    },
    undo(): void {
      const last = keep(steps, (id) => found.has(id)).at(-1);
      if (!last) return;
      if (last.change.ecartee === false) {
        decide(last.ids, { statut: 'refusee' });
        return;
      }
      const wereOut = last.change.statut === 'refusee';
      // The list still says that they are ruled out.
      if (wereOut)
        tick(
          last.ids.filter((id) => !isAskedFor(found.get(id))),
          true,
        );
      recheck(last.ids, wereOut);
    },
  };
}

/** Removes the next decision from the outbox, merged with the identical ones that follow it. */
function takeAlike(outbox: Sending[]): Sending | undefined {
  const first = outbox[0];
  if (!first) return undefined;
  // What takes back a photo that was ruled out is for this one alone.
  if (first.change.ecartee === false) return outbox.shift();
  const same = JSON.stringify(first.change);
  const end = outbox.findIndex(({ change }) => JSON.stringify(change) !== same);
  const alike = outbox.splice(0, end < 0 ? outbox.length : end);
  return { ids: [...new Set(alike.flatMap(({ ids }) => ids))], change: first.change };
}

function keep(steps: readonly Step[], isKept: (id: number) => boolean): Step[] {
  return steps
    .map((step) => ({ ...step, ids: step.ids.filter(isKept) }))
    .filter((step) => step.ids.length > 0);
}

/** Number of photos per decision: published at once first, then scheduled by hour, then refused. */
export function doneIn(steps: readonly Step[]) {
  const done = new Map<string, { count: number; change: Verdict }>();
  for (const { ids, change } of steps) {
    const key = `${change.statut} ${change.publiee_le ?? ''}`;
    done.set(key, { count: (done.get(key)?.count ?? 0) + ids.length, change });
  }
  return [...done].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}

/** A day of the grid. */
export interface CheckedDay {
  jour: string;
  /** All that it shows: those to check and those ruled out, as they were taken. */
  photos: readonly Photo[];
  waiting: readonly Photo[];
  /** Photos of it that were ruled out, here or elsewhere. */
  out: readonly Photo[];
}

/** Days with photos to check, and those on which all have just been unticked: nothing jumps under the finger. */
function daysOf(
  waiting: readonly Photo[],
  out: readonly Photo[],
  choices: ReadonlyMap<number, boolean>,
): CheckedDay[] {
  const isOut = new Set(out);
  const days = groupBy([...waiting, ...out].sort(asTaken), ({ jour }) => jour);
  return [...days]
    .map(([jour, photos]) => ({
      jour,
      photos,
      waiting: photos.filter((photo) => !isOut.has(photo)),
      out: photos.filter((photo) => isOut.has(photo)),
    }))
    .filter((day) => day.waiting.length > 0 || day.out.some(({ id }) => choices.get(id) === false));
}

function without(choices: ReadonlyMap<number, boolean>, photos: readonly Photo[]): Map<number, boolean> {
  const ids = new Set(photos.map(({ id }) => id));
  return new Map([...choices].filter(([id]) => !ids.has(id)));
}

/** All are ticked but those that somebody ruled out, and those whose removal a family asked for. */
function isTickedIn(choices: ReadonlyMap<number, boolean>, photo: Photo): boolean {
  return choices.get(photo.id) ?? !(photo.gestion?.ecartee || isAskedFor(photo));
}

export function isAskedFor(photo: Photo | undefined): boolean {
  return (photo?.gestion?.demandes.length ?? 0) > 0;
}

const awaitsDecision = ({ statut }: Photo) => PHOTO_STATES[statut].awaits === 'decision';

function newsOf(photo: Photo, isFound: boolean, isBack: boolean): PhotoNews | undefined {
  if (!isFound) return 'gone';
  // The state of a photo that was brought back comes from a decision made here: it is no news.
  return awaitsDecision(photo) || isBack ? undefined : photo.statut;
}
