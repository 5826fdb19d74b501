import { UNATTENDED } from '#platform/shared/presence.ts';

/* Whether anybody is there: a page asks for news by itself, and that must not keep the portal open. */

/** Time, in ms, after the last act of a person for which somebody is there. */
const THERE_MS = 5 * 60_000;
/** What a person does: by hand, by keys, or by what assists them. */
const ACTS = ['pointerdown', 'pointermove', 'touchstart', 'touchmove', 'wheel', 'keydown', 'click', 'input'];

/** When a person last did something, in ms since the page was opened, which is such an act too. */
let lastAct = 0;

function note({ isTrusted }: Event): void {
  if (isTrusted) lastAct = performance.now();
}

if (typeof window !== 'undefined')
  for (const act of ACTS) window.addEventListener(act, note, { capture: true, passive: true });

/** The headers with which a request says whether anybody is there. */
export function presenceHeaders(): Record<string, string> {
  return performance.now() - lastAct < THERE_MS ? {} : { [UNATTENDED]: '1' };
}
