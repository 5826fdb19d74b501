import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { addressOfDoor } from '#features/stays/web/useSwitchStay.ts';

/** Leads to the sign-in, with the number of the stay when there is one. */
export function ToDoor({ stageId }: { stageId?: number | undefined }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => {
    // Whoever signs out here is on the way home already.
    if (window.location.pathname !== pathname) return;
    navigate(stageId === undefined ? '/connexion' : addressOfDoor(stageId), { replace: true });
  }, [navigate, pathname, stageId]);
  return null;
}
