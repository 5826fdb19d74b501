/** Errors of which the log is told all: thousands may have the same cause. */
const SAID = 3;

/** Does the work for each thing, whatever becomes of the others; throws at the end when some of it failed. */
export async function eachAlone<T>(things: Iterable<T>, work: (thing: T) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  for (const thing of things) {
    try {
      await work(thing);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors.slice(0, SAID), `${errors.length} failed`);
}
