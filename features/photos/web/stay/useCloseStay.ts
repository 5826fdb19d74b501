import { useForgetUnsent } from '#features/photos/web/sending/useForgetUnsent.ts';
import { useSwitchStay } from '#features/stays/web/useSwitchStay.ts';
import { CallError, call } from '#platform/web/api.ts';
import { forgetStay, type StaySession, useStays } from '#platform/web/session.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useConfirmLeaving } from '#platform/web/ui/unsaved.ts';
import { useAction } from '#platform/web/ui/useAction.ts';
import { useLeave } from '#platform/web/useLeave.ts';

/** Ends the sign-in to one stay and no other; then on to another stay of this device, or home. */
export function useCloseStay(session: StaySession) {
  const [other] = useStays().filter(({ token }) => token !== session.token);
  const { isBusy, run } = useAction();
  const { say } = useNotices();
  const confirmLeaving = useConfirmLeaving();
  const forgetUnsent = useForgetUnsent();
  const switchStay = useSwitchStay();
  const leave = useLeave(() => forgetStay(session));
  const close = async () => {
    if (!(await confirmLeaving())) return;
    const unsent = await forgetUnsent(session);
    if (!unsent.mayLeave) return;
    await run(async () => {
      // Before the other one opens: the answer takes back the cookie that it is about to get.
      await end(session);
      say('Ce séjour est fermé sur cet appareil.');
      if (other) {
        await switchStay(other);
        forgetStay(session);
      } else leave();
      void unsent.forget();
    }, 'Erreur lors de la fermeture du séjour');
  };
  return { isBusy, close };
}

/** What the server does not know is over as well. */
async function end({ token }: StaySession): Promise<void> {
  try {
    await call('POST /auth/logout', { token });
  } catch (error) {
    if (!(error instanceof CallError && error.status === 401)) throw error;
  }
}
