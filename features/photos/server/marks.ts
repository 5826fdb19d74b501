/*
 * What a list of photos was read at: the number of the last change, and the instant, as a publication at a given hour
 * comes without one.
 */

interface Mark {
  numero: number;
  instant: Date;
}

export function markOf(numero: number, instant: Date): string {
  return `${numero}.${instant.getTime()}`;
}

/** Undefined for what is none. */
export function readMark(text: string): Mark | undefined {
  const [, numero, instant] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  const date = new Date(Number(instant));
  if (numero === undefined || Number.isNaN(date.getTime())) return undefined;
  return { numero: Number(numero), instant: date };
}
