import { useEffect } from 'react';
import { call } from '#platform/web/api.ts';
import { TextField } from '#platform/web/ui/Field.tsx';
import { FormButtons } from '#platform/web/ui/FormButtons.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { PasswordField } from '#platform/web/ui/PasswordField.tsx';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import { GOOD_PASSWORD, HAND_OVER, useAdminsAgain } from './questions.ts';

/** What is changed, by its name on the wire. */
export type Change = 'username' | 'password';

interface ChangeAdminProps {
  admin: { id: number; username: string };
  change: Change;
  onClose(): void;
}

/** A new name, or a new password for somebody who lost theirs. */
export function ChangeAdmin({ admin: { id, username }, change, onClose }: ChangeAdminProps) {
  const { say } = useNotices();
  const askAgain = useAdminsAgain();
  const isName = change === 'username';
  const { form, errors, isBusy } = useForm({
    send: (element) => call('PUT /admins/:id', { params: { id }, body: textsOf(element) }),
    onDone: ({ message }) => {
      say(isName ? message : `${message}. ${HAND_OVER}`);
      askAgain();
      onClose();
    },
    failure: isName ? 'Erreur lors du changement d’identifiant' : 'Erreur lors du changement de mot de passe',
  });
  useEffect(() => {
    form.ref.current?.querySelector('input')?.focus();
  }, [form.ref]);
  return (
    <form {...form} className="well mt-3 flex max-w-xl flex-col gap-5" autoComplete="off">
      {isName ? (
        <TextField
          label={`Nouvel identifiant de ${username}`}
          name="username"
          isRequired
          defaultValue={username}
          maxLength={100}
          autoComplete="off"
          error={errors.username}
        />
      ) : (
        <PasswordField
          label={`Nouveau mot de passe pour ${username}`}
          name="password"
          autoComplete="new-password"
          help={`${GOOD_PASSWORD} ${HAND_OVER}`}
          error={errors.password}
        />
      )}
      <FormButtons yes="Enregistrer" busy="Enregistrement…" isBusy={isBusy} onCancel={onClose} />
    </form>
  );
}
