import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { CallError, call } from '#platform/web/api.ts';
import { forgetStay, keepStay, type StaySession } from '#platform/web/session.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';

/** Name of a stay in the list of those that this device is signed in to. */
export function nameOfSession({ nom, role }: StaySession): string {
  return role === 'formateur' ? `${nom} (direction)` : nom;
}

/** Address of the page on which a family or a director sees their stay. */
export function addressOfStay({ role, stageId }: Pick<StaySession, 'role' | 'stageId'>): string {
  return role === 'formateur' ? '/formateur' : `/stage-details/${stageId}`;
}

/** Address of the sign-in page, with the stay number filled in. */
export function addressOfDoor(stageId: number): string {
  return `/connexion?stageId=${stageId}`;
}

/**
 * Returns a function that switches to another stay that this device is signed in to: sets its cookie, so that its files
 * open again, and sends its token from now on. Goes to its sign-in page when its session is over. Throws `CallError`
 * for any other failure.
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
    // When already at that address, replaces the history entry: one is enough.
    navigate(address, { replace: address === window.location.pathname });
    // Cached answers may have been read with another role in the same stay.
    answers.clear();
  };
}
