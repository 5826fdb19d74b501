import { useEffect, useId, useRef, useState } from 'react';
import { CallError, call, onProofWanted, stepIn } from '#platform/web/api.ts';
import { useModal } from '#platform/web/ui/dialogs.tsx';
import { TokenForm } from '#platform/web/ui/TokenForm.tsx';
import { CodeStep } from './SignInForm.tsx';

/** Asks for a proof of who works in the portal, over whatever they do, whenever the server wants one. */
export function ProofDialogs() {
  const [isAsked, setAsked] = useState(false);
  const answer = useRef<(isProven: boolean) => void>(undefined);
  useEffect(() => {
    const forget = onProofWanted(
      () =>
        new Promise((resolve) => {
          answer.current = resolve;
          setAsked(true);
        }),
    );
    return () => {
      forget();
      // The portal was left meanwhile.
      answer.current?.(false);
    };
  }, []);
  if (!isAsked) return null;
  return (
    <ProofDialog
      onAnswered={(isProven) => {
        setAsked(false);
        answer.current?.(isProven);
      }}
    />
  );
}

function ProofDialog({ onAnswered }: { onAnswered(isProven: boolean): void }) {
  const modal = useModal(() => onAnswered(false));
  const id = useId();
  /** The password of the first step, sent again with the code. */
  const [password, setPassword] = useState<string>();
  const done = () => {
    onAnswered(true);
    return '';
  };
  return (
    <dialog {...modal} aria-labelledby={id} className="dialog max-w-lg">
      <h2 id={id} className="mb-4">
        Confirmez que c’est vous
      </h2>
      <p className="mb-5">
        Ce que vous demandez ouvre ou efface beaucoup d’un coup{'\u202f'}: le site demande donc encore une
        fois qui est là. Ensuite, il ne le demandera plus pendant dix minutes. Rien de ce que vous avez écrit
        n’est perdu.
      </p>
      {password === undefined ? (
        <TokenForm
          send={({ password = '' }) => prove(password)}
          onDone={(wanted) => {
            if (wanted === undefined) return done();
            setPassword(wanted);
            return '';
          }}
          action="Confirmer"
          busy="Vérification…"
          isPasswordFirst
        />
      ) : (
        <CodeStep
          send={(code) => call('POST /admins/moi/preuve', { body: { password, code } })}
          onDone={done}
          action="Confirmer"
          busy="Vérification…"
          onBack={() => setPassword(undefined)}
        />
      )}
      <p className="mt-3">
        <button type="button" className="button quiet" onClick={() => onAnswered(false)}>
          Annuler
        </button>
      </p>
    </dialog>
  );
}

/** Proves who one is; returns the password when it is right and a code is needed as well. */
async function prove(password: string): Promise<string | undefined> {
  try {
    await call('POST /admins/moi/preuve', { body: { password } });
    return undefined;
  } catch (error) {
    if (error instanceof CallError && stepIn(error) === 'code') return password;
    throw error;
  }
}
