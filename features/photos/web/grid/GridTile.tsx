import { Check } from 'lucide-react';
import { type CSSProperties, type MouseEvent, memo } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { type GridSlots, sourcesOf } from './layout.ts';
import { placeholderOf } from './placeholder.ts';
import { useRetries } from './useRetries.ts';

interface GridTileProps {
  photo: Photo;
  /** What it is called for whoever does not see it. */
  name: string;
  left: number;
  top: number;
  width: number;
  height: number;
  /** Place among the photos of its day, and how many these are. */
  place: number;
  count: number;
  /** The one that Tab leads to. */
  isEntry: boolean;
  /** Undefined: a press opens it; else a press ticks it. */
  isTicked: boolean | undefined;
  overlay: GridSlots['overlay'];
  actions: GridSlots['actions'];
  onPress(photo: Photo, event: MouseEvent): void;
}

/** One photo of the grid: a button over its picture. */
export const GridTile = memo(function GridTile(props: GridTileProps) {
  const { photo, name, left, top, width, height, place, count, isEntry, isTicked, overlay, actions } = props;
  const ticking = isTicked === undefined ? {} : { role: 'checkbox', 'aria-checked': isTicked };
  return (
    <li
      className="photo-tile"
      style={{ left, top, width, height }}
      aria-setsize={count}
      aria-posinset={place + 1}
    >
      <button
        type="button"
        {...ticking}
        data-photo={photo.id}
        tabIndex={isEntry ? 0 : -1}
        aria-label={name}
        className={`photo-press ${isTicked ? 'ticked' : ''}`}
        onClick={(event) => props.onPress(photo, event)}
      >
        <TilePicture photo={photo} width={width} />
        {overlay?.(photo)}
        {isTicked !== undefined && (
          <span className="photo-tick">{isTicked && <Check aria-hidden="true" className="size-5" />}</span>
        )}
      </button>
      {actions?.(photo)}
    </li>
  );
});

function TilePicture({ photo, width }: { photo: Photo; width: number }) {
  const style: CSSProperties = { backgroundImage: placeholderOf(photo.apercu) };
  const { tries, onError } = useRetries();
  const sources = sourcesOf(photo);
  const [small] = sources;
  if (!small) return <span className="photo-picture" style={style} />;
  return (
    <img
      key={tries}
      src={small.src}
      srcSet={sources
        .slice(0, 2)
        .map((source) => `${source.src} ${source.width}w`)
        .join(', ')}
      sizes={`${width}px`}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      className="photo-picture"
      style={style}
      onError={onError}
    />
  );
}
