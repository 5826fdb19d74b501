import { useQuestion } from '#platform/web/questions.ts';
import type { StaySession } from '#platform/web/session.ts';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { reviewQuestion } from './questions.ts';
import { ReviewForm } from './ReviewForm.tsx';
import { Part } from './StayFrame.tsx';

/** « Bilan du séjour », asked anew: what a co-director wrote meanwhile belongs in it. */
export function Review({ session }: { session: StaySession }) {
  const query = useQuestion(reviewQuestion(session.stageId), 'Erreur lors de la récupération du bilan:', {
    isFresh: true,
  });
  return (
    <Part id="bilan" title="Bilan du séjour">
      <LoadState query={query} failed="Le bilan n’a pas pu être chargé.">
        {(review) => <ReviewForm session={session} review={review} />}
      </LoadState>
    </Part>
  );
}
