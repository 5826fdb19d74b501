import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { addressOfDoor } from '#features/stays/web/useSwitchStay.ts';
import { CallError } from '#platform/web/api.ts';
import { forgetStay, type StaySession } from '#platform/web/session.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';

/**
 * Leads back to the door, its number filled in, when a failure says that the sign-in is over; true when it does.
 * `failed`: what the page could not load, looked at at once.
 */
export function useEndOfVisit(
  session: StaySession | undefined,
  failed?: Error | null,
): (failure: unknown) => boolean {
  const navigate = useNavigate();
  const { warn } = useNotices();
  const endVisit = (failure: unknown) => {
    if (!session || !(failure instanceof CallError) || failure.status !== 401) return false;
    navigate(addressOfDoor(session.stageId), { replace: true });
    forgetStay(session);
    warn('Votre connexion est terminée.', 'Saisissez de nouveau le mot de passe du séjour.');
    return true;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each failure
  useEffect(() => {
    endVisit(failed);
  }, [failed]);
  return endVisit;
}
