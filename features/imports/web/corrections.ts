import type { ImportPreview } from '#features/imports/calls.ts';
import { textsOf } from '#platform/web/ui/useForm.ts';

/** A line as it was corrected on screen; without cells, it is left aside. */
export interface Correction {
  ligne: number;
  cellules: string[];
}

/** Names of the controls of a faulty line. */
export function cellName(line: number, column: number): string {
  return `ligne-${line}-${column}`;
}
export function asideName(line: number): string {
  return `ligne-${line}-de-cote`;
}

/** What the form now holds of the faulty lines of a preview, over what was corrected before it. */
export function correctionsIn(
  form: HTMLFormElement,
  { fautes, colonnes }: Pick<ImportPreview, 'fautes' | 'colonnes'>,
  before: readonly Correction[],
): Correction[] {
  const texts = textsOf(form);
  const corrections = new Map(before.map((correction) => [correction.ligne, correction]));
  for (const { ligne, cellules, raisons } of fautes) {
    const isAside = texts[asideName(ligne)] !== undefined;
    const typed = colonnes.map((_, column) => texts[cellName(ligne, column)] ?? '');
    if (isAside) corrections.set(ligne, { ligne, cellules: [] });
    // What is wrong with a whole line may not be in the cells shown: they are then taken as they are.
    else if (
      raisons.some(({ colonne }) => colonne === '') ||
      typed.some((text, column) => text !== cellules[column])
    ) {
      corrections.set(ligne, { ligne, cellules: typed });
    }
  }
  return [...corrections.values()];
}
