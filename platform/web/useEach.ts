/**
 * Calls a hook for each item of a list. The list must not grow or shrink while the component is mounted: whoever shows the
 * component gives it a key made of the list.
 */
export function useEach<T, R>(list: readonly T[], useOne: (item: T) => R): R[] {
  // biome-ignore lint/correctness/useHookAtTopLevel: as many calls, in the same order, at each render
  return list.map((item) => useOne(item));
}
