import { thumbHashToAverageRGBA, thumbHashToDataURL } from 'thumbhash';

/* What stands in the place of a photo until its file has come: its average colour at once, then its blur. */

/** Average colour of a photo, as a CSS value; undefined when it has no ThumbHash. */
export function colourOf(apercu: string): string | undefined {
  const bytes = bytesOf(apercu);
  if (!bytes) return undefined;
  const { r, g, b } = thumbHashToAverageRGBA(bytes);
  return `rgb(${[r, g, b].map((part) => Math.round(255 * part)).join(' ')})`;
}

/** Blurs in the cache, about 5 kB each: enough for a few windows. */
const KEPT = 400;
const drawn = new Map<string, string>();

/** The blurred picture of a photo, as a `background-image` value; undefined when it has no ThumbHash. */
export function placeholderOf(apercu: string): string | undefined {
  const known = drawn.get(apercu);
  if (known !== undefined) return known;
  const bytes = bytesOf(apercu);
  if (!bytes) return undefined;
  const picture = `url(${thumbHashToDataURL(bytes)})`;
  if (drawn.size >= KEPT) drawn.clear();
  drawn.set(apercu, picture);
  return picture;
}

function bytesOf(apercu: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]{8,}=*$/.test(apercu)) return undefined;
  return Uint8Array.from(atob(apercu), (character) => character.charCodeAt(0));
}

/** Longest time, in ms, for which blurs are drawn without a pause. */
const SLICE_MS = 4;
/** The pictures whose blur is still to be drawn. */
const waiting = new Map<HTMLElement, string>();

/**
 * Draws the blur of a photo behind its picture once the browser is idle, unless the file has come by then: scrolling
 * would wait for it. Returns the function that gives it up.
 */
export function blurWhenIdle(picture: HTMLElement, apercu: string): () => void {
  if (waiting.size === 0) whenIdle(drawWaiting);
  waiting.set(picture, apercu);
  return () => waiting.delete(picture);
}

function drawWaiting(): void {
  const end = performance.now() + SLICE_MS;
  for (const [picture, apercu] of waiting) {
    waiting.delete(picture);
    const hasCome = picture instanceof HTMLImageElement && picture.complete && picture.naturalWidth > 0;
    if (!hasCome) picture.style.backgroundImage = placeholderOf(apercu) ?? '';
    if (performance.now() > end) break;
  }
  if (waiting.size > 0) whenIdle(drawWaiting);
}

export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 2_000 });
  else setTimeout(work, 200);
}
