/**
 * Short forms of the names of stays that are shown side by side: without the words with which all of them begin, and
 * those with which all end. « Été 2026 – lac » and « Été 2026 – mer » are « lac » and « mer ».
 */
export function shortNames(names: readonly string[]): string[] {
  if (names.length < 2) return [...names];
  const words = names.map((name) => name.split(/\s+/));
  const shortest = Math.min(...words.map(({ length }) => length));
  const areAlike = (place: number) => new Set(words.map((one) => one.at(place))).size === 1;
  let from = 0;
  while (from < shortest - 1 && areAlike(from)) from++;
  let to = 0;
  while (to < shortest - from - 1 && areAlike(-1 - to)) to++;
  return words.map((one) =>
    one
      .slice(from, one.length - to)
      .join(' ')
      .replace(/^[–—:,-]\s+|\s+[–—:,-]$/g, ''),
  );
}
