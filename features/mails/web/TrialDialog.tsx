import { useId } from 'react';
import { useNavigate } from 'react-router';
import { mailingAddress } from '#features/stays/web/stays.ts';
import { call } from '#platform/web/api.ts';
import { TextField } from '#platform/web/ui/Field.tsx';
import { FormButtons } from '#platform/web/ui/FormButtons.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useConfirmLeaving } from '#platform/web/ui/unsaved.ts';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import { useModal } from '#platform/web/ui/useModal.ts';
import type { CodesRequest } from './useCodes.ts';

interface TrialDialogProps {
  request: CodesRequest;
  onClose(): void;
}

/** Asks where the message is to be seen, with a password that opens nothing. */
export function TrialDialog({ request, onClose }: TrialDialogProps) {
  const modal = useModal(onClose);
  const id = useId();
  const navigate = useNavigate();
  const confirmLeaving = useConfirmLeaving();
  const { say } = useNotices();
  const { form, errors, isBusy } = useForm({
    send: (element) => {
      const { type, objet, texte, stageIds } = request;
      const { email = '' } = textsOf(element);
      const body = { type, objet, texte, email, stageId: stageIds[0] as number };
      return call('POST /stages/envoi-mots-de-passe/essai', { body });
    },
    onDone: ({ message, id: mailing }) => {
      onClose();
      say(message, {
        label: 'Voir l’essai',
        run: async () => {
          if (await confirmLeaving()) navigate(mailingAddress(mailing));
        },
      });
    },
    failure: 'Erreur lors de l’envoi de l’essai',
    onFailed: ({ champs }) => {
      // Notices lie behind the dialog: only what can be mended in it keeps it open.
      if (champs.email === undefined) onClose();
      return champs.email !== undefined;
    },
  });
  return (
    <dialog {...modal} aria-labelledby={id} className="dialog max-w-md">
      <h2 id={id} className="text-xl">
        M’envoyer un essai
      </h2>
      <p className="mt-2 mb-4 text-quiet">
        Un seul message, avec un mot de passe qui n’ouvre rien, pour le voir comme il sera reçu.
      </p>
      <form {...form} className="flex flex-col gap-5">
        <TextField
          label="Adresse e-mail"
          name="email"
          type="email"
          isRequired
          isFirstFocus
          maxLength={254}
          autoComplete="email"
          error={errors.email}
        />
        <FormButtons yes="Envoyer l’essai" busy="Envoi…" isBusy={isBusy} onCancel={onClose} />
      </form>
    </dialog>
  );
}
