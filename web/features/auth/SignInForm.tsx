import { call } from '../../api.ts';
import { storeToken } from '../../session.ts';
import { TextField } from '../../ui/Field.tsx';
import { NOT_KEPT, TokenForm } from '../../ui/TokenForm.tsx';

interface SignInFormProps {
  /** Whoever was signed in before; only the password is left to type. */
  username?: string;
  onSignedIn(): void;
}

/** Name and password of an administrator; keeps the token of a success. */
export function SignInForm({ username = '', onSignedIn }: SignInFormProps) {
  return (
    <TokenForm
      send={({ username: name = '', password = '' }) =>
        call('POST /loginAdmin', { body: { username: name, password } })
      }
      onDone={({ tokenAdmin }) => {
        if (!storeToken('adminToken', tokenAdmin)) {
          return NOT_KEPT;
        }
        onSignedIn();
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
