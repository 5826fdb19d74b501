import { useState } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { CallError, call } from '#platform/web/api.ts';
import { storeToken } from '#platform/web/session.ts';
import { CodeField } from '#platform/web/ui/CodeField.tsx';
import { TextField } from '#platform/web/ui/Field.tsx';
import { NOT_KEPT, TokenForm } from '#platform/web/ui/TokenForm.tsx';

interface SignInFormProps {
  /** Whoever was signed in before; only the password is left to type. */
  username?: string;
  onSignedIn(): void;
}

/** What was typed first, which a code goes with. */
interface Credentials {
  username: string;
  password: string;
}

/** Name and password of an administrator, then a code where the account asks for one; keeps the token of a success. */
export function SignInForm({ username = '', onSignedIn }: SignInFormProps) {
  const [credentials, setCredentials] = useState<Credentials>();

  function keep({ tokenAdmin }: ReplyOf<'POST /loginAdmin'>): string {
    if (!storeToken('adminToken', tokenAdmin)) return NOT_KEPT;
    onSignedIn();
    return '';
  }

  if (credentials) {
    return (
      <CodeStep
        send={(code) => call('POST /loginAdmin', { body: { ...credentials, code } })}
        onDone={keep}
        onBack={() => setCredentials(undefined)}
      />
    );
  }
  return (
    <TokenForm
      send={({ username: name = '', password = '' }) => signIn({ username: name, password })}
      onDone={(answer) => {
        if ('tokenAdmin' in answer) return keep(answer);
        setCredentials(answer);
        return '';
      }}
      action="Se connecter"
      busy="Connexion…"
      isPasswordFirst={username !== ''}
    >
      {(errors) => (
        <TextField
          label="Identifiant"
          name="username"
          isRequired
          autoComplete="username"
          error={errors.username}
          maxLength={100}
          defaultValue={username}
          // Somebody else’s work must not go on under this form.
          readOnly={username !== ''}
          isFirstFocus={username === ''}
        />
      )}
    </TokenForm>
  );
}

/** A token, or what was typed when it is right and a code is asked for as well. */
async function signIn(credentials: Credentials): Promise<ReplyOf<'POST /loginAdmin'> | Credentials> {
  try {
    return await call('POST /loginAdmin', { body: credentials });
  } catch (error) {
    if (error instanceof CallError && (error.answer as { etape?: unknown } | undefined)?.etape === 'code')
      return credentials;
    throw error;
  }
}

interface CodeStepProps {
  send(code: string): Promise<ReplyOf<'POST /loginAdmin'>>;
  /** Returns what is in the way, or nothing. */
  onDone(answer: ReplyOf<'POST /loginAdmin'>): string;
  /** Back to the name and the password. */
  onBack(): void;
}

/** The second step of a sign-in: a code of the application, or a recovery code without it. */
function CodeStep({ send, onDone, onBack }: CodeStepProps) {
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
