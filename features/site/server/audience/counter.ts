/** Pixels. */
const HEIGHT = 20;
const TILE = 14;
const STEP = 16;
const BASELINE = 15;
/** Stands out, with white digits in it, on the light and on the dark paper of the site. */
const COLOUR = '#1f7f72';

/**
 * The counter as an SVG image that needs nothing beside itself. `digits`: at least so many tiles; a longer
 * count is shown whole.
 */
export function drawCounter(count: number, digits: number): string {
  const shown = [...String(count).padStart(digits, '0')];
  const width = shown.length * STEP - (STEP - TILE);
  const unit = count < 2 ? 'visite' : 'visites';
  const tiles = shown.map((digit, index) => {
    const left = index * STEP;
    return (
      `<rect x="${left}" width="${TILE}" height="${HEIGHT}" rx="3" fill="${COLOUR}"/>` +
      `<text x="${left + TILE / 2}" y="${BASELINE}">${digit}</text>`
    );
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" ` +
    `viewBox="0 0 ${width} ${HEIGHT}" role="img">` +
    `<title>${count.toLocaleString('fr-FR')} ${unit}</title>` +
    '<g fill="#fff" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="15" ' +
    `font-weight="700" text-anchor="middle">${tiles.join('')}</g></svg>`
  );
}
