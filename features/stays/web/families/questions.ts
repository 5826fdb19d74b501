import type { UseQueryResult } from '@tanstack/react-query';
import type { Child } from '#features/stays/calls.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import type { Question } from '#platform/shared/page.ts';
import { useAskAgain, useQuestion } from '#platform/web/questions.ts';

const childrenOf = (stageId: number) =>
  ({ key: 'GET /get-stagiaires/:id', params: { id: stageId } }) as const satisfies Question;

/** The chosen stay, as staff know it. */
export function useStay(stageId: number) {
  const question = { key: 'GET /stages/:id', params: { id: stageId } } as const;
  const query = useQuestion(question, 'Erreur lors de la récupération du séjour:');
  return query as UseQueryResult<Extract<ReplyOf<'GET /stages/:id'>, { efface_le: unknown }>>;
}

/** The children of a stay, as staff read them; directors are shown less. */
export function useChildren(stageId: number) {
  const query = useQuestion(childrenOf(stageId), 'Erreur lors de la récupération des familles:');
  return query as UseQueryResult<Child[]>;
}

/** Asks for them again, and for what counts them. */
export const useChildrenAgain = (stageId: number) =>
  useAskAgain(childrenOf(stageId), { key: 'GET /stages-suivi' }, { key: 'GET /tableau-de-bord' });
