import { Check } from 'lucide-react';
import { type MouseEvent, memo, useCallback, useEffect, useRef, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { drawnWidth, type GridSlots, sourcesOf } from './layout.ts';
import { blurWhenIdle, colourOf } from './placeholder.ts';

interface GridTileProps {
  photo: Photo;
  /** Accessible name. */
  name: string;
  left: number;
  top: number;
  width: number;
  height: number;
  /** Place among the photos of its day, and their number. */
  place: number;
  count: number;
  /** True for the one photo that Tab leads to. */
  isEntry: boolean;
  /** Undefined: a press opens the photo; otherwise it ticks or unticks it. */
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
        <TilePicture photo={photo} width={width} height={height} />
        {overlay?.(photo)}
        {isTicked !== undefined && (
          <span className="photo-tick">{isTicked && <Check aria-hidden="true" className="size-5" />}</span>
        )}
      </button>
      {actions?.(photo)}
    </li>
  );
});

interface TilePictureProps {
  photo: Photo;
  /** Of the tile, in pixels. */
  width: number;
  height: number;
}

function TilePicture({ photo, width, height }: TilePictureProps) {
  const { apercu } = photo;
  const style = { backgroundColor: colourOf(apercu) };
  const picture = useRef<HTMLImageElement>(null);
  const { tries, onError } = useRetries();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try is another picture
  useEffect(() => (picture.current ? blurWhenIdle(picture.current, apercu) : undefined), [apercu, tries]);
  const sources = sourcesOf(photo);
  const [small] = sources;
  if (!small) return <span className="photo-picture" style={style} />;
  const drawn = drawnWidth(photo, width, height);
  return (
    <img
      key={tries}
      ref={picture}
      src={small.src}
      srcSet={sharpEnough(sources, drawn)
        .map((source) => `${source.src} ${source.width}w`)
        .join(', ')}
      sizes={`${drawn}px`}
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

/**
 * The sizes that a tile may take, without the largest: those up to two points a pixel. A screen of three would ask for
 * four times the bytes, and show no more in a thumbnail.
 */
export function sharpEnough(sources: ReturnType<typeof sourcesOf>, drawn: number): typeof sources {
  const small = sources.slice(0, -1);
  const enough = small.findIndex((source) => source.width >= 2 * drawn);
  return enough < 0 ? small : small.slice(0, enough + 1);
}

/** Delays, in ms, before each retry of a picture that failed to load; there is no retry after the last one. */
const WAITS = [2_000, 10_000];

interface Retries {
  /** Key of the picture: with another one, it is fetched again. */
  tries: number;
  /** True once the last retry has failed too. */
  hasFailed: boolean;
  onError(): void;
  retry(): void;
}

/** Retries a picture that failed to load, because of a lost connection or an overloaded site, after each of `WAITS`. */
export function useRetries(): Retries {
  const [tries, setTries] = useState(0);
  const [isMissing, setMissing] = useState(false);
  const wait = WAITS[tries];
  const retry = useCallback(() => {
    setMissing(false);
    setTries((count) => count + 1);
  }, []);
  useEffect(() => {
    if (!isMissing) return;
    // Random, so that pictures that failed together are not all retried at the same instant.
    const timer = wait === undefined ? undefined : setTimeout(retry, wait * (0.75 + Math.random() / 2));
    window.addEventListener('online', retry);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', retry);
    };
  }, [isMissing, wait, retry]);
  return { tries, hasFailed: isMissing && wait === undefined, onError: () => setMissing(true), retry };
}
