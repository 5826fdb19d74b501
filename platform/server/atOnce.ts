/** Does the work for each thing, a few at a time; the first failure lets no other begin, and is thrown once those under way end. */
export async function atOnce<T>(
  count: number,
  things: Iterable<T>,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const left = things[Symbol.iterator]();
  let hasFailed = false;
  const next = async () => {
    for (let one = left.next(); !one.done && !hasFailed; one = left.next()) {
      try {
        await work(one.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: count }, next));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
