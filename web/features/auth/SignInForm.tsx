import { useState } from 'react';
import { type CallError, call } from '../../api.ts';
import { storeToken } from '../../session.ts';
import { TextField } from '../../ui/Field.tsx';
import { NeedsScript } from '../../ui/NeedsScript.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { textsOf, useForm } from '../../ui/useForm.ts';
import { useIsInBrowser } from '../../ui/useIsInBrowser.ts';

interface SignInFormProps {
  /** Whoever was signed in before; only the password is left to type. */
  username?: string;
  onSignedIn(): void;
}

/** Name and password of an administrator; keeps the token of a success. */
export function SignInForm({ username = '', onSignedIn }: SignInFormProps) {
  const [trouble, setTrouble] = useState('');
  // Not before somebody listens.
  const isInBrowser = useIsInBrowser();
  const { form, errors, isBusy } = useForm({
    send: (element) => {
      setTrouble('');
      const { username: name = '', password = '' } = textsOf(element);
      return call('POST /loginAdmin', { body: { username: name, password } });
    },
    onDone: ({ tokenAdmin }) => {
      if (storeToken('adminToken', tokenAdmin)) onSignedIn();
      else setTrouble('Ce navigateur refuse de garder la connexion (mode privé, ou stockage bloqué).');
    },
    failure: 'Erreur de connexion',
    onFailed: (error, element) => {
      setTrouble(troubleOf(error));
      // Most often it is the password; typed anew over the old one.
      element.querySelector<HTMLInputElement>('[name=password]')?.select();
      return true;
    },
  });
  return (
    <form {...form} className="flex flex-col gap-5">
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
      <PasswordField
        label="Mot de passe"
        name="password"
        autoComplete="current-password"
        error={errors.password}
        isFirstFocus={username !== ''}
      />
      <div role="alert">{trouble && <p className="font-semibold text-coral">{trouble}</p>}</div>
      <NeedsScript />
      <p>
        <button type="submit" className="button" aria-disabled={isBusy} disabled={!isInBrowser}>
          {isBusy ? 'Connexion…' : 'Se connecter'}
        </button>
      </p>
    </form>
  );
}

function troubleOf(error: CallError): string {
  return error.status === 0 ? 'Erreur de connexion au serveur.' : error.message || 'Erreur de connexion';
}
