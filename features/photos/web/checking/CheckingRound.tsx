import { Check, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { useSite } from '#platform/web/site.tsx';
import { useConfirm } from '#platform/web/ui/confirm.tsx';
import { momentOf } from '#platform/web/ui/texts.ts';
import { CheckedPhoto } from './CheckedPhoto.tsx';
import { CheckingEnd } from './CheckingEnd.tsx';
import { News, Trouble } from './CheckingNews.tsx';
import { CheckingNotes, type Notes } from './CheckingNotes.tsx';
import { type Change, useDecisions, WithoutConsent } from './decisions.tsx';
import { PublicationTime, type PublicationWall, publishingAt } from './PublicationTime.tsx';
import { decidedText, whenText } from './texts.ts';
import { useChecking } from './useChecking.ts';
import { type CheckingAct, useCheckingKeys } from './useCheckingKeys.ts';

interface CheckingRoundProps {
  photos: readonly Photo[];
  onClose(): void;
}

/** One photo, what must be known of it, and what can be decided. */
export function CheckingRound({ photos, onClose }: CheckingRoundProps) {
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
  const decideOne = (change: Change) => {
    if (!current || news === 'gone') return;
    const legende = typed.legende.trim();
    decide([current.id], { ...change, ...(legende !== current.legende && { legende }) });
  };
  const acts: Record<CheckingAct, () => void> = {
    // A photo that has not come yet was looked at by nobody.
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
          />
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
        <CheckingEnd steps={steps} preparing={preparing} onUndo={undo} onClose={onClose}>
          <Trouble text={trouble} />
        </CheckingEnd>
      )}
    </div>
  );
}

function UndoButton({ isUseful, onUndo }: { isUseful: boolean; onUndo(): void }) {
  return (
    <button
      type="button"
      className="button quiet min-h-13"
      aria-disabled={!isUseful}
      onClick={onUndo}
      aria-label="Annuler la dernière décision"
      title="Annuler la dernière décision"
    >
      <Undo2 aria-hidden="true" className="size-5" />
    </button>
  );
}

const KEYS = [
  ['→', 'publier'],
  ['←', 'refuser'],
  ['Ctrl + Z', 'annuler'],
] as const;

function KeysHelp() {
  return (
    <dl className="hidden flex-wrap gap-x-4 text-sm text-quiet lg:flex">
      {KEYS.map(([keys, act]) => (
        <div key={act} className="flex gap-1.5">
          <dt className="font-semibold">{keys}</dt>
          <dd>{act}</dd>
        </div>
      ))}
    </dl>
  );
}
