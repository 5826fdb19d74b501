import { useEffect, useId, useRef, useState } from 'react';
import { call, onProofWanted } from '#platform/web/api.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { useModal } from '#platform/web/ui/dialogs.tsx';
import { TokenForm } from '#platform/web/ui/TokenForm.tsx';
import { type CodeKind, CodeStep, codeKindIn, PasskeyButton } from './SignIn.tsx';

export const OWN_FACTORS = { key: 'GET /admins/moi/second-facteur' } as const;

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
  /** The password of the first step, sent again with the code that it asks for. */
  const [wanted, setWanted] = useState<{ password: string; kind: CodeKind }>();
  const factors = useQuestion(OWN_FACTORS);
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
      {wanted === undefined ? (
        <>
          <TokenForm
            send={({ password = '' }) => prove(password)}
            onDone={(next) => {
              if (next === undefined) return done();
              setWanted(next);
              return '';
            }}
            action="Confirmer"
            busy="Vérification…"
            isPasswordFirst
          />
          {factors.data && factors.data.cles.length > 0 && (
            <PasskeyButton
              send={(signed) => call('POST /admins/moi/preuve/cle-acces', { body: signed })}
              onDone={done}
            />
          )}
        </>
      ) : (
        <CodeStep
          kind={wanted.kind}
          send={(code) => call('POST /admins/moi/preuve', { body: { password: wanted.password, code } })}
          onDone={done}
          action="Confirmer"
          busy="Vérification…"
          onBack={() => setWanted(undefined)}
        />
      )}
      <p className="mt-3">
        <Button quiet onClick={() => onAnswered(false)}>
          Annuler
        </Button>
      </p>
    </dialog>
  );
}

/** Proves who one is; returns the password, and the kind of the code, when it is right and a code is needed as well. */
async function prove(password: string): Promise<{ password: string; kind: CodeKind } | undefined> {
  try {
    await call('POST /admins/moi/preuve', { body: { password } });
    return undefined;
  } catch (error) {
    const kind = codeKindIn(error);
    if (kind) return { password, kind };
    throw error;
  }
}
