import { Check } from 'lucide-react';
import { type CSSProperties, type MouseEvent, memo, useCallback, useEffect, useState } from 'react';
import { thumbHashToDataURL } from 'thumbhash';
import type { Photo } from '../../calls.ts';
import { drawnWidth, type GridSlots, sharpEnough, srcSetOf } from './layout.ts';

interface GridTileProps {
  photo: Photo;
  name: string;
  left: number;
  top: number;
  width: number;
  height: number;
  /** `Row.nominal` of its row. */
  nominal: number;
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

export const GridTile = memo(function GridTile(props: GridTileProps) {
  const { photo, width, height, isTicked } = props;
  const ticking = isTicked === undefined ? {} : { role: 'checkbox', 'aria-checked': isTicked };
  return (
    <li
      className="photo-tile"
      style={{ left: props.left, top: props.top, width, height }}
      aria-setsize={props.count}
      aria-posinset={props.place + 1}
    >
      <button
        type="button"
        {...ticking}
        data-photo={photo.id}
        tabIndex={props.isEntry ? 0 : -1}
        aria-label={props.name}
        className={`photo-press ${isTicked ? 'ticked' : ''}`}
        onClick={(event) => props.onPress(photo, event)}
      >
        <TilePicture photo={photo} width={width} height={height} nominal={props.nominal} />
        {props.overlay?.(photo)}
        {isTicked !== undefined && (
          <span className="photo-tick">{isTicked && <Check className="size-5" />}</span>
        )}
      </button>
      {props.actions?.(photo)}
    </li>
  );
});

interface TilePictureProps {
  photo: Photo;
  width: number;
  height: number;
  nominal: number;
}

function TilePicture({ photo, width, height, nominal }: TilePictureProps) {
  const style: CSSProperties = { backgroundImage: placeholderOf(photo.apercu) };
  const { tries, onError } = useRetries();
  const sources = sharpEnough(photo, nominal);
  const [small] = sources;
  if (!small) return <span className="photo-picture" style={style} />;
  const drawn = drawnWidth(photo, width, height);
  return (
    <img
      key={tries}
      ref={untilRemoved}
      src={small.src}
      srcSet={srcSetOf(sources)}
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

/** Time, in ms, in which another picture may join a request: those of the grid join those that the server rendered. */
const JOINED_MS = 500;

/**
 * A `ref` that ends the request of a picture which goes before it has come: a browser would go on with it, even out of the
 * page, and nobody could set it aside for a photo that opens.
 */
export function untilRemoved(picture: HTMLImageElement) {
  const end = () => {
    // While developing, React also calls this for pictures that stay.
    if (!picture.isConnected && !picture.complete) giveUp(picture);
  };
  return () => void setTimeout(end, JOINED_MS);
}

export function giveUp(picture: HTMLImageElement): void {
  // A browser does so when it has neither.
  picture.removeAttribute('srcset');
  picture.removeAttribute('src');
}

/** Placeholders in the cache, about 5 kB each: enough for a few windows. */
const KEPT = 400;
const drawn = new Map<string, string>();

/** The blurred picture shown until the photo has loaded, as a `background-image` value; undefined when it has none. */
export function placeholderOf(apercu: string): string | undefined {
  const known = drawn.get(apercu);
  if (known !== undefined) return known;
  const bytes = thumbHashOf(apercu);
  if (!bytes) return undefined;
  const picture = `url(${thumbHashToDataURL(bytes)})`;
  if (drawn.size >= KEPT) drawn.clear();
  drawn.set(apercu, picture);
  return picture;
}

/** Undefined for a photo that has none. */
export function thumbHashOf(apercu: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]{8,}=*$/.test(apercu)) return undefined;
  return Uint8Array.from(atob(apercu), (character) => character.charCodeAt(0));
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
