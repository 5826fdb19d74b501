/**
 * Gathers things by what `keyOf` says of each, in the order in which the first of each comes. Written by hand, as browsers
 * that the site serves lack `Map.groupBy`.
 */
export function groupBy<T, K>(things: readonly T[], keyOf: (thing: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const group = groups.get(key);
    if (group) group.push(thing);
    else groups.set(key, [thing]);
  }
  return groups;
}
