import { Check, X } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_STATES } from '#features/photos/shared/states.ts';
import { type Tracking, useTracking } from '#features/photos/web/useStayPhotos.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { follow } from '#platform/web/ui/inBrowser.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { momentOf } from '#platform/web/ui/texts.ts';
import { WholeDialog } from '#platform/web/ui/WholeDialog.tsx';
import { CameraClocks } from './CameraClocks.tsx';
import { CheckedPhoto } from './CheckedPhoto.tsx';
import { CheckingGrid } from './CheckingGrid.tsx';
import {
  CheckingEnd,
  CheckingNotes,
  KeysHelp,
  News,
  type Notes,
  Trouble,
  UndoButton,
} from './CheckingParts.tsx';
import { WithoutConsent } from './consents.tsx';
import { useDecisions, type Verdict } from './decisions.tsx';
import { PublicationTime, type PublicationWall, publishingAt } from './PublicationTime.tsx';
import { RetouchTools } from './RetouchTools.tsx';
import { decidedText, whenText } from './texts.ts';
import { type Checking, doneIn, useChecking } from './useChecking.ts';

/** The photos that await a decision, over the whole window: by day in a grid, or one by one. */
export function CheckingScreen({ onClose }: { onClose(): void }) {
  const { stageId, as } = useDecisions();
  const { photos: query, tracking } = useTracking(stageId, as);
  return (
    <WholeDialog title="Vérifier les photos" onClose={onClose}>
      {(close) => (
        <LoadState
          query={query}
          failed="Les photos n’ont pas pu être chargées."
          frame={(state) => <div className="p-4">{state}</div>}
        >
          {({ photos, isWhole }) =>
            isWhole ? (
              <Round photos={photos} tracking={tracking.data} onClose={close} />
            ) : (
              <p className="well m-4">Chargement…</p>
            )
          }
        </LoadState>
      )}
    </WholeDialog>
  );
}

interface RoundProps {
  photos: readonly Photo[];
  tracking: Tracking | undefined;
  onClose(): void;
}

/** The grid of photos to check, and over it those that somebody looks at one by one. */
function Round({ photos, tracking, onClose }: RoundProps) {
  const site = useSite();
  const id = useId();
  const { lastTime } = useDecisions();
  const checking = useChecking(photos);
  const [isLooking, setLooking] = useState(false);
  const [time, setTime] = useState<PublicationWall>(() =>
    publishingAt(lastTime.current, site.timeZone).publiee_le ? lastTime.current : '',
  );
  const chooseTime = (chosen: PublicationWall) => {
    lastTime.current = chosen;
    setTime(chosen);
  };
  const { days, steps, trouble, undo } = checking;
  const preparing = photos.filter(({ statut }) => PHOTO_STATES[statut].awaits === 'preparation').length;
  const look = (ids?: readonly number[]) => {
    checking.look(ids);
    setLooking(true);
  };
  // Those over the grid have keys of their own.
  const ref = useCheckingKeys(isLooking ? {} : { undo });
  return (
    <div ref={ref} id={id} tabIndex={-1} data-first-focus className="flex min-h-0 grow flex-col">
      {days.length === 0 && !isLooking ? (
        <CheckingEnd
          done={doneIn(steps).map(({ count, change }) => decidedText(count, change, site))}
          preparing={preparing}
          onUndo={undo}
          onClose={onClose}
        >
          <Trouble text={trouble} />
        </CheckingEnd>
      ) : (
        <CheckingGrid
          checking={checking}
          preparing={preparing}
          time={time}
          isCovered={isLooking}
          onTime={chooseTime}
          onLook={look}
        >
          {/* Before they are shown to families under a wrong day. */}
          {tracking && (
            <div className="pt-2">
              <CameraClocks tracking={tracking} photos={photos} heading="h3" above={id} />
            </div>
          )}
        </CheckingGrid>
      )}
      {isLooking && (
        <WholeDialog title="Une par une" onClose={() => setLooking(false)}>
          {(close) => <Review checking={checking} time={time} onTime={chooseTime} onClose={close} />}
        </WholeDialog>
      )}
    </div>
  );
}

interface ReviewProps {
  checking: Checking;
  time: PublicationWall;
  onTime(time: PublicationWall): void;
  onClose(): void;
}

/** One photo, the information needed to decide on it, and the buttons. Closes after the last one. */
function Review({ checking, time, onTime, onClose }: ReviewProps) {
  const site = useSite();
  const { locale, timeZone } = site;
  const { stageId, as } = useDecisions();
  const { current, news, inScope, steps, trouble, decide, leave, undo } = checking;
  const [seenId, setSeenId] = useState<number>();
  const [notes, setNotes] = useState<Notes>();
  const typed =
    notes !== undefined && notes.id === current?.id
      ? notes
      : { id: current?.id ?? 0, legende: current?.legende ?? '', motif: '' };
  const isOver = current === undefined;
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (isOver) close();
  }, [isOver]);

  const isSeen = current !== undefined && current.id === seenId && news !== 'gone';
  const decideOne = (change: Verdict) => {
    if (!current || news === 'gone') return;
    const legende = typed.legende.trim();
    decide([current.id], { ...change, legende: legende === current.legende ? undefined : legende });
  };
  const acts: Record<CheckingAct, () => void> = {
    // A photo that has not loaded yet has not been seen.
    publish: () => {
      // Whoever looks at one photo that was ruled out, and publishes it, does so on purpose.
      const ecartee = current?.gestion?.ecartee ? (false as const) : undefined;
      if (isSeen) decideOne({ ...publishingAt(time, timeZone), ecartee });
    },
    refuse: () => {
      const motif = typed.motif.trim();
      decideOne({ statut: 'refusee', motif: motif || undefined });
    },
    undo,
  };
  const ref = useCheckingKeys(acts);
  const goOn = () => {
    leave();
    // The button that had the focus is gone.
    ref.current?.focus();
  };

  const { publiee_le } = publishingAt(time, timeZone);
  const when = publiee_le ? ` ${whenText(publiee_le, site)}` : '';

  const last = steps.at(-1);
  return (
    <div
      ref={ref}
      tabIndex={-1}
      data-first-focus
      className="flex min-h-0 grow flex-col sm:landscape:flex-row lg:flex-row"
    >
      <p role="status" className="sr-only">
        {last && `${decidedText(last.ids.length, last.change, site)}. `}
        {inScope.length} à vérifier.
      </p>
      {current && (
        <>
          <CheckedPhoto
            photos={[current, ...inScope.filter(({ id }) => id !== current.id)]}
            onSeen={setSeenId}
            onSwipe={(isToRight) => (isToRight ? acts.publish() : acts.refuse())}
          >
            {news !== 'gone' && <RetouchTools key={current.id} photo={current} isOverPhoto />}
          </CheckedPhoto>
          <div className="flex shrink-0 flex-col gap-3 overflow-y-auto border-mist p-3 max-sm:max-h-[65dvh] max-lg:portrait:max-h-[65dvh] sm:max-lg:landscape:w-80 sm:landscape:border-l lg:w-88 lg:border-l lg:p-5">
            <Trouble text={trouble} />
            <News news={news} onLeave={goOn} />
            <p className="text-sm first-letter:uppercase">{momentOf(current.prise_le, locale)}</p>
            <p className="font-semibold">{inScope.length} à vérifier</p>
            <WithoutConsent stageId={stageId} as={as} />
            <CheckingNotes notes={typed} onChange={setNotes}>
              <PublicationTime value={time} onChange={onTime} />
            </CheckingNotes>
            <div className="sticky bottom-0 mt-auto grid grid-cols-[auto_minmax(0,1fr)_minmax(0,1fr)] gap-2 bg-paper pt-1">
              <UndoButton isUseful={steps.length > 0} onUndo={undo} />
              <Button danger className="min-h-13 px-2" aria-disabled={news === 'gone'} onClick={acts.refuse}>
                <X className="size-5 shrink-0" />
                Écarter
              </Button>
              <Button className="min-h-13 px-2 leading-tight" aria-disabled={!isSeen} onClick={acts.publish}>
                <Check className="size-5 shrink-0" />
                Publier{when}
              </Button>
            </div>
            <KeysHelp />
          </div>
        </>
      )}
    </div>
  );
}

type CheckingAct = 'publish' | 'refuse' | 'undo';

/**
 * Keyboard shortcuts for decisions, except while the focus is in a field or in a dialog over the photos. No single
 * letters: speech input would trigger them with ordinary words.
 */
function useCheckingKeys(acts: Partial<Record<CheckingAct, () => void>>): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    const act = actOf(event);
    const run = act && acts[act];
    if (!run || !(target instanceof Element)) return;
    const isElsewhere =
      target !== document.body && target.closest('dialog') !== place.current?.closest('dialog');
    if (isElsewhere || target.closest('input, textarea, select')) return;
    event.preventDefault();
    // A key that repeats because it is held down is not a decision.
    if (!event.repeat) run();
  });
  useEffect(() => follow(document, { keydown: (event) => onKey(event) }), []);
  return place;
}

function actOf({ key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent): CheckingAct | undefined {
  if (altKey || shiftKey) return undefined;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'z' ? 'undo' : undefined;
  if (key === 'ArrowRight') return 'publish';
  return key === 'ArrowLeft' ? 'refuse' : undefined;
}
