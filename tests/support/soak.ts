/*
 * How much is done of what could go on for ever: kills, requests that nobody should send, files cut in many places. Every
 * run does a third of it, other ones each time where they are drawn; `npm run test:all` does all once, `npm run soak` for as
 * long as it is told.
 */

/** How long a soak lasts, in ms; 0 in an ordinary run. */
export const SOAK_MS = Number(process.env.SOAK_MINUTES ?? 0) * 60_000;

/** Whether all of it is done. */
export const isWhole = SOAK_MS > 0 || process.env.TEST_ALL === '1';

/** So many, or a third of them in an ordinary run. */
export const shareOf = (count: number): number => (isWhole ? count : Math.ceil(count / 3));

/** Does something once, and over again for as long as a soak lasts. */
export async function soaking(work: () => Promise<void>): Promise<void> {
  const end = Date.now() + SOAK_MS;
  do await work();
  while (Date.now() < end);
}
