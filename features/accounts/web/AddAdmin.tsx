import { call } from '#platform/web/api.ts';
import { TextField } from '#platform/web/ui/Field.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { PasswordField } from '#platform/web/ui/PasswordField.tsx';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import { GOOD_PASSWORD, HAND_OVER, useAdminsAgain } from './questions.ts';

/** A new administrator, with a first password. */
export function AddAdmin() {
  const { say } = useNotices();
  const askAgain = useAdminsAgain();
  const { form, errors, isBusy } = useForm({
    send: (element) => {
      const { username = '', password = '' } = textsOf(element);
      return call('POST /admins', { body: { username, password } });
    },
    onDone: ({ message }, element) => {
      say(`${message}. ${HAND_OVER}`);
      element.reset();
      askAgain();
    },
    failure: 'Erreur lors de l’ajout de l’administrateur',
  });
  return (
    <form {...form} className="flex flex-col gap-5" autoComplete="off">
      <TextField
        label="Identifiant"
        name="username"
        isRequired
        maxLength={100}
        autoComplete="off"
        help="Lettres, chiffres, point, tiret, souligné ou @, sans espace."
        error={errors.username}
      />
      <PasswordField
        label="Premier mot de passe"
        name="password"
        autoComplete="new-password"
        help={`${GOOD_PASSWORD} ${HAND_OVER}`}
        error={errors.password}
      />
      <p>
        <button type="submit" className="button" aria-disabled={isBusy}>
          {isBusy ? 'Ajout…' : 'Ajouter'}
        </button>
      </p>
    </form>
  );
}
