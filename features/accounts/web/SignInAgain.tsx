import { useId } from 'react';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useModal } from '#platform/web/ui/useModal.ts';
import { SignInForm } from './SignInForm.tsx';

interface SignInAgainProps {
  username: string;
  onSignedIn(): void;
  /** Called to leave the portal instead. */
  onGivenUp(): void;
}

/** Sign-in dialog over the current page when its session has ended, so that typed text is not lost. */
export function SignInAgain({ username, onSignedIn, onGivenUp }: SignInAgainProps) {
  const { say } = useNotices();
  // Cannot be dismissed without a choice.
  const modal = useModal(undefined);
  const id = useId();
  return (
    <dialog {...modal} aria-labelledby={id} className="dialog max-w-lg">
      <h2 id={id} className="mb-4">
        Votre session est terminée
      </h2>
      <p className="mb-5">Connectez-vous de nouveau : rien de ce que vous avez écrit n’est perdu.</p>
      <SignInForm
        username={username}
        onSignedIn={() => {
          say('Vous êtes de nouveau connecté. Reprenez où vous en étiez.');
          onSignedIn();
        }}
      />
      <p className="mt-3">
        <button type="button" className="button quiet" onClick={onGivenUp}>
          Quitter le portail
        </button>
      </p>
    </dialog>
  );
}
