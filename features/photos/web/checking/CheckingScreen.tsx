import { Check, ChevronDown, Undo2, X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_STATES } from '#features/photos/shared/terms.ts';
import { useStayPhotos } from '#features/photos/web/useStayPhotos.ts';
import { useSite } from '#platform/web/site.tsx';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { useConfirm } from '#platform/web/ui/dialogs.tsx';
import { TextArea } from '#platform/web/ui/Field.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { momentOf } from '#platform/web/ui/texts.ts';
import { WholeDialog } from '#platform/web/ui/WholeDialog.tsx';
import { CheckedPhoto } from './CheckedPhoto.tsx';
import { useDecisions, type Verdict, WithoutConsent } from './decisions.tsx';
import { PublicationTime, type PublicationWall, publishingAt } from './PublicationTime.tsx';
import { countOf, decidedText, whenText } from './texts.ts';
import { type Step, useChecking } from './useChecking.ts';

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

/** Why photos came back. Always rendered, even empty, so that screen readers announce its text. */
function Trouble({ text }: { text: string | undefined }) {
  return (
    <div role="alert" className="empty:-mb-3">
      {text && (
        <div className="rounded-[10px] border-2 border-coral p-3">
          <p className="font-semibold">
            Des décisions n’ont pas pu être enregistrées{'\u202f'}: leurs photos reviennent.
          </p>
          <p className="text-sm">{text}</p>
        </div>
      )}
    </div>
  );
}

/** What somebody else did with the photo that is shown. Always rendered, for screen readers. */
function News({ news, onLeave }: { news: ReturnType<typeof useChecking>['news']; onLeave(): void }) {
  return (
    <div role="status" className="empty:-mb-3">
      {news && (
        <div className="flex flex-wrap items-center justify-between gap-2 rounded-[10px] bg-mist p-3">
          <p className="font-semibold">
            {news === 'gone'
              ? 'Supprimée par quelqu’un d’autre.'
              : `Déjà vérifiée par quelqu’un d’autre\u202f: ${PHOTO_STATES[news].toLowerCase()}.`}
          </p>
          <button type="button" className="button quiet" onClick={onLeave}>
            Continuer
          </button>
        </div>
      )}
    </div>
  );
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

interface CheckingEndProps {
  /** Decisions made here. */
  steps: readonly Step[];
  /** Number of photos whose sizes are being made. */
  preparing: number;
  onUndo(): void;
  onClose(): void;
  children: ReactNode;
}

/** Shown when nothing is left to check: what was done, and what may still come. */
function CheckingEnd({ steps, preparing, onUndo, onClose, children }: CheckingEndProps) {
  const button = useRef<HTMLButtonElement>(null);
  // The buttons that had the focus are gone.
  useEffect(() => button.current?.focus(), []);
  const site = useSite();
  const done = doneIn(steps).map(({ count, change }) => decidedText(count, change, site));
  return (
    <div className="m-auto flex max-w-lg flex-col items-center gap-4 p-6 text-center">
      {children}
      <Drawing name="campfire" className="h-36 w-52" />
      <h3 className="text-2xl text-pine">
        {done.length > 0 ? 'C’est fait, merci\u202f!' : 'Rien à vérifier'}
      </h3>
      <p>{done.length > 0 ? `${done.join(', ')}.` : 'Toutes les photos arrivées ont déjà été vérifiées.'}</p>
      <p className="text-quiet">
        {preparing > 0
          ? `${countOf(preparing)} encore en préparation\u202f: la suite s’affichera ici d’elle-même.`
          : 'Celles qui arriveront s’afficheront ici d’elles-mêmes.'}
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <button ref={button} type="button" className="button" onClick={onClose}>
          Terminer
        </button>
        {steps.length > 0 && (
          <button type="button" className="button quiet" onClick={onUndo}>
            <Undo2 aria-hidden="true" className="size-5" />
            Annuler la dernière décision
          </button>
        )}
      </div>
    </div>
  );
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

/** Text typed for one photo. */
interface Notes {
  id: number;
  legende: string;
  motif: string;
}

interface CheckingNotesProps {
  /** Of the photo that is shown; reset for the next one. */
  notes: Notes;
  onChange(notes: Notes): void;
  /** Settings that apply to all photos. */
  children: ReactNode;
}

/** Caption, reason, and the settings for all photos; folded on a phone, where the photo needs the room. */
function CheckingNotes({ notes, onChange, children }: CheckingNotesProps) {
  const [isOpen, setOpen] = useState(() => window.matchMedia('(min-width: 64rem)').matches);
  const id = useId();
  return (
    <div>
      <button
        type="button"
        className="flex min-h-11 w-full items-center gap-2 text-left text-sm font-semibold lg:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="grow">Légende, motif, heure de publication</span>
        <ChevronDown
          aria-hidden="true"
          className={`size-5 shrink-0 transition-transform ${isOpen ? 'rotate-180' : ''}`}
        />
      </button>
      <div id={id} hidden={!isOpen} className="flex-col gap-4 py-2 not-[[hidden]]:flex">
        <TextArea
          label="Légende"
          name="legende"
          rows={2}
          maxLength={300}
          value={notes.legende}
          onType={(legende) => onChange({ ...notes, legende })}
          help="Sous la photo, sans nom d’enfant."
        />
        <TextArea
          label="Motif d’un refus"
          name="motif"
          rows={1}
          maxLength={300}
          value={notes.motif}
          onType={(motif) => onChange({ ...notes, motif })}
          help="Les familles ne le voient pas."
        />
        {children}
      </div>
    </div>
  );
}
