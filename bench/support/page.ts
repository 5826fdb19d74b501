import type { Machine } from './machine.ts';
import { drawCurve, drawMargins } from './plot.ts';
import { aimOf, isMet, margin, type Result, type Row, ratioOf, shown, VERDICTS } from './result.ts';

/** What all measurements found, as a page with its plots. */

export interface Measured {
  name: string;
  command: string;
  /** UTC. */
  at: string;
  machine: Machine;
  results: Result[];
  /** Why it came to no end. */
  failure?: string;
}

const PLOTS = 'performance';

/** By file name: `performance.md`, and the plots in the folder that it shows them from. */
export function drawPage(measured: readonly Measured[]): Map<string, string> {
  const rows = measured.flatMap(({ results }) => results.flatMap((result) => result.rows));
  const aimed = rows.flatMap((row) => {
    const above = margin(row);
    return above === undefined ? [] : [{ name: row.work, margin: above }];
  });
  const missed = rows.filter((row) => isMet(row) === false);
  const files = new Map([[`${PLOTS}/aims.svg`, drawMargins('How far each work is from its aim', aimed)]]);
  const lines = [
    '# Measured speed',
    '',
    '<!-- Written by `npm run bench`: what is typed here is lost. -->',
    '',
    'Written by `npm run bench`; `npm run bench -- lists photos` measures only those again. Machines differ by half and',
    'more, so what counts are the ratios: both sides of each were measured in turn, in one run, and what is shown are',
    'medians. A ratio is what was measured here, as times what stands beside it.',
    '',
    `${aimed.length - missed.length} of ${aimed.length} aims are met.${missed.length > 0 ? ' Not met:' : ''}`,
    '',
    ...missed.map(
      (row) => `- ${row.work}: ${shown(row.measured)} ${row.unit}${besideOf(row)}, aim ${aimOf(row)}`,
    ),
    ...(missed.length > 0 ? [''] : []),
    `![How far each work is from its aim](${PLOTS}/aims.svg)`,
    '',
  ];
  for (const one of measured) lines.push(...drawMeasured(one, files));
  files.set('performance.md', `${lines.join('\n').trimEnd()}\n`);
  return files;
}

function drawMeasured(
  { name, command, at, machine, results, failure }: Measured,
  files: Map<string, string>,
): string[] {
  const lines = [];
  for (const { title, text, rows, table, curves = [] } of results) {
    lines.push(`## ${title}`, '', text.join(' '), '');
    lines.push(
      '| work | measured | beside | ratio | aim | |',
      '|---|---|---|---|---|---|',
      ...rows.map(drawRow),
      '',
    );
    if (table) lines.push(...[table.head, table.head.map(() => '---'), ...table.rows].map(drawCells), '');
    for (const curve of curves) {
      const file = `${PLOTS}/${name}-${curve.title.toLowerCase().replace(/\W+/g, '-')}.svg`;
      files.set(file, drawCurve(curve));
      lines.push(`![${curve.title}](${file})`, '');
    }
  }
  if (failure) lines.push(`**\`${name}\` came to no end**: ${failure}`, '');
  const { cores, processor, memory, disk, node, engine } = machine;
  lines.push(
    `<sub>\`${command}\` · ${at.slice(0, 16).replace('T', ' ')} UTC · ${cores} × ${processor}, ${memory} GB, ` +
      `disk ${disk} MB/s written · Node ${node}, ${engine}</sub>`,
    '',
  );
  return lines;
}

const besideOf = ({ beside, ...row }: Row) =>
  beside ? ` (${shown(ratioOf({ beside, ...row }) ?? 0)} times ${beside.name})` : '';

function drawRow(row: Row): string {
  const ratio = ratioOf(row);
  const cells = [
    row.work,
    `${shown(row.measured)} ${row.unit}`,
    row.beside ? `${row.beside.name}: ${shown(row.beside.measured)}` : '',
    ratio === undefined ? '' : `${shown(ratio)}×`,
    aimOf(row),
    VERDICTS[`${isMet(row)}`],
  ];
  return drawCells(cells);
}

const drawCells = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
