import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { photoName } from '#features/photos/web/checking/texts.ts';
import { type GridHandle, PhotoGrid } from '#features/photos/web/grid/PhotoGrid.tsx';
import type { ManagedStay } from '#features/stays/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { BulkBar, StateBadge, stateOf } from './BulkBar.tsx';
import { DayFilter, FILTERS, type FilterName, StateFilter } from './filters.tsx';
import { PhotoView } from './PhotoView.tsx';

interface PhotoShelfProps {
  photos: readonly Photo[];
  stay: ManagedStay;
}

/** The photo that is open, among those that were shown when one was opened. */
interface Opened {
  id: number;
  order: readonly number[];
}

const badge = (photo: Photo) => <StateBadge photo={photo} />;

/** The photos by day, sifted by state and by day; opened one at a time, or ticked and decided on together. */
export function PhotoShelf({ photos, stay }: PhotoShelfProps) {
  const { locale } = useSite();
  const [filter, setFilter] = useState<FilterName>('all');
  const [day, setDay] = useState('');
  const [isTicking, setTicking] = useState(false);
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const [opened, setOpened] = useState<Opened>();

  const days = useMemo(() => [...new Set(photos.map(({ jour }) => jour))], [photos]);
  const ofDay = useMemo(() => photos.filter(({ jour }) => day === '' || jour === day), [photos, day]);
  const shown = useMemo(() => ofDay.filter(FILTERS[filter].isIn), [ofDay, filter]);
  const tick = (ids: readonly number[], isTicked: boolean) =>
    setMarked((before) => {
      const after = new Set(before);
      for (const id of ids) isTicked ? after.add(id) : after.delete(id);
      return after;
    });
  // What is not shown is not decided on.
  const ticked = useMemo(
    () => new Set(shown.flatMap(({ id }) => (marked.has(id) ? [id] : []))),
    [shown, marked],
  );
  const groups = useMemo(
    () =>
      [...new Set(shown.map(({ jour }) => jour))].map((jour) => ({
        id: jour,
        title: weekdayOf(jour, locale),
        photos: shown.filter((photo) => photo.jour === jour),
      })),
    [shown, locale],
  );
  const nameOf = useMemo(
    () => (photo: Photo) => `${photoName(photo, locale)}, ${stateOf(photo).toLowerCase()}`,
    [locale],
  );
  const grid = useRef<GridHandle>(null);
  useFocusOnClose(opened, shown, grid);

  return (
    <section aria-label="Toutes les photos" className="flex flex-col gap-4">
      <StateFilter photos={ofDay} chosen={filter} onChoose={setFilter} />
      <div className="flex flex-wrap items-end gap-3">
        <DayFilter days={days} chosen={day} onChoose={setDay} />
        <button
          type="button"
          className="button quiet"
          aria-pressed={isTicking}
          onClick={() => {
            setTicking(!isTicking);
            setMarked(new Set());
          }}
        >
          {isTicking ? 'Ne plus cocher' : 'Cocher des photos'}
        </button>
      </div>
      {shown.length === 0 ? (
        <p className="well">Aucune photo ici. Choisissez un autre état ou un autre jour.</p>
      ) : (
        <PhotoGrid
          groups={groups}
          nameOf={nameOf}
          overlay={badge}
          onOpen={({ id }) => setOpened({ id, order: shown.map((photo) => photo.id) })}
          ticking={isTicking ? { ticked, onTick: tick } : undefined}
          handle={grid}
        />
      )}
      {isTicking && (
        <BulkBar
          shown={shown}
          ticked={ticked}
          stay={stay}
          onTick={tick}
          onDone={() => setMarked(new Set())}
        />
      )}
      {opened && (
        <PhotoView
          {...opened}
          photos={photos}
          stay={stay}
          onMove={(id) => setOpened({ ...opened, id })}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  );
}

/** Leads to the photo that was open last, once it is closed; to one beside it when it is shown no more. */
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
