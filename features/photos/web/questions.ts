import type { Viewer } from '#features/stays/web/sessions.ts';
import { aboutStay } from '#features/stays/web/stays.ts';
import type { AskedQuestion } from '#platform/web/questions.ts';

/** Photos of the first answer: enough to fill any window, few enough to come soon. */
export const FIRST = 120;

/** The first photos of a stay, as they come with its page. */
export function firstPhotosQuestion(stageId: number, as: Viewer = 'stay') {
  return {
    key: 'GET /stages/:id/photos',
    params: { id: stageId },
    query: { limite: FIRST },
    as,
  } as const satisfies AskedQuestion;
}

/** What was decided on the removals that a family asked for. */
export const removalsQuestion = aboutStay('GET /stages/:id/retraits', 'stay');
