/** Names in a sentence; the others are counted. */
const NAMED = 2;

/** « Oléron, Gérardmer et 3 autres ». */
export function named(names: readonly string[]): string {
  const others = names.length - NAMED;
  const rest = others > 0 ? [others === 1 ? 'un autre' : `${others} autres`] : [];
  return new Intl.ListFormat('fr').format([...names.slice(0, NAMED), ...rest]);
}
