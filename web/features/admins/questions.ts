import { useQueryClient } from '@tanstack/react-query';
import { questionName } from '../../../shared/page.ts';

export const ADMINS = { key: 'GET /admins' } as const;
/** Who is signed in here. */
const SESSION = { key: 'GET /verifyToken' } as const;

/** Asks both again: a new name may be one’s own. Settles when the answers are there. */
export function useAskAgain(): () => Promise<unknown> {
  const answers = useQueryClient();
  return () =>
    Promise.all(
      [ADMINS, SESSION].map((question) =>
        answers.invalidateQueries({ queryKey: [questionName(question)], exact: true }),
      ),
    );
}

/** Said where a password is chosen. */
export const GOOD_PASSWORD = '12 caractères au moins ; une phrase entière est le mieux.';
/** Said to whoever chose a password for somebody else. */
export const HAND_OVER = 'Transmettez le mot de passe de vive voix, jamais par écrit.';
