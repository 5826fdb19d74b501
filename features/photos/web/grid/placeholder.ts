import { thumbHashToDataURL } from 'thumbhash';

/** Pictures that are remembered, of some 5 kB each: a few windows full. */
const KEPT = 400;
const drawn = new Map<string, string>();

/** The blurred picture shown until the photo is there, as the value of `background-image`; undefined when it has none. */
export function placeholderOf(apercu: string): string | undefined {
  const known = drawn.get(apercu);
  if (known !== undefined) return known;
  if (!/^[A-Za-z0-9+/]{8,}=*$/.test(apercu)) return undefined;
  const bytes = Uint8Array.from(atob(apercu), (character) => character.charCodeAt(0));
  const picture = `url(${thumbHashToDataURL(bytes)})`;
  if (drawn.size >= KEPT) drawn.clear();
  drawn.set(apercu, picture);
  return picture;
}
