import { type Curve, shown } from './result.ts';

/** Plots as SVG, in both colour schemes of whoever reads them. */

const STYLE = `
  .ground { fill: #ffffff } text { fill: #24292f; font: 12px system-ui, sans-serif } .faint { fill: #57606a }
  .rule { stroke: #d0d7de } .aim { stroke: #24292f; stroke-dasharray: 4 3 } .met { fill: #1a7f5a } .missed { fill: #c2410c }
  .l0 { --c: #0b62a8 } .l1 { --c: #c2410c } .l2 { --c: #1a7f5a } .l3 { --c: #7c3aed } .l4 { --c: #a16207 }
  .l5 { --c: #be185d } .l6 { --c: #0e7490 } .l7 { --c: #57606a }
  polyline { fill: none; stroke: var(--c); stroke-width: 2 } circle { fill: var(--c); stroke: var(--c) }
  .again polyline { stroke-dasharray: 5 3 } .again circle { fill: none }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } text { fill: #e6edf3 } .faint { fill: #9198a1 } .rule { stroke: #30363d }
    .aim { stroke: #e6edf3 } .met { fill: #3fb68b } .missed { fill: #fb923c }
    .l0 { --c: #58a6ff } .l1 { --c: #fb923c } .l2 { --c: #3fb68b } .l3 { --c: #b794f6 } .l4 { --c: #e3b341 }
    .l5 { --c: #f778ba } .l6 { --c: #39c5cf } .l7 { --c: #9198a1 }
  }`;
const COLOURS = 8;

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

function svg(title: string, width: number, height: number, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img">
<title>${escaped(title)}</title>
<style>${STYLE}
</style>
<rect class="ground" width="${width}" height="${height}"/>
${parts.join('\n')}
</svg>
`;
}

function text(
  x: number,
  y: number,
  words: string,
  options: { anchor?: string; faint?: boolean } = {},
): string {
  const anchor = options.anchor ? ` text-anchor="${options.anchor}"` : '';
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${anchor}${options.faint ? ' class="faint"' : ''}>${escaped(words)}</text>`;
}

const line = (name: string, x1: number, y1: number, x2: number, y2: number) =>
  `<line class="${name}" x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}"/>`;

/** How far above its aim each work is, on a scale where each step is ten times the one before; 1 is the aim. */
export function drawMargins(title: string, margins: readonly { name: string; margin: number }[]): string {
  const [left, right, top, step] = [390, 860, 40, 22];
  const bottom = top + margins.length * step;
  const xOf = (margin: number) =>
    left + ((Math.log10(Math.min(10, Math.max(0.1, margin))) + 1) / 2) * (right - left);
  const parts = [
    text(left, 18, 'tenth of the aim', { faint: true }),
    text(xOf(1), 18, 'aim', { anchor: 'middle' }),
  ];
  parts.push(text(right, 18, 'ten times better', { anchor: 'end', faint: true }));
  for (const [index, { name, margin }] of margins.entries()) {
    const y = top + index * step;
    const [from, to] = [Math.min(xOf(1), xOf(margin)), Math.max(xOf(1), xOf(margin))];
    parts.push(
      text(left - 8, y + 9, name.length > 60 ? `${name.slice(0, 59)}…` : name, { anchor: 'end' }),
      `<rect class="${margin >= 1 ? 'met' : 'missed'}" x="${from.toFixed(1)}" y="${y - 3}" width="${Math.max(2, to - from).toFixed(1)}" height="14"/>`,
    );
  }
  for (const margin of [0.1, 10]) parts.push(line('rule', xOf(margin), 26, xOf(margin), bottom));
  parts.push(line('aim', xOf(1), 26, xOf(1), bottom));
  return svg(title, 880, bottom + 12, parts);
}

/** Lines through points, with their names beside; scales begin at 0, or grow tenfold each step. */
export function drawCurve({ title, x, y, isLogarithmic, lines }: Curve): string {
  const [left, right, top] = [70, 560, 40];
  const bottom = Math.max(330, top + lines.length * 18);
  const points = lines.flatMap((one) => one.points);
  const across = scale(
    points.map(([value]) => value),
    isLogarithmic,
    left,
    right,
  );
  const up = scale(
    points.map(([, value]) => value),
    isLogarithmic,
    bottom,
    top,
  );
  const parts = [text(left, 22, y), text(right, bottom + 34, x, { anchor: 'end', faint: true })];
  for (const tick of across.ticks)
    parts.push(
      line('rule', across.at(tick), top, across.at(tick), bottom),
      text(across.at(tick), bottom + 16, shown(tick), { anchor: 'middle', faint: true }),
    );
  for (const tick of up.ticks)
    parts.push(
      line('rule', left, up.at(tick), right, up.at(tick)),
      text(left - 6, up.at(tick) + 4, shown(tick), { anchor: 'end', faint: true }),
    );
  for (const [index, one] of lines.entries()) {
    const places = one.points.map((point) => [across.at(point[0]).toFixed(1), up.at(point[1]).toFixed(1)]);
    const isDotted =
      places.length <= 10 ? places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3"/>`) : [];
    parts.push(
      `<g class="l${index % COLOURS}${index < COLOURS ? '' : ' again'}"><polyline points="${places.map((place) => place.join(',')).join(' ')}"/>${isDotted.join('')}<circle cx="${right + 24}" cy="${top + 4 + index * 18}" r="5"/></g>`,
      text(right + 36, top + 8 + index * 18, one.name),
    );
  }
  return svg(title, 880, bottom + 46, parts);
}

interface Scale {
  at(value: number): number;
  ticks: number[];
}

function scale(values: readonly number[], isLogarithmic: boolean, from: number, to: number): Scale {
  if (!isLogarithmic) {
    const highest = niceAbove(Math.max(...values, 0));
    return {
      at: (value) => from + (value / highest) * (to - from),
      ticks: Array.from({ length: 5 }, (_, index) => (index * highest) / 4),
    };
  }
  // A measurement of nothing at all has no place on such a scale.
  const seen = values.filter((value) => value > 0);
  const [low, high] = [Math.floor(Math.log10(Math.min(...seen))), Math.ceil(Math.log10(Math.max(...seen)))];
  const steps = Math.max(1, high - low);
  return {
    at: (value) => from + ((Math.log10(Math.max(value, 10 ** low)) - low) / steps) * (to - from),
    ticks: Array.from({ length: steps + 1 }, (_, index) => 10 ** (low + index)),
  };
}

/** 1, 2 or 5 and zeros. */
function niceAbove(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value || 1));
  return ([1, 2, 5, 10].find((times) => times * unit >= value) ?? 10) * unit;
}
