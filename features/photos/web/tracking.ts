import { useEffect } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { type AskedQuestion, useAskAgain, useQuestion } from '#platform/web/questions.ts';
import { useStayPhotos, type Viewer } from './useStayPhotos.ts';

/** Where the photos of a stay are, for those who look after them. */
export type Tracking = ReplyOf<'GET /stages/:id/photos/suivi'>;

function trackingQuestion(stageId: number, as: Viewer) {
  return {
    key: 'GET /stages/:id/photos/suivi',
    params: { id: stageId },
    as,
  } as const satisfies AskedQuestion;
}

/** The photos of a stay and their counts, both kept up to date. */
export function useTracking(stageId: number, as: Viewer) {
  const photos = useStayPhotos(stageId, as);
  const question = trackingQuestion(stageId, as);
  const tracking = useQuestion(question, 'Erreur lors de la récupération du suivi des photos:');
  const askAgain = useAskAgain(question);
  const list = photos.data?.photos;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever a photo has changed
  useEffect(() => {
    if (list) void askAgain();
  }, [list]);
  return { photos, tracking };
}
