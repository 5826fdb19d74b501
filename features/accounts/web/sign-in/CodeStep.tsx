import { useState } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { CodeField } from '#platform/web/ui/CodeField.tsx';
import { TextField } from '#platform/web/ui/Field.tsx';
import { TokenForm } from '#platform/web/ui/TokenForm.tsx';

interface CodeStepProps {
  send(code: string): Promise<ReplyOf<'POST /loginAdmin'>>;
  /** Returns what is in the way, or nothing. */
  onDone(answer: ReplyOf<'POST /loginAdmin'>): string;
  /** Back to the name and the password. */
  onBack(): void;
}

/** The second step of a sign-in: a code of the application, or a recovery code without it. */
export function CodeStep({ send, onDone, onBack }: CodeStepProps) {
  const [isRecovery, setRecovery] = useState(false);
  return (
    <>
      <TokenForm
        // Another field, which takes the focus anew.
        key={String(isRecovery)}
        send={({ code = '' }) => send(code)}
        onDone={onDone}
        action="Se connecter"
        busy="Connexion…"
        takesFocus
        code={({ code: error }) =>
          isRecovery ? (
            <TextField
              label="Code de secours"
              name="code"
              isRequired
              autoComplete="off"
              maxLength={50}
              help="Un des dix codes notés à la mise en place. Chacun ne sert qu’une fois."
              error={error}
            />
          ) : (
            <CodeField
              help={
                'Ce compte se connecte en deux étapes\u202f: ouvrez l’application de codes de votre téléphone.'
              }
              error={error}
            />
          )
        }
      />
      <div className="mt-3 flex flex-wrap gap-3">
        <button type="button" className="button quiet" onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? 'J’ai mon téléphone' : 'Je n’ai pas mon téléphone'}
        </button>
        <button type="button" className="button quiet" onClick={onBack}>
          Recommencer
        </button>
      </div>
    </>
  );
}
