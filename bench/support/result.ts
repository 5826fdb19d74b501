/** What a measurement found: said on screen when it runs alone, handed to `bench/all.ts` when that runs it. */

export interface Result {
  title: string;
  /** How it was measured, in a few sentences; what could not be compared, and why. */
  text: string[];
  rows: Row[];
  /** Numbers in detail. */
  table?: { head: string[]; rows: string[][] };
  curves?: Curve[];
}

export interface Row {
  work: string;
  unit: string;
  measured: number;
  /** What did the same work in the same run. */
  beside?: { name: string; measured: number };
  /** Of the measured number itself, or of its ratio to what stands beside it. */
  aim?: { of: 'measured' | 'ratio' } & ({ atLeast: number } | { atMost: number });
}

export interface Curve {
  /** Also names its file. */
  title: string;
  x: string;
  y: string;
  isLogarithmic: boolean;
  lines: { name: string; points: [x: number, y: number][] }[];
}

/** Undefined where it stands beside nothing. */
export const ratioOf = ({ measured, beside }: Row): number | undefined =>
  beside && measured / beside.measured;

/** How far above its aim a row is: at 1 it is met just so. Undefined without an aim, or without the ratio it is of. */
export function margin(row: Row): number | undefined {
  const value = row.aim?.of === 'ratio' ? ratioOf(row) : row.measured;
  if (!row.aim || value === undefined) return undefined;
  if ('atLeast' in row.aim) return value / row.aim.atLeast;
  // An aim of none at all is met or not.
  if (row.aim.atMost === 0) return value === 0 ? 1 : 0;
  return value === 0 ? Number.POSITIVE_INFINITY : row.aim.atMost / value;
}

export function isMet(row: Row): boolean | undefined {
  const above = margin(row);
  return above === undefined ? undefined : above >= 1;
}

/** Three digits that mean something: more would be noise. */
export function shown(value: number): string {
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString('en', { maximumFractionDigits: Math.min(digits, 3) });
}

export function aimOf({ aim, unit }: Row): string {
  if (!aim) return '';
  const sign = 'atLeast' in aim ? `≥ ${shown(aim.atLeast)}` : `≤ ${shown(aim.atMost)}`;
  return aim.of === 'ratio' ? `${sign} times` : `${sign} ${unit}`;
}

export const VERDICTS = { true: 'met', false: '**not met**', undefined: '' };

export function tell(result: Result): void {
  console.log(`\n${result.title}\n${result.text.join(' ')}`);
  for (const row of result.rows) {
    const ratio = ratioOf(row);
    const parts = [
      `${row.work}: ${shown(row.measured)} ${row.unit}`,
      ...(row.beside && ratio !== undefined
        ? [`${shown(ratio)} times ${row.beside.name} (${shown(row.beside.measured)})`]
        : []),
      ...(row.aim ? [`aim ${aimOf(row)}`, VERDICTS[`${isMet(row)}`]] : []),
    ];
    console.log(parts.join(' · '));
  }
  for (const cells of result.table?.rows ?? []) console.log(cells.join(' · '));
  // There when another process started this one.
  process.send?.(result);
}
