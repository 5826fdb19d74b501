import { call } from '#platform/web/api.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { PasswordField } from '#platform/web/ui/PasswordField.tsx';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import { GOOD_PASSWORD } from './questions.ts';

/** One’s own password: the old one is asked for, as a portal left open must not give the account away. */
export function OwnPassword() {
  const { say } = useNotices();
  const { form, errors, isBusy } = useForm({
    send: (element) => {
      const { ancien = '', nouveau = '' } = textsOf(element);
      return call('POST /admins/moi/mot-de-passe', { body: { ancien, nouveau } });
    },
    onDone: ({ message }, element) => {
      say(message);
      element.reset();
    },
    failure: 'Erreur lors du changement de mot de passe',
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <PasswordField
        label="Mot de passe actuel"
        name="ancien"
        autoComplete="current-password"
        error={errors.ancien}
      />
      <PasswordField
        label="Nouveau mot de passe"
        name="nouveau"
        autoComplete="new-password"
        help={`${GOOD_PASSWORD} Vos connexions sur d’autres appareils prendront fin.`}
        error={errors.nouveau}
      />
      <p>
        <button type="submit" className="button" aria-disabled={isBusy}>
          {isBusy ? 'Changement…' : 'Changer mon mot de passe'}
        </button>
      </p>
    </form>
  );
}
