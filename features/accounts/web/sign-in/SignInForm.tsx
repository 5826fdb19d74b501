import { useState } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { CallError, call } from '#platform/web/api.ts';
import { storeToken } from '#platform/web/session.ts';
import { TextField } from '#platform/web/ui/Field.tsx';
import { NOT_KEPT, TokenForm } from '#platform/web/ui/TokenForm.tsx';
import { CodeStep } from './CodeStep.tsx';

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
