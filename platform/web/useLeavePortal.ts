import { forgetToken } from './session.ts';
import { useLeave } from './useLeave.ts';

/** Leaves the portal, whose token is worth nothing any more. */
export function useLeavePortal(): () => void {
  return useLeave(() => forgetToken('adminToken'));
}
