import { Check } from 'lucide-react';
import { type CSSProperties, type MouseEvent, memo, useEffect, useState } from 'react';
import { thumbHashToDataURL } from 'thumbhash';
import type { Photo } from '#features/photos/calls.ts';
import { type GridSlots, sourcesOf } from './layout.ts';

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

/** Placeholders in the cache, about 5 kB each: enough for a few windows. */
const KEPT = 400;
const drawn = new Map<string, string>();

/** The blurred picture shown until the photo has loaded, as a `background-image` value; undefined when it has none. */
function placeholderOf(apercu: string): string | undefined {
  const known = drawn.get(apercu);
  if (known !== undefined) return known;
  if (!/^[A-Za-z0-9+/]{8,}=*$/.test(apercu)) return undefined;
  const bytes = Uint8Array.from(atob(apercu), (character) => character.charCodeAt(0));
  const picture = `url(${thumbHashToDataURL(bytes)})`;
  if (drawn.size >= KEPT) drawn.clear();
  drawn.set(apercu, picture);
  return picture;
}

/** Delays, in ms, before each retry of a picture that failed to load; there is no retry after the last one. */
const WAITS = [2_000, 10_000];

/**
 * Retries a picture that failed to load, because of a lost connection or an overloaded site: use `tries` as its key, so
 * that it is fetched again.
 */
function useRetries(): { tries: number; onError: () => void } {
  const [tries, setTries] = useState(0);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    const wait = WAITS[tries];
    if (!isMissing || wait === undefined) return;
    // Random, so that pictures that failed together are not all retried at the same instant.
    const timer = setTimeout(() => again(), wait * (0.75 + Math.random() / 2));
    function again() {
      setMissing(false);
      setTries(tries + 1);
    }
    window.addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', again);
    };
  }, [isMissing, tries]);
  return { tries, onError: () => setMissing(true) };
}
