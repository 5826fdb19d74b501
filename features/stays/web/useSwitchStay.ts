import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { CallError, call } from '#platform/web/api.ts';
import { forgetStay, keepStay, type StaySession } from '#platform/web/session.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';

/** What a stay of this device is called where one chooses among them. */
export function nameOfSession({ nom, role }: StaySession): string {
  return role === 'formateur' ? `${nom} (direction)` : nom;
}

/** Where a family, or a director, sees their stay. */
export function addressOfStay({ role, stageId }: Pick<StaySession, 'role' | 'stageId'>): string {
  return role === 'formateur' ? '/formateur' : `/stage-details/${stageId}`;
}

/** Where one signs in to a stay, its number filled in. */
export function addressOfDoor(stageId: number): string {
  return `/connexion?stageId=${stageId}`;
}

/**
 * Goes to another stay of this device: its files open again, its token is presented from now on. To its door when
 * the sign-in is over. Throws `CallError` when the server cannot say.
 */
export function useSwitchStay(): (stay: StaySession) => Promise<void> {
  const answers = useQueryClient();
  const navigate = useNavigate();
  const { warn } = useNotices();
  return async (stay) => {
    try {
      await call('POST /session/reprise', { token: stay.token });
    } catch (error) {
      if (!(error instanceof CallError && error.status === 401)) throw error;
      forgetStay(stay);
      navigate(addressOfDoor(stay.stageId));
      warn('Votre connexion est terminée.', 'Saisissez de nouveau le mot de passe du séjour.');
      return;
    }
    keepStay(stay);
    const address = addressOfStay(stay);
    // From that address itself, of which one entry in the history is enough.
    navigate(address, { replace: address === window.location.pathname });
    // What was read as somebody else of the same stay, say.
    answers.clear();
  };
}
