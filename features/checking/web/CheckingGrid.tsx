import { EyeOff, GalleryHorizontal, X, ZoomIn } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { PhotoGrid } from '#features/photos/web/grid/PhotoGrid.tsx';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { Trouble, UndoButton } from './CheckingParts.tsx';
import { WithoutConsent } from './consents.tsx';
import { useDecisions } from './decisions.tsx';
import { PublicationTime, type PublicationWall, publishingAt } from './PublicationTime.tsx';
import { countOf, decidedText, photoName, whenText } from './texts.ts';
import { type CheckedDay, type Checking, isAskedFor } from './useChecking.ts';

interface CheckingGridProps {
  checking: Checking;
  /** Number of photos whose sizes are being made. */
  preparing: number;
  time: PublicationWall;
  /** True while photos are looked at one by one over the grid: nothing in it is seen then. */
  isCovered: boolean;
  onTime(time: PublicationWall): void;
  /** Shows photos one by one: those with these ids, or all. */
  onLook(ids?: readonly number[]): void;
  children: ReactNode;
}

/**
 * The photos to check by day. All are ticked but those that somebody ruled out by unticking them, and those whose removal
 * a family asked for. The buttons of a day concern only photos that have been in sight here: neither those that are still
 * loading nor those that arrive meanwhile.
 */
export function CheckingGrid(props: CheckingGridProps) {
  const { checking, preparing, time, isCovered, onTime, onLook, children } = props;
  const site = useSite();
  const { locale, timeZone } = site;
  const { stageId, as } = useDecisions();
  const { waiting, days, ticked, steps, trouble, decide, publishDay, undo } = checking;
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set());
  const root = useRef<HTMLDivElement>(null);
  useFocusOnNext(root, days, isCovered);
  const { publiee_le } = publishingAt(time, timeZone);
  const when = publiee_le ? ` ${whenText(publiee_le, site)}` : '';
  const outIds = useMemo(() => new Set(days.flatMap(({ out }) => out.map(({ id }) => id))), [days]);
  const groups = days.map((day) => ({
    id: `${CHECKED_DAY}${day.jour}`,
    title: weekdayOf(day.jour, locale),
    photos: day.photos,
    actions: <p className="shrink-0 font-semibold">{countOf(day.waiting.length)}</p>,
    outro: (
      <DayVerdict
        name={weekdayOf(day.jour, locale)}
        day={day}
        ticked={ticked}
        seen={seen}
        when={when}
        onPublish={(ids) => publishDay(day, ids, publishingAt(time, timeZone))}
        onRefuse={(ids) => decide(ids, { statut: 'refusee' })}
        onLook={onLook}
      />
    ),
  }));

  const addSeen = useCallback(
    (id: number) => setSeen((before) => (before.has(id) ? before : new Set(before).add(id))),
    [],
  );
  const look = useRef(onLook);
  useEffect(() => {
    look.current = onLook;
  });
  const nameOf = useCallback((photo: Photo) => photoName(photo, locale), [locale]);
  const overlay = useCallback(
    (photo: Photo) => (
      <>
        {!isCovered && <SeenMark id={photo.id} onSeen={addSeen} />}
        {isAskedFor(photo) && (
          <span className={MARK}>
            <EyeOff className="size-4 shrink-0" />
            Retrait demandé
          </span>
        )}
        {outIds.has(photo.id) && <span className={MARK}>Écartée</span>}
      </>
    ),
    [isCovered, addSeen, outIds],
  );
  const actions = useCallback(
    (photo: Photo) => (
      // Enter does the same from the photo: a second stop of Tab for each would only be in the way.
      <button
        type="button"
        tabIndex={-1}
        className="checking-zoom"
        aria-label={`Voir en grand\u202f: ${photoName(photo, locale)}`}
        onClick={() => look.current([photo.id])}
      >
        <span>
          <ZoomIn className="size-5" />
        </span>
      </button>
    ),
    [locale],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const id = Number((event.target as HTMLElement).dataset.photo);
    if (event.key !== 'Enter' || !id) return;
    event.preventDefault();
    onLook([id]);
  };

  const last = steps.at(-1);
  const said = last && decidedText(last.ids.length, last.change, site);
  return (
    <div className="checking">
      <div className="checking-children">
        <Trouble text={trouble} />
        <WithoutConsent stageId={stageId} as={as} />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys pressed on the photos inside */}
      <div ref={root} className="checking-photos" data-scroller onKeyDown={onKeyDown}>
        {children}
        <p className="max-w-prose">
          Décochez celles que les familles ne doivent pas voir, elles restent écartées ; puis publiez le jour.
          <span className="hidden text-quiet lg:inline">
            {' '}
            Espace coche ou décoche, Entrée montre en grand.
          </span>
        </p>
        <div className="max-w-md">
          <PublicationTime value={time} onChange={onTime} />
        </div>
        <PhotoGrid
          groups={groups}
          nameOf={nameOf}
          overlay={overlay}
          actions={actions}
          onOpen={NOTHING}
          ticking={{ ticked, onTick: checking.choose }}
          rowHeight={rowHeight}
        />
        {preparing > 0 && (
          <p className="text-quiet">
            {countOf(preparing)} encore en préparation{'\u202f'}: la suite s’affichera ici d’elle-même.
          </p>
        )}
      </div>
      <div className="checking-acts">
        <p role="status" className="sr-only">
          {said && `${said}. `}
          {waiting.length} à vérifier.
        </p>
        <UndoButton isUseful={steps.length > 0} onUndo={undo} />
        <p aria-hidden="true" className="min-w-0 grow text-sm leading-tight">
          <strong className="block">{waiting.length} à vérifier</strong>
          {said}
        </p>
        <Button quiet className="min-h-13 shrink-0 px-3" onClick={() => onLook()}>
          <GalleryHorizontal className="size-5 shrink-0" />
          Une par une
        </Button>
      </div>
    </div>
  );
}

const NOTHING = () => {};
const MARK =
  'absolute top-1.5 right-1.5 flex items-center gap-1 rounded-full bg-[#8a2a16] px-2 py-1 text-note font-semibold text-white';
const CHECKED_DAY = 'a-verifier-';

/** Rows higher than in other grids: whoever checks has to recognise faces. */
function rowHeight(width: number): number {
  return Math.round(Math.min(280, Math.max(165, width * 0.12 + 130)));
}

/** Time, in ms, for which a photo has to be in sight: one that flies past, or arrives under the finger, is not seen. */
const A_LOOK_MS = 400;

/** Reports that the tile around it has been in sight for a while, with its picture loaded. */
function SeenMark({ id, onSeen }: { id: number; onSeen(id: number): void }) {
  const ref = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const mark = ref.current;
    const tile = mark?.parentElement;
    if (!tile) return;
    let isInSight = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = () => {
      const picture = tile.querySelector('img');
      if (isInSight && picture?.complete && picture.naturalWidth > 0) {
        timer ??= setTimeout(() => {
          mark.dataset.seen = '';
          onSeen(id);
        }, A_LOOK_MS);
        return;
      }
      clearTimeout(timer);
      timer = undefined;
    };
    const observer = new IntersectionObserver(
      (entries) => {
        isInSight = entries.at(-1)?.isIntersecting ?? false;
        check();
      },
      { threshold: 0.5 },
    );
    observer.observe(tile);
    // In the capture phase, as it does not bubble.
    tile.addEventListener('load', check, true);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      tile.removeEventListener('load', check, true);
    };
  }, [id, onSeen]);
  return <span ref={ref} hidden />;
}

/** After a button of a day has gone with its photos, focuses the heading of that day or of the next one. */
function useFocusOnNext(
  root: { current: HTMLElement | null },
  days: readonly CheckedDay[],
  isCovered: boolean,
): void {
  const last = useRef('');
  useEffect(() => {
    const place = root.current;
    if (!place) return;
    const onFocus = ({ target }: FocusEvent) => {
      const heading = (target as Element).closest('section')?.getAttribute('aria-labelledby') ?? '';
      last.current = heading.slice(heading.indexOf(CHECKED_DAY) + CHECKED_DAY.length);
    };
    place.addEventListener('focusin', onFocus);
    return () => place.removeEventListener('focusin', onFocus);
  }, [root]);
  useEffect(() => {
    if (isCovered || document.activeElement !== document.body) return;
    const next = days.find(({ jour }) => jour >= last.current) ?? days.at(-1);
    const heading = next && document.getElementById(`jour-${CHECKED_DAY}${next.jour}`);
    heading?.focus({ preventScroll: true });
  }, [days, isCovered]);
}

interface DayVerdictProps {
  /** In words. */
  name: string;
  day: CheckedDay;
  ticked: ReadonlySet<number>;
  seen: ReadonlySet<number>;
  /** Publication time in words, after a space; blank: now. */
  when: string;
  onPublish(ids: readonly number[]): void;
  onRefuse(ids: readonly number[]): void;
  onLook(ids: readonly number[]): void;
}

/** Below the photos of a day: publishes those that are ticked; rules out the others, or shows them one by one. */
function DayVerdict({ name, day, ticked, seen, when, onPublish, onRefuse, onLook }: DayVerdictProps) {
  const inSight = day.waiting.filter(({ id }) => seen.has(id)).map(({ id }) => id);
  const chosen = inSight.filter((id) => ticked.has(id));
  const others = inSight.filter((id) => !ticked.has(id));
  const unseen = day.waiting.length - inSight.length;
  const areMany = others.length > 1;
  return (
    <div className="mt-3 flex flex-col items-start gap-2">
      {chosen.length > 0 && (
        <Button className="min-h-13 max-sm:w-full" onClick={() => onPublish(chosen)}>
          Publier {chosen.length > 1 ? `les ${countOf(chosen.length)}` : 'la photo'} du {name}
          {when}
        </Button>
      )}
      {others.length > 0 && (
        <div className="flex flex-wrap gap-2">
          <Button danger onClick={() => onRefuse(others)}>
            <X className="size-5 shrink-0" />
            Écarter {areMany ? `les ${others.length} autres` : 'l’autre'}
            <span className="sr-only"> du {name}</span>
          </Button>
          <Button quiet onClick={() => onLook(others)}>
            Regarder {areMany ? `les ${others.length} autres une par une` : 'l’autre en grand'}
            <span className="sr-only"> du {name}</span>
          </Button>
        </div>
      )}
      {day.out.length > 0 && (
        <p>
          <strong>{countOf(day.out.length, 'écartée')}</strong>
          {'\u202f'}: {day.out.length > 1 ? 'elles ne seront publiées' : 'elle ne sera publiée'} que si
          quelqu’un {day.out.length > 1 ? 'les coche une par une' : 'la coche'}.
        </p>
      )}
      {unseen > 0 && (
        <p className="text-sm text-quiet">
          {unseen === 1
            ? '1\u00a0photo n’a pas encore été affichée\u202f: elle reste à vérifier.'
            : `${countOf(unseen)} n’ont pas encore été affichées\u202f: elles restent à vérifier.`}
        </p>
      )}
    </div>
  );
}
