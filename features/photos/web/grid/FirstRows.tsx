import { memo } from 'react';
import { thumbHashToAverageRGBA } from 'thumbhash';
import type { Photo } from '../../calls.ts';
import { PHOTO_FOLDER } from '../../shared/terms.ts';
import { thumbHashOf, untilRemoved } from './GridTile.tsx';
import {
  drawnWidth,
  GAP,
  type GridSlots,
  layFor,
  NOMINAL,
  PHONE_SIDES,
  sharpEnough,
  srcSetOf,
} from './layout.ts';

interface FirstRowsProps {
  photos: readonly Photo[];
  nameOf: GridSlots['nameOf'];
  onOpen(photo: Photo): void;
}

/** Height, in pixels, of the rows that the server renders on each kind of screen: those of its first screen. */
const HEIGHTS = { phone: 560, tablet: 760, computer: 640 } as const;

/** The kinds of screens, by the widths at which styles.css shows the rows of each. */
const SCREENS = [
  ['phone', '(width < 488px)'],
  ['tablet', '(488px <= width < 70rem)'],
  ['computer', '(width >= 70rem)'],
] as const;

/**
 * The first rows as the server renders them, which does not know how wide the window is: once for each kind of screen, of
 * which one is shown. On a phone and on a computer they stand exactly where the grid then puts them.
 */
export const FirstRows = memo(function FirstRows({ photos, nameOf, onOpen }: FirstRowsProps) {
  return SCREENS.map(([screen, media]) => {
    const width = NOMINAL[screen];
    const rows = layFor(photos, width).rows.filter(({ top }) => top < HEIGHTS[screen]);
    return (
      // biome-ignore lint/a11y/noRedundantRoles: without its marks, a list is none for some screen readers
      <ul key={screen} role="list" className={`first-rows on-${screen}`}>
        {rows.map(({ first, tiles, height, nominal }) => {
          const isLoose = (tiles.at(-1)?.left ?? 0) + (tiles.at(-1)?.width ?? 0) < width;
          return (
            <li key={first} className="first-row" style={{ marginBottom: GAP }}>
              {tiles.map((tile, column) => {
                const photo = photos[first + column];
                if (!photo) return null;
                const share = tile.width / (width - GAP * (tiles.length - 1));
                const drawn = drawnWidth(photo, tile.width, height);
                const sources = sharpEnough(photo, nominal);
                const srcSet = srcSetOf(sources);
                // As the grid will say: a pixel more or less may stand for another file.
                const ofWindow = `calc((100vw - ${PHONE_SIDES}px) * ${(drawn / width).toFixed(4)})`;
                const sizes = screen === 'phone' ? ofWindow : `${drawn}px`;
                return (
                  <button
                    key={photo.id}
                    type="button"
                    data-first={photo.id}
                    // What boot.ts shows of it when it is pressed before the page is alive.
                    data-large={photo.fichiers ? PHOTO_FOLDER + photo.fichiers.w960 : undefined}
                    aria-label={nameOf(photo, first + column)}
                    className="photo-press"
                    style={{
                      aspectRatio: `${tile.width} / ${height}`,
                      width: isLoose ? `${(100 * tile.width) / width}%` : undefined,
                      flex: isLoose ? undefined : `${share} 1 0`,
                      backgroundColor: colourOf(photo.apercu),
                    }}
                    onClick={() => onOpen(photo)}
                  >
                    {sources[0] && first === 0 && (
                      // Of what stands in a page, a lazy picture is fetched only once the styles have come.
                      <link
                        {...{ rel: 'preload', as: 'image', imageSrcSet: srcSet, imageSizes: sizes, media }}
                        fetchPriority="high"
                      />
                    )}
                    {sources[0] && (
                      <img
                        ref={untilRemoved}
                        src={sources[0].src}
                        srcSet={srcSet}
                        sizes={sizes}
                        alt=""
                        // Of those that are not shown, no file is fetched.
                        loading="lazy"
                        // The first row is what one sees first, and it comes before the others.
                        fetchPriority={first === 0 ? 'high' : 'low'}
                        decoding="async"
                        className="photo-picture"
                      />
                    )}
                  </button>
                );
              })}
            </li>
          );
        })}
      </ul>
    );
  });
});

/** The average colour of a photo, for its place until the file has come. */
function colourOf(apercu: string): string | undefined {
  const bytes = thumbHashOf(apercu);
  if (!bytes) return undefined;
  const { r, g, b } = thumbHashToAverageRGBA(bytes);
  return `rgb(${[r, g, b].map((part) => Math.round(255 * part)).join(' ')})`;
}
