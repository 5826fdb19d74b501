import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { photoName } from '#features/checking/web/texts.ts';
import { withIds } from '#features/gallery/web/keepsakes.ts';
import type { Photo } from '#features/photos/calls.ts';
import { nearestLeft } from '#features/photos/web/grid/inSight.ts';
import type { GridGroup } from '#features/photos/web/grid/layout.ts';
import { type GridHandle, PhotoGrid } from '#features/photos/web/grid/PhotoGrid.tsx';
import type { Tracking } from '#features/photos/web/useStayPhotos.ts';
import type { NamedStay } from '#features/stays/web/stays.ts';
import { groupBy } from '#platform/web/groupBy.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { NoticeRegion } from '#platform/web/ui/notices.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { WholeDialog } from '#platform/web/ui/WholeDialog.tsx';
import { BinButtons, useBin, useBinGroups } from './Bin.tsx';
import { BulkBar, BulkButtons, StateBadge, stateOf, useBulk } from './BulkBar.tsx';
import { DayFilter, FILTERS, type FilterName, StateFilter } from './filters.tsx';
import { DragArea, grip, type Order, OrderReset, PlaceInDay, useOrder } from './Ordering.tsx';
import { BinnedDetails, PhotoDetails, PhotoView } from './PhotoDetails.tsx';

interface PhotoShelfProps {
  photos: readonly Photo[];
  stay: NamedStay;
  tracking: Tracking;
  first?: FilterName;
}

/** The photos of a stay in a state and of a day, or those in its bin. */
export function PhotoShelf({ photos, stay, tracking, first = 'all' }: PhotoShelfProps) {
  const [filter, setFilter] = useState<FilterName>(first);
  const [day, setDay] = useState('');
  const press = usePress();
  const ofDay = useMemo(() => photos.filter(({ jour }) => day === '' || jour === day), [photos, day]);
  const choose = (wanted: FilterName) => {
    setFilter(wanted);
    if (wanted !== 'bin') return;
    // The bin is by other days, and in no order of its own.
    setDay('');
    if (press.mode === 'order') press.change('open');
  };
  const binned = tracking.par_statut.corbeille ?? 0;
  return (
    <section aria-label="Toutes les photos" className="flex flex-col gap-4">
      <StateFilter photos={ofDay} binned={binned} chosen={filter} onChoose={choose} />
      {filter === 'bin' ? (
        <BinShelf {...{ photos, tracking, press }} />
      ) : (
        <StayShelf {...{ photos, stay, filter, day, press }} onDay={setDay} />
      )}
    </section>
  );
}

/** The shelf over the whole window. */
export function PhotoAlbum({
  photos,
  stay,
  tracking,
  first,
  onClose,
}: PhotoShelfProps & { onClose(): void }) {
  return (
    <WholeDialog title="Toutes les photos" onClose={onClose} isOnlyClosed>
      {() => (
        <div className="album" data-scroller>
          {/* Those of the page lie behind the dialog. */}
          <NoticeRegion />
          <div className="px-3 py-4 sm:px-6">
            <PhotoShelf photos={photos} stay={stay} tracking={tracking} first={first} />
          </div>
        </div>
      )}
    </WholeDialog>
  );
}

/** What a press on a photo, or a drag of it, does. */
type Mode = 'open' | 'tick' | 'order';

const LABELS = {
  tick: ['Cocher des photos', 'Ne plus cocher'],
  order: ['Ordonner', 'Ne plus ordonner'],
} as const;

type Press = ReturnType<typeof usePress>;

function usePress() {
  const [mode, setMode] = useState<Mode>('open');
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const tick = (ids: readonly number[], isTicked: boolean) =>
    setTicked((before) => withIds(before, ids, isTicked));
  const untickAll = () => setTicked(new Set());
  const change = (wanted: Mode) => {
    setMode(wanted);
    untickAll();
  };
  return { mode, change, ticked, tick, untickAll };
}

function ModeButton({ press, mode }: { press: Press; mode: keyof typeof LABELS }) {
  const isOn = press.mode === mode;
  const [begin, end] = LABELS[mode];
  return (
    <Button quiet aria-pressed={isOn} onClick={() => press.change(isOn ? 'open' : mode)}>
      {isOn ? end : begin}
    </Button>
  );
}

const badge = (photo: Photo) => <StateBadge photo={photo} />;

interface StayShelfProps extends Pick<PhotoShelfProps, 'photos' | 'stay'> {
  filter: FilterName;
  day: string;
  press: Press;
  onDay(day: string): void;
}

/** Photos by day: opened, decided on together, or moved within their day. */
function StayShelf({ photos: listed, stay, filter, day, press, onDay }: StayShelfProps) {
  const { locale } = useSite();
  const order = useOrder(listed);
  const { photos } = order;
  const { isIn } = FILTERS[filter];
  const isOrdering = press.mode === 'order';
  const days = useMemo(() => groupBy(photos, ({ jour }) => jour), [photos]);
  const groups = useMemo(
    () =>
      [...days].flatMap(([jour, ofDay]) => {
        const shown = day === '' || jour === day ? ofDay.filter(isIn) : [];
        const intro = isOrdering && <OrderReset day={jour} photos={ofDay} />;
        return shown.length > 0 ? [{ id: jour, title: weekdayOf(jour, locale), photos: shown, intro }] : [];
      }),
    [days, day, isIn, isOrdering, locale],
  );
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <DayFilter days={[...days.keys()]} chosen={day} onChoose={onDay} />
        <ModeButton press={press} mode="tick" />
        <ModeButton press={press} mode="order" />
        {filter === 'refused' && <RemoveAll photos={groups.flatMap((group) => group.photos)} />}
      </div>
      {isOrdering && (
        <p className="max-w-prose">
          Glissez une photo par sa poignée, ou ouvrez-la pour l’avancer ou la reculer dans son jour. Les
          familles voient les photos dans cet ordre.
          <span className="hidden text-quiet lg:inline"> Alt et une flèche la déplacent aussi.</span>
        </p>
      )}
      <p role="status" className="sr-only">
        {order.said}
      </p>
      <Shelf
        {...{ photos, groups, press }}
        overlay={badge}
        order={{ ...order, isShown: isIn }}
        nothing={<p className="well">Aucune photo ici. Choisissez un autre état ou un autre jour.</p>}
        gone="Cette photo est à la corbeille."
        acts={(chosen) => <BulkButtons photos={chosen} stay={stay} onDone={press.untickAll} />}
        details={(photo, among) => (
          <>
            <PlaceInDay
              photo={photo}
              shown={photos.filter(({ id, jour }) => jour === photo.jour && among.includes(id))}
              onStep={(by) => order.step(photo.id, by, ({ id }) => among.includes(id))}
              trouble={order.trouble}
            />
            <PhotoDetails key={photo.id} photo={photo} stay={stay} />
          </>
        )}
      />
    </>
  );
}

function RemoveAll({ photos }: { photos: readonly Photo[] }) {
  const { isBusy, remove } = useBulk(photos, () => {});
  if (photos.length < 2) return null;
  return (
    <Button danger aria-disabled={isBusy} onClick={remove}>
      Mettre ces {photos.length} photos à la corbeille
    </Button>
  );
}

interface BinShelfProps extends Pick<PhotoShelfProps, 'photos' | 'tracking'> {
  press: Press;
}

const NONE: readonly Photo[] = [];

/** The bin, by the day on which its photos are erased. */
function BinShelf({ photos: others, tracking, press }: BinShelfProps) {
  const bin = useBin(others);
  const { photos, total } = bin.data ?? { photos: NONE, total: 0 };
  const groups = useBinGroups(photos, tracking);
  return (
    <>
      <p className="max-w-prose">
        Les familles ne voient plus ces photos. Une photo rétablie est à vérifier avant qu’elles la revoient.
        {total > photos.length && ` Les ${photos.length} premières sont ici.`}
      </p>
      <div>
        <ModeButton press={press} mode="tick" />
      </div>
      <Shelf
        {...{ photos, groups, press }}
        nothing={
          <LoadState query={bin} failed="La corbeille n’a pas pu être chargée.">
            {() => <p className="well">La corbeille est vide.</p>}
          </LoadState>
        }
        gone="Cette photo n’est plus dans la corbeille."
        acts={(chosen) => <BinButtons photos={chosen} onDone={press.untickAll} />}
        details={(photo) => <BinnedDetails key={photo.id} photo={photo} tracking={tracking} />}
      />
    </>
  );
}

interface ShelfProps {
  /** All photos of the stay, or of its bin. */
  photos: readonly Photo[];
  groups: readonly GridGroup[];
  press: Press;
  overlay?: (photo: Photo) => ReactNode;
  /** Absent: they are in no order that can be changed. */
  order?: Order & { isShown(photo: Photo): boolean };
  /** Instead of the grid, when no photo is shown. */
  nothing: ReactNode;
  /** Said of an open photo that has gone. */
  gone: string;
  /** What can be done with ticked photos. */
  acts(chosen: readonly Photo[]): ReactNode;
  /** What stands beside an open photo; `among`: ids of those among which the arrows move. */
  details(photo: Photo, among: readonly number[]): ReactNode;
}

/** The photo that is open, and the order of those that were shown when it was opened. */
interface Opened {
  id: number;
  order: readonly number[];
}

/** The grid of photos in each of the modes, and the photo that is open. */
function Shelf({ photos, groups, press, overlay, order, nothing, gone, acts, details }: ShelfProps) {
  const { locale } = useSite();
  const [opened, setOpened] = useState<Opened>();
  const isOrdering = press.mode === 'order';
  const shown = useMemo(() => groups.flatMap((group) => group.photos), [groups]);
  // Photos that are not shown do not count as ticked: decisions must not reach them.
  const ticked = useMemo(
    () => new Set(shown.flatMap(({ id }) => (press.ticked.has(id) ? [id] : []))),
    [shown, press.ticked],
  );
  const nameOf = useMemo(
    () => (photo: Photo) => `${photoName(photo, locale)}, ${stateOf(photo).toLowerCase()}`,
    [locale],
  );
  const grid = useRef<GridHandle>(null);
  useFocusOnClose(opened, shown, grid);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key] as 1 | -1 | undefined;
    const id = Number((event.target as HTMLElement).dataset.photo);
    if (!isOrdering || !event.altKey || !by || !id) return;
    // Not Back or Forward.
    event.preventDefault();
    order?.step(id, by, order.isShown);
    grid.current?.reveal(id);
  };
  return (
    <>
      <p role="alert" aria-live="assertive" className="font-semibold text-coral empty:hidden">
        {!opened && order?.trouble && `L’ordre n’a pas pu être enregistré. ${order.trouble}`}
      </p>
      {shown.length === 0 ? (
        nothing
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: keys pressed on the photos inside
        <div onKeyDown={onKeyDown}>
          <DragArea
            isOn={isOrdering}
            onDrop={(id, target, isAfter) => order?.drop(id, target, isAfter, order.isShown)}
          >
            <PhotoGrid
              groups={groups}
              nameOf={nameOf}
              overlay={overlay}
              actions={isOrdering ? grip : undefined}
              onOpen={({ id }) => setOpened({ id, order: shown.map((photo) => photo.id) })}
              ticking={press.mode === 'tick' ? { ticked, onTick: press.tick } : undefined}
              handle={grid}
            />
          </DragArea>
        </div>
      )}
      {press.mode === 'tick' && (
        <BulkBar shown={shown} ticked={ticked} onTick={press.tick}>
          {acts}
        </BulkBar>
      )}
      {opened && (
        <PhotoView
          {...opened}
          {...{ photos, gone, details }}
          onMove={(id) => setOpened({ ...opened, id })}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

/** After closing, reveals the photo that was open last, or the nearest one when it is no longer shown. */
function useFocusOnClose(
  opened: Opened | undefined,
  shown: readonly Photo[],
  grid: RefObject<GridHandle | null>,
): void {
  const last = useRef<Opened>(undefined);
  useEffect(() => {
    const before = last.current;
    last.current = opened;
    if (opened || !before) return;
    const found = nearestLeft(before.id, before.order, shown);
    if (found !== undefined) grid.current?.reveal(found);
  }, [opened, shown, grid]);
}
