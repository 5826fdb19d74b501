import { LogOut, X } from 'lucide-react';
import { useLocation } from 'react-router';
import { revoke, useForgetUnsent, useSignOut } from '#features/sending/web/unsent.tsx';
import {
  forgetStay,
  SIGNED_OUT_ADDRESS,
  type StaySession,
  TOGETHER_ADDRESS,
  useStays,
  useSwitchStay,
} from '#features/stays/web/sessions.ts';
import { useLeave } from '#platform/web/portal.ts';
import { useIsSignedIn } from '#platform/web/session.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { useConfirmLeaving } from '#platform/web/ui/dialogs.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useAction } from '#platform/web/ui/useForm.ts';

/** Links to the legal texts and the contact, and the sign-out buttons. `session` is undefined for staff. */
export function StayFooter({ session }: { session: StaySession | undefined }) {
  const signOut = useSignOut(SIGNED_OUT_ADDRESS);
  const hasOtherStays = useStays().length > 1;
  // Tokens of the portal, of the minutes or of another stay.
  const hasOtherTokens = useIsSignedIn('reader') || hasOtherStays;
  return (
    <footer className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-mist pt-4">
      <Link to="/politique-photos" className="inline-flex min-h-11 items-center">
        Politique photos
      </Link>
      <Link to="/contact" className="inline-flex min-h-11 items-center">
        Écrire au CSE
      </Link>
      <Link to="/connexion" className="inline-flex min-h-11 items-center">
        Ouvrir un autre séjour
      </Link>
      <div className="flex flex-wrap gap-3 sm:ml-auto">
        {session && hasOtherTokens && <CloseButton session={session} />}
        <Button quiet onClick={signOut}>
          <LogOut className="size-5" />
          {hasOtherStays ? 'Se déconnecter de tous les séjours' : 'Se déconnecter'}
        </Button>
      </div>
    </footer>
  );
}

/**
 * Ends one sign-in to a stay, then opens another stay of this device, where they are not shown together, or says what
 * stays on it.
 */
export function CloseButton({ session }: { session: StaySession }) {
  const [other] = useStays().filter(({ token }) => token !== session.token);
  const { isBusy, run } = useAction();
  const { say } = useNotices();
  const confirmLeaving = useConfirmLeaving();
  const forgetUnsent = useForgetUnsent();
  const switchStay = useSwitchStay();
  const isTogether = useLocation().pathname === TOGETHER_ADDRESS;
  const leave = useLeave(() => forgetStay(session), SIGNED_OUT_ADDRESS);
  const close = async () => {
    if (!(await confirmLeaving())) return;
    const unsent = await forgetUnsent(session);
    if (!unsent.mayLeave) return;
    await run(async () => {
      await revoke(session.token);
      if (other && isTogether) {
        say(`«\u00a0${session.nom}\u00a0» est fermé sur cet appareil.`);
        forgetStay(session);
      } else if (other) {
        say('Ce séjour est fermé sur cet appareil.');
        await switchStay(other);
        forgetStay(session);
      } else leave();
      void unsent.forget();
    }, 'Erreur lors de la fermeture du séjour');
  };
  return (
    <Button quiet aria-disabled={isBusy} onClick={close}>
      <X className="size-5" />
      Fermer ce séjour
    </Button>
  );
}
