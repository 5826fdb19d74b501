import { SESSION } from '#platform/web/portal.ts';
import { useAskAgain } from '#platform/web/questions.ts';

export const ADMINS = { key: 'GET /admins' } as const;
export const SECOND_FACTOR = { key: 'GET /admins/moi/second-facteur' } as const;

/** Reads the admins and the session again: a new name may be one’s own. */
export const useAdminsAgain = () => useAskAgain(ADMINS, SESSION);

/** Hint where a password is chosen. */
export const GOOD_PASSWORD = '12 caractères au moins ; une phrase entière est le mieux.';
/** Hint after choosing a password for somebody else. */
export const HAND_OVER = 'Transmettez le mot de passe de vive voix, jamais par écrit.';
