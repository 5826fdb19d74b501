import { ArrowLeft, ArrowRight, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { photoName } from '#features/checking/web/texts.ts';
import type { Photo } from '#features/photos/calls.ts';
import { sourcesOf } from '#features/photos/web/grid/layout.ts';
import { type GridHandle, PhotoGrid } from '#features/photos/web/grid/PhotoGrid.tsx';
import type { Tracking } from '#features/photos/web/useStayPhotos.ts';
import type { NamedStay } from '#features/stays/web/stays.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { useModal } from '#platform/web/ui/dialogs.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { useBackCloses } from '#platform/web/ui/WholeDialog.tsx';
import { useBin, useBinGroups } from './Bin.tsx';
import { BulkBar, StateBadge, stateOf, useBulk } from './BulkBar.tsx';
import { DayFilter, FILTERS, type FilterName, StateFilter } from './filters.tsx';
import { DragArea, grip, type Order, OrderReset, PlaceInDay, useOrder } from './Ordering.tsx';
import { BinnedDetails, PhotoDetails } from './PhotoDetails.tsx';

/** The photo that is open, and the order of those that were shown when it was opened. */
interface Opened {
  id: number;
  order: readonly number[];
}

const badge = (photo: Photo) => <StateBadge photo={photo} />;

interface PhotoShelfProps {
  photos: readonly Photo[];
  stay: NamedStay;
  tracking: Tracking;
  first?: FilterName;
}

/** What a press on a photo, or a drag of it, does. */
type Mode = 'open' | 'tick' | 'order';

const NONE: readonly Photo[] = [];

/**
 * The photos by day, filtered by state and by day, or those of the bin by the day of their end; opened one at a time,
 * ticked and decided on together, or moved within their day.
 */
export function PhotoShelf({ photos: there, stay, tracking, first = 'all' }: PhotoShelfProps) {
  const { locale } = useSite();
  const [filter, setFilter] = useState<FilterName>(first);
  const [day, setDay] = useState('');
  const [mode, setMode] = useState<Mode>('open');
  const [tickedIds, setTickedIds] = useState<ReadonlySet<number>>(new Set());
  const [opened, setOpened] = useState<Opened>();
  const isBin = filter === 'bin';
  const bin = useBin(there, isBin);
  const order = useOrder(there);
  const photos = isBin ? (bin.data?.photos ?? NONE) : order.photos;

  const days = useMemo(() => [...new Set(photos.map(({ jour }) => jour))], [photos]);
  const ofDay = useMemo(() => photos.filter(({ jour }) => day === '' || jour === day), [photos, day]);
  const shown = useMemo(() => ofDay.filter(FILTERS[filter].isIn), [ofDay, filter]);
  const tick = (ids: readonly number[], isTicked: boolean) =>
    setTickedIds((before) => {
      const after = new Set(before);
      for (const id of ids) isTicked ? after.add(id) : after.delete(id);
      return after;
    });
  // Photos that are not shown do not count as ticked: decisions must not reach them.
  const ticked = useMemo(
    () => new Set(shown.flatMap(({ id }) => (tickedIds.has(id) ? [id] : []))),
    [shown, tickedIds],
  );
  const binGroups = useBinGroups(isBin ? shown : NONE, tracking);
  const dayGroups = useMemo(
    () =>
      [...new Set(shown.map(({ jour }) => jour))].map((jour) => ({
        id: jour,
        title: weekdayOf(jour, locale),
        photos: shown.filter((photo) => photo.jour === jour),
        intro: mode === 'order' && (
          <OrderReset day={jour} photos={photos.filter((photo) => photo.jour === jour)} />
        ),
      })),
    [shown, photos, mode, locale],
  );
  const groups = isBin ? binGroups : dayGroups;
  const nameOf = useMemo(
    () => (photo: Photo) => `${photoName(photo, locale)}, ${stateOf(photo).toLowerCase()}`,
    [locale],
  );
  const grid = useRef<GridHandle>(null);
  useFocusOnClose(opened, shown, grid);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key] as 1 | -1 | undefined;
    const id = Number((event.target as HTMLElement).dataset.photo);
    if (mode !== 'order' || !event.altKey || !by || !id) return;
    // Not Back or Forward.
    event.preventDefault();
    order.step(id, by, FILTERS[filter].isIn);
    grid.current?.reveal(id);
  };
  const choose = (wanted: FilterName) => {
    setFilter(wanted);
    if (wanted !== 'bin') return;
    // The bin is by other days, and in no order of its own.
    setDay('');
    if (mode === 'order') setMode('open');
  };
  const toggle = (wanted: Mode, label: string, active: string) => (
    <Button
      quiet
      aria-pressed={mode === wanted}
      onClick={() => {
        setMode(mode === wanted ? 'open' : wanted);
        setTickedIds(new Set());
      }}
    >
      {mode === wanted ? active : label}
    </Button>
  );

  return (
    <section aria-label="Toutes les photos" className="flex flex-col gap-4">
      <StateFilter
        photos={isBin ? there : ofDay}
        binned={tracking.par_statut.corbeille ?? 0}
        chosen={filter}
        onChoose={choose}
      />
      {isBin && (
        <p className="max-w-prose">
          Les familles ne voient plus ces photos. Une photo rétablie est à vérifier avant qu’elles la
          revoient.
          {bin.data && bin.data.total > photos.length && ` Les ${photos.length} premières sont ici.`}
        </p>
      )}
      <div className="flex flex-wrap items-end gap-3">
        {!isBin && <DayFilter days={days} chosen={day} onChoose={setDay} />}
        {toggle('tick', 'Cocher des photos', 'Ne plus cocher')}
        {!isBin && toggle('order', 'Ordonner', 'Ne plus ordonner')}
        {filter === 'refused' && <RemoveAll photos={shown} />}
      </div>
      {mode === 'order' && (
        <p className="max-w-prose">
          Glissez une photo par sa poignée, ou ouvrez-la pour l’avancer ou la reculer dans son jour. Les
          familles voient les photos dans cet ordre.
          <span className="hidden text-quiet lg:inline"> Alt et une flèche la déplacent aussi.</span>
        </p>
      )}
      <p role="status" className="sr-only">
        {order.said}
      </p>
      <p role="alert" className="font-semibold text-coral empty:hidden">
        {!opened && order.trouble && `L’ordre n’a pas pu être enregistré. ${order.trouble}`}
      </p>
      {shown.length === 0 ? (
        <Nothing bin={isBin ? bin : undefined} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: keys pressed on the photos inside
        <div onKeyDown={onKeyDown}>
          <DragArea
            isOn={mode === 'order'}
            onDrop={(id, target, isAfter) => order.drop(id, target, isAfter, FILTERS[filter].isIn)}
          >
            <PhotoGrid
              groups={groups}
              nameOf={nameOf}
              overlay={isBin ? undefined : badge}
              actions={mode === 'order' ? grip : undefined}
              onOpen={({ id }) =>
                setOpened({ id, order: groups.flatMap((group) => group.photos.map((photo) => photo.id)) })
              }
              ticking={mode === 'tick' ? { ticked, onTick: tick } : undefined}
              handle={grid}
            />
          </DragArea>
        </div>
      )}
      {mode === 'tick' && (
        <BulkBar
          shown={shown}
          ticked={ticked}
          stay={stay}
          isBin={isBin}
          onTick={tick}
          onDone={() => setTickedIds(new Set())}
        />
      )}
      {opened && (
        <PhotoView
          {...opened}
          photos={photos}
          stay={stay}
          tracking={tracking}
          isBin={isBin}
          ordering={order}
          onMove={(id) => setOpened({ ...opened, id })}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  );
}

/** Says why no photo is shown. `bin`: the answer that they would come from, if it is the bin. */
function Nothing({ bin }: { bin: ReturnType<typeof useBin> | undefined }) {
  if (!bin) return <p className="well">Aucune photo ici. Choisissez un autre état ou un autre jour.</p>;
  return (
    <LoadState query={bin} failed="La corbeille n’a pas pu être chargée.">
      {() => <p className="well">La corbeille est vide.</p>}
    </LoadState>
  );
}

function RemoveAll({ photos }: { photos: readonly Photo[] }) {
  const { isBusy, remove } = useBulk(photos, () => {});
  if (photos.length < 2) return null;
  return (
    <Button danger aria-disabled={isBusy} onClick={remove}>
      Supprimer ces {photos.length} photos
    </Button>
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
    const there = new Set(shown.map(({ id }) => id));
    const place = before.order.indexOf(before.id);
    const nearest = [...before.order.slice(place), ...before.order.slice(0, place).reverse()];
    const found = nearest.find((id) => there.has(id));
    if (found !== undefined) grid.current?.reveal(found);
  }, [opened, shown, grid]);
}

interface PhotoViewProps {
  /** All photos of the stay, or of its bin. */
  photos: readonly Photo[];
  /** Ids of the photos among which the arrows move. */
  order: readonly number[];
  id: number;
  stay: NamedStay;
  tracking: Tracking;
  isBin: boolean;
  ordering: Order;
  onMove(id: number): void;
  onClose(): void;
}

/**
 * One photo in large, with its data and actions. It stays until the user moves on, even when a decision takes it out of
 * the filter: otherwise the next photo would appear under the same button.
 */
function PhotoView(props: PhotoViewProps) {
  const { photos, order, id, stay, tracking, isBin, ordering, onMove, onClose } = props;
  const { locale } = useSite();
  const close = useBackCloses(onClose);
  const modal = useModal(close);
  const titleId = useId();
  const found = useMemo(() => new Map(photos.map((one) => [one.id, one])), [photos]);
  const photo = found.get(id);
  const ids = order.filter((one) => one === id || found.has(one));
  const place = ids.indexOf(id);
  const move = (step: number) => {
    const next = ids[place + step];
    if (next !== undefined) onMove(next);
  };
  const closing = useRef<HTMLButtonElement>(null);
  const isGone = photo === undefined;
  // The button that had the focus disappeared with the photo.
  useEffect(() => {
    if (isGone && document.activeElement === document.body) closing.current?.focus();
  }, [isGone]);
  const largest = photo && sourcesOf(photo).at(-1);
  return (
    <dialog
      {...modal}
      aria-labelledby={titleId}
      className="m-0 flex h-dvh max-h-none w-full max-w-none flex-col bg-paper"
      onKeyDown={(event) => {
        modal.onKeyDown(event);
        if ((event.target as Element).closest('input, textarea, select')) return;
        if (event.key === 'ArrowRight') move(1);
        if (event.key === 'ArrowLeft') move(-1);
      }}
    >
      <div className="flex items-center gap-1 border-b border-mist px-2">
        <button ref={closing} type="button" className="round-button" onClick={close} data-first-focus>
          <X aria-hidden="true" />
          <span className="sr-only">Fermer</span>
        </button>
        <h2 id={titleId} className="grow text-lg">
          Photo {(place + 1).toLocaleString(locale)} sur {ids.length.toLocaleString(locale)}
        </h2>
        <button type="button" className="round-button" aria-disabled={place <= 0} onClick={() => move(-1)}>
          <ArrowLeft aria-hidden="true" />
          <span className="sr-only">Précédente</span>
        </button>
        <button
          type="button"
          className="round-button"
          aria-disabled={place >= ids.length - 1}
          onClick={() => move(1)}
        >
          <ArrowRight aria-hidden="true" />
          <span className="sr-only">Suivante</span>
        </button>
      </div>
      {photo && (
        <div className="flex min-h-0 grow flex-col overflow-y-auto lg:flex-row lg:overflow-hidden">
          <div className="flex min-h-[45dvh] shrink-0 items-center justify-center bg-[#0a1916] text-white lg:min-h-0 lg:min-w-0 lg:shrink lg:grow">
            {largest ? (
              <img
                key={photo.id}
                src={largest.src}
                alt={photoName(photo, locale)}
                className="max-h-[60dvh] w-full object-contain lg:h-full lg:max-h-none"
              />
            ) : (
              <p className="p-6 text-center">Pas d’image à montrer pour ce fichier.</p>
            )}
          </div>
          <div className="shrink-0 p-4 lg:w-88 lg:overflow-y-auto lg:border-l lg:border-mist lg:p-5">
            {isBin ? (
              <BinnedDetails key={photo.id} photo={photo} tracking={tracking} />
            ) : (
              <>
                <PlaceInDay
                  photo={photo}
                  shown={photos.filter((one) => one.jour === photo.jour && order.includes(one.id))}
                  onStep={(by) => ordering.step(photo.id, by, (one) => order.includes(one.id))}
                  trouble={ordering.trouble}
                />
                <PhotoDetails key={photo.id} photo={photo} stay={stay} />
              </>
            )}
          </div>
        </div>
      )}
      <div role="status" className={isGone ? 'm-auto p-6 text-center' : 'sr-only'}>
        {isGone && (isBin ? 'Cette photo n’est plus dans la corbeille.' : 'Cette photo est supprimée.')}
      </div>
    </dialog>
  );
}
