import { useEffect } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { CodeField } from '#platform/web/ui/CodeField.tsx';
import { FormButtons } from '#platform/web/ui/FormButtons.tsx';
import { QrCode } from '#platform/web/ui/QrCode.tsx';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';

interface ConfirmSecretProps {
  begun: ReplyOf<'POST /admins/moi/second-facteur'>;
  onConfirmed(answer: ReplyOf<'POST /admins/moi/second-facteur/confirmation'>): void;
  onCancel(): void;
}

/** The secret for the application, and the first code of it, which shows that it has arrived. */
export function ConfirmSecret({ begun: { secret, qr }, onConfirmed, onCancel }: ConfirmSecretProps) {
  const { form, errors, isBusy } = useForm({
    send: (element) =>
      call('POST /admins/moi/second-facteur/confirmation', { body: { code: textsOf(element).code ?? '' } }),
    onDone: onConfirmed,
    failure: 'Erreur lors de la mise en place de la connexion en deux étapes',
  });
  useEffect(() => {
    form.ref.current?.querySelector('input')?.focus();
  }, [form.ref]);
  return (
    <form {...form} className="well flex flex-col gap-5">
      <p>
        Ajoutez un compte dans l’application de codes de votre téléphone, et visez ce code avec elle. S’il ne
        peut pas être lu, tapez la clé.
      </p>
      <QrCode qr={qr} className="size-52 rounded-[10px] bg-white" />
      <p>
        Clé{'\u202f'}:{' '}
        <span className="font-mono font-semibold wrap-anywhere">{secret.replace(/.{4}(?=.)/g, '$& ')}</span>
      </p>
      <CodeField help="Celui que l’application montre maintenant pour ce site." error={errors.code} />
      <FormButtons yes="Confirmer" busy="Vérification…" isBusy={isBusy} onCancel={onCancel} />
    </form>
  );
}
