import { LogOut, X } from 'lucide-react';
import { Link } from 'react-router';
import { useSignOut } from '#features/photos/web/useSignOut.ts';
import { type StaySession, useIsSignedIn, useStays } from '#platform/web/session.ts';
import { useCloseStay } from './useCloseStay.ts';

/** The texts by which the site is bound, whom to ask, and the ways out. `session` is none where staff look. */
export function StayFooter({ session }: { session: StaySession | undefined }) {
  const signOut = useSignOut();
  const hasOtherStays = useStays().length > 1;
  // Of the portal or of the minutes.
  const hasOtherTokens = useIsSignedIn('reader') || hasOtherStays;
  return (
    <footer className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-mist pt-4">
      <Link to="/politique-photos" className="inline-flex min-h-11 items-center">
        Politique photos
      </Link>
      <a href="/mentions-legales#contact" className="inline-flex min-h-11 items-center">
        Écrire au CSE
      </a>
      <Link to="/connexion" className="inline-flex min-h-11 items-center">
        Ouvrir un autre séjour
      </Link>
      <div className="flex flex-wrap gap-3 sm:ml-auto">
        {session && hasOtherTokens && <CloseButton session={session} />}
        <button type="button" className="button quiet" onClick={signOut}>
          <LogOut aria-hidden="true" className="size-5" />
          {hasOtherStays ? 'Se déconnecter de tous les séjours' : 'Se déconnecter'}
        </button>
      </div>
    </footer>
  );
}

function CloseButton({ session }: { session: StaySession }) {
  const { isBusy, close } = useCloseStay(session);
  return (
    <button type="button" className="button quiet" aria-disabled={isBusy} onClick={close}>
      <X aria-hidden="true" className="size-5" />
      Fermer ce séjour
    </button>
  );
}
