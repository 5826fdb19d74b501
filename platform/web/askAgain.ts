import { useQueryClient } from '@tanstack/react-query';
import { type AskedQuestion, answerKey } from './questions.ts';

/** Returns a function that fetches these questions again where they are shown, and settles once answered. */
export function useAskAgain(...questions: readonly AskedQuestion[]): () => Promise<unknown> {
  const answers = useQueryClient();
  return () =>
    Promise.all(
      questions.map((question) => answers.invalidateQueries({ queryKey: answerKey(question), exact: true })),
    );
}
