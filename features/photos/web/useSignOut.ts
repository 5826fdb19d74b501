import { CallError, call } from '#platform/web/api.ts';
import { forgetAllTokens, heldTokens } from '#platform/web/session.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useConfirmLeaving } from '#platform/web/ui/unsaved.ts';
import { useLeave } from '#platform/web/useLeave.ts';
import { useForgetUnsent } from './sending/useForgetUnsent.ts';

/** Takes every token off this browser, tells the server that they are worth nothing any more, and goes home. */
export function useSignOut(): () => Promise<void> {
  const leave = useLeave(forgetAllTokens);
  const { say, warn } = useNotices();
  const confirmLeaving = useConfirmLeaving();
  const forgetUnsent = useForgetUnsent();
  return async () => {
    if (!(await confirmLeaving())) return;
    const unsent = await forgetUnsent();
    if (!unsent.mayLeave) return;
    const tokens = heldTokens();
    leave();
    void unsent.forget();
    const ends = await Promise.allSettled(tokens.map((token) => call('POST /auth/logout', { token })));
    if (ends.every(isOver)) say('Vous êtes déconnecté.');
    else warn('Vous êtes déconnecté de cet appareil.', 'Le serveur n’a pas pu être prévenu.');
  };
}

/** A token that the server did not know is over as well. */
function isOver(end: PromiseSettledResult<unknown>): boolean {
  return end.status === 'fulfilled' || (end.reason instanceof CallError && end.reason.status === 401);
}
