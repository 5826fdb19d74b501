import type { ReactNode } from 'react';
import { PasswordField } from '#platform/web/ui/PasswordField.tsx';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';

interface PasswordStepProps<T> {
  intro: ReactNode;
  send(password: string): Promise<T>;
  onDone(answer: T): void;
  action: string;
  busy: string;
  isDanger?: boolean;
  /** Said when it fails. */
  failure: string;
}

/** What needs one’s own password again: a portal left open must not be enough for it. */
export function PasswordStep<T>(props: PasswordStepProps<T>) {
  const { intro, send, onDone, action, busy, isDanger = false, failure } = props;
  const { form, errors, isBusy } = useForm({
    send: (element) => send(textsOf(element).mot_de_passe ?? ''),
    onDone: (answer, element) => {
      element.reset();
      onDone(answer);
    },
    failure,
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <p>{intro}</p>
      <PasswordField
        label="Mot de passe actuel"
        name="mot_de_passe"
        autoComplete="current-password"
        error={errors.mot_de_passe}
      />
      <p>
        <button type="submit" className={isDanger ? 'button danger' : 'button'} aria-disabled={isBusy}>
          {isBusy ? busy : action}
        </button>
      </p>
    </form>
  );
}
