/** How long a soak lasts, in ms; 0 in an ordinary run. */
export const SOAK_MS = Number(process.env.SOAK_MINUTES ?? 0) * 60_000;

/** Does something once, and over again for as long as a soak lasts. */
export async function soaking(work: () => Promise<void>): Promise<void> {
  const end = Date.now() + SOAK_MS;
  do await work();
  while (Date.now() < end);
}
