import { Check, X } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { RetouchTools } from '#features/photos/web/retouch/RetouchTools.tsx';
import { asTaken, useStayPhotos } from '#features/photos/web/useStayPhotos.ts';
import { CallError } from '#platform/web/api.ts';
import { useSite } from '#platform/web/site.tsx';
import { useConfirm } from '#platform/web/ui/dialogs.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { UNFORESEEN, useNotices } from '#platform/web/ui/notices.tsx';
import { momentOf } from '#platform/web/ui/texts.ts';
import { WholeDialog } from '#platform/web/ui/WholeDialog.tsx';
import { CheckedPhoto } from './CheckedPhoto.tsx';
import {
  CheckingEnd,
  CheckingNotes,
  KeysHelp,
  News,
  type Notes,
  type PhotoNews,
  Trouble,
  UndoButton,
} from './CheckingParts.tsx';
import { type Change, useDecisions, type Verdict, WithoutConsent } from './decisions.tsx';
import { PublicationTime, type PublicationWall, publishingAt } from './PublicationTime.tsx';
import { decidedText, whenText } from './texts.ts';

/** The photos that await a decision, one at a time over the whole window. */
export function CheckingScreen({ onClose }: { onClose(): void }) {
  const { stageId, as } = useDecisions();
  const query = useStayPhotos(stageId, as);
  return (
    <WholeDialog title="Vérifier les photos" onClose={onClose}>
      {(close) => (
        <LoadState
          query={query}
          failed="Les photos n’ont pas pu être chargées."
          frame={(state) => <div className="p-4">{state}</div>}
        >
          {({ photos, isWhole }) =>
            isWhole ? <Review photos={photos} onClose={close} /> : <p className="well m-4">Chargement…</p>
          }
        </LoadState>
      )}
    </WholeDialog>
  );
}

/** One photo, the information needed to decide on it, and the buttons. */
function Review({ photos, onClose }: { photos: readonly Photo[]; onClose(): void }) {
  const site = useSite();
  const { locale, timeZone } = site;
  const { stageId, as, lastTime } = useDecisions();
  const confirm = useConfirm();
  const { current, news, waiting, steps, trouble, decide, leave, undo } = useChecking(photos);
  const [seenId, setSeenId] = useState<number>();
  const [time, setTime] = useState<PublicationWall>(() =>
    publishingAt(lastTime.current, timeZone).publiee_le ? lastTime.current : '',
  );
  const [notes, setNotes] = useState<Notes>();
  const typed =
    notes !== undefined && notes.id === current?.id
      ? notes
      : { id: current?.id ?? 0, legende: current?.legende ?? '', motif: '' };

  const isSeen = current !== undefined && current.id === seenId && news !== 'gone';
  const decideOne = (change: Verdict) => {
    if (!current || news === 'gone') return;
    const legende = typed.legende.trim();
    decide([current.id], { ...change, ...(legende !== current.legende && { legende }) });
  };
  const acts: Record<CheckingAct, () => void> = {
    // A photo that has not loaded yet has not been seen.
    publish: () => isSeen && decideOne(publishingAt(time, timeZone)),
    refuse: () => {
      const motif = typed.motif.trim();
      decideOne({ statut: 'refusee', ...(motif && { motif }) });
    },
    undo,
  };
  const ref = useCheckingKeys(acts);
  const goOn = () => {
    leave();
    // The button that had the focus is gone.
    ref.current?.focus();
  };

  const chooseTime = (chosen: PublicationWall) => {
    lastTime.current = chosen;
    setTime(chosen);
  };
  const { publiee_le } = publishingAt(time, timeZone);
  const when = publiee_le ? ` ${whenText(publiee_le, site)}` : '';

  const publishAll = async () => {
    const ids = waiting.map(({ id }) => id);
    const isSure = await confirm({
      question: `Publier ${ids.length > 1 ? `les ${ids.length} photos qui restent` : 'la photo qui reste'}${when}\u202f?`,
      consequence: 'Les familles verront aussi celles que vous n’avez pas regardées.',
      yes: `Tout publier${when}`,
    });
    if (isSure) decide(ids, publishingAt(time, timeZone));
  };

  const last = steps.at(-1);
  const preparing = photos.filter(({ statut }) => statut === 'recue').length;
  return (
    <div
      ref={ref}
      tabIndex={-1}
      data-first-focus
      className="flex min-h-0 grow flex-col sm:landscape:flex-row lg:flex-row"
    >
      <p role="status" className="sr-only">
        {last && `${decidedText(last.ids.length, last.change, site)}. `}
        {waiting.length} à vérifier.
      </p>
      {current ? (
        <>
          <CheckedPhoto
            photos={[current, ...waiting.filter(({ id }) => id !== current.id)]}
            onSeen={setSeenId}
            onSwipe={(isToRight) => (isToRight ? acts.publish() : acts.refuse())}
          >
            {news !== 'gone' && <RetouchTools key={current.id} photo={current} isOverPhoto />}
          </CheckedPhoto>
          <div className="flex shrink-0 flex-col gap-3 overflow-y-auto border-mist p-3 max-sm:max-h-[65dvh] max-lg:portrait:max-h-[65dvh] sm:max-lg:landscape:w-80 sm:landscape:border-l lg:w-88 lg:border-l lg:p-5">
            <Trouble text={trouble} />
            <News news={news} onLeave={goOn} />
            <p className="text-sm first-letter:uppercase">{momentOf(current.prise_le, locale)}</p>
            <div className="flex flex-wrap items-center justify-between gap-x-3">
              <p className="font-semibold">{waiting.length} à vérifier</p>
              {waiting.length > 0 && (
                <button type="button" className="button quiet px-3" onClick={publishAll}>
                  Tout publier ({waiting.length})
                </button>
              )}
            </div>
            <WithoutConsent stageId={stageId} as={as} />
            <CheckingNotes notes={typed} onChange={setNotes}>
              <PublicationTime value={time} onChange={chooseTime} />
            </CheckingNotes>
            <div className="sticky bottom-0 mt-auto grid grid-cols-[auto_minmax(0,1fr)_minmax(0,1fr)] gap-2 bg-paper pt-1">
              <UndoButton isUseful={steps.length > 0} onUndo={undo} />
              <button
                type="button"
                className="button danger min-h-13 px-2"
                aria-disabled={news === 'gone'}
                onClick={acts.refuse}
              >
                <X aria-hidden="true" className="size-5 shrink-0" />
                Refuser
              </button>
              <button
                type="button"
                className="button min-h-13 px-2 leading-tight"
                aria-disabled={!isSeen}
                onClick={acts.publish}
              >
                <Check aria-hidden="true" className="size-5 shrink-0" />
                Publier{when}
              </button>
            </div>
            <KeysHelp />
          </div>
        </>
      ) : (
        <CheckingEnd
          done={doneIn(steps).map(({ count, change }) => decidedText(count, change, site))}
          preparing={preparing}
          onUndo={undo}
          onClose={onClose}
        >
          <Trouble text={trouble} />
        </CheckingEnd>
      )}
    </div>
  );
}

interface Step<C extends Change = Verdict> {
  ids: readonly number[];
  change: C;
}

/** A step on its way to the server, or the undo of one. */
type Sending = Step<Change>;

/**
 * The photos to check, one after the other. A decision takes effect here at once and is sent while the next photo is
 * shown; if it cannot be sent, its photos come back. The photo that is shown stays, whatever others do with it, until
 * it is decided on here or skipped.
 */
function useChecking(photos: readonly Photo[]) {
  const { decide } = useDecisions();
  const { warn } = useNotices();
  /** Ids in the order in which the photos were taken; photos that arrive meanwhile come last. */
  const [order, setOrder] = useState<readonly number[]>([]);
  /** Decisions made here, the latest last. */
  const [steps, setSteps] = useState<readonly Step[]>([]);
  /** Ids brought back by an undo or a failure: shown next, even if the list still has their old state. */
  const [back, setBack] = useState<readonly number[]>([]);
  const [held, setHeld] = useState<Photo>();
  const [trouble, setTrouble] = useState<string>();
  const isOpen = useIsOpen();
  const outbox = useRef<Sending[]>([]);
  const isSending = useRef(false);

  const known = new Set(order);
  const arrived = photos.filter(({ id, statut }) => statut === 'a_verifier' && !known.has(id)).sort(asTaken);
  if (arrived.length > 0) setOrder([...order, ...arrived.map(({ id }) => id)]);

  const found = new Map(photos.map((photo) => [photo.id, photo]));
  const decided = new Set(steps.flatMap(({ ids }) => ids));
  const waiting = [...new Set([...back, ...order])].flatMap((id) => {
    const photo = decided.has(id) ? undefined : found.get(id);
    return photo && (photo.statut === 'a_verifier' || back.includes(id)) ? [photo] : [];
  });
  const current = held && !decided.has(held.id) ? (found.get(held.id) ?? held) : waiting[0];
  if (current !== held) setHeld(current);

  function giveBack(ids: readonly number[]): void {
    setSteps((before) => keep(before, (id) => !ids.includes(id)));
    setBack((before) => [...new Set([...ids, ...before])]);
  }

  async function deliver({ ids, change }: Sending): Promise<void> {
    try {
      const isKept = (await decide(ids, change)) !== undefined;
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

  return {
    /** The photo that is shown. */
    current,
    /** What others did with it while it was shown, if anything. */
    news: current && newsOf(current, found.has(current.id), back.includes(current.id)),
    /** Photos still to be checked. */
    waiting,
    /** Decisions made here, without the photos that were deleted since. */
    steps: keep(steps, (id) => found.has(id)),
    /** Why decisions could not be saved; undefined: no failure. */
    trouble,
    decide(ids: readonly number[], change: Verdict): void {
      setTrouble(undefined);
      setSteps((before) => [...before, { ids, change }]);
      setBack((before) => before.filter((id) => !ids.includes(id)));
      void send({ ids, change });
    },
    /** Moves on to the next photo without a decision. */
    leave(): void {
      setBack((before) => before.filter((id) => id !== current?.id));
      setHeld(undefined);
    },
    undo(): void {
      const last = keep(steps, (id) => found.has(id)).at(-1);
      if (!last) return;
      setTrouble(undefined);
      giveBack(last.ids);
      setHeld(undefined);
      void send({ ids: last.ids, change: { statut: 'a_verifier' } });
    },
  };
}

/** Removes the next decision from the outbox, merged with the identical ones that follow it. */
function takeAlike(outbox: Sending[]): Sending | undefined {
  const first = outbox[0];
  if (!first) return undefined;
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
function doneIn(steps: readonly Step[]) {
  const done = new Map<string, { count: number; change: Verdict }>();
  for (const { ids, change } of steps) {
    const key = `${change.statut} ${change.publiee_le ?? ''}`;
    done.set(key, { count: (done.get(key)?.count ?? 0) + ids.length, change });
  }
  return [...done].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}

function newsOf({ statut }: Photo, isFound: boolean, isBack: boolean): PhotoNews | undefined {
  if (!isFound) return 'gone';
  // The state of a photo that was brought back comes from a decision made here: it is no news.
  return statut === 'a_verifier' || isBack ? undefined : statut;
}

function useIsOpen() {
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return isOpen;
}

type CheckingAct = 'publish' | 'refuse' | 'undo';

/**
 * Keyboard shortcuts for decisions, except while the focus is in a field or in a dialog over the photos. No single
 * letters: speech input would trigger them with ordinary words.
 */
function useCheckingKeys(acts: Record<CheckingAct, () => void>): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(acts);
  useEffect(() => {
    latest.current = acts;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event;
      const act = actOf(event);
      if (!act || !(target instanceof Element)) return;
      const isElsewhere =
        target !== document.body && target.closest('dialog') !== place.current?.closest('dialog');
      if (isElsewhere || target.closest('input, textarea, select')) return;
      event.preventDefault();
      // A key that repeats because it is held down is not a decision.
      if (!event.repeat) latest.current[act]();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return place;
}

function actOf({ key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent): CheckingAct | undefined {
  if (altKey || shiftKey) return undefined;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'z' ? 'undo' : undefined;
  if (key === 'ArrowRight') return 'publish';
  return key === 'ArrowLeft' ? 'refuse' : undefined;
}
