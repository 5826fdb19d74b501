import campfire from '#platform/web/drawings/campfire.svg';
import clothesline from '#platform/web/drawings/clothesline.svg';
import horizon from '#platform/web/drawings/horizon.svg';
import lake from '#platform/web/drawings/lake.svg';
import lostTent from '#platform/web/drawings/lost-tent.svg';
import mountain from '#platform/web/drawings/mountain.svg';
import notebook from '#platform/web/drawings/notebook.svg';

/*
 * The site's own drawings, as separate files so that they add nothing to the pages. Each file contains its colours for
 * the light and dark themes.
 */
const DRAWINGS = {
  campfire: [campfire, 200, 140],
  clothesline: [clothesline, 200, 140],
  horizon: [horizon, 4312, 280],
  lake: [lake, 1280, 280],
  lostTent: [lostTent, 360, 240],
  mountain: [mountain, 1280, 280],
  notebook: [notebook, 200, 140],
} as const;

/** A decorative drawing: it fills its box, and is hidden from screen readers. */
export function Drawing({ name, className = '' }: { name: keyof typeof DRAWINGS; className?: string }) {
  const [source, width, height] = DRAWINGS[name];
  return (
    <img
      src={source}
      alt=""
      width={width}
      height={height}
      className={`object-cover object-bottom ${className}`}
    />
  );
}

const CARDS = Object.values(
  import.meta.glob<string>('../drawings/card-*.svg', { eager: true, query: '?url', import: 'default' }),
);

interface CardDrawingProps {
  /** Id and title of the item, which choose the scene. */
  id: number;
  title: string;
  className: string;
}

/** A 3:2 drawing in place of a missing picture; the same on an item's card and on its page. */
export function CardDrawing({ id, title, className }: CardDrawingProps) {
  // Not the id alone: the newest items of two lists often have the same id, and are shown side by side.
  const scene = CARDS[(id + title.length) % CARDS.length];
  return (
    <img src={scene} alt="" width={300} height={200} loading="lazy" className={`object-cover ${className}`} />
  );
}
