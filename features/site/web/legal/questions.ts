import type { ReplyOf } from '#platform/shared/call.ts';
import { useQuestion } from '#platform/web/questions.ts';

export const IDENTITY = { key: 'GET /identite' } as const;

export type Identity = ReplyOf<'GET /identite'>;

/** Who the organisation is. The long texts are shown without it as well: they only name it. */
export function useIdentity() {
  return useQuestion(IDENTITY, 'Erreur lors de la récupération de l’identité:');
}
