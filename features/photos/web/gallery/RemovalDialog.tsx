import { useId, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Photo } from '#features/photos/calls.ts';
import { sourcesOf } from '#features/photos/web/grid/layout.ts';
import type { Viewer } from '#features/photos/web/useStayPhotos.ts';
import { call } from '#platform/web/api.ts';
import { TextArea } from '#platform/web/ui/Field.tsx';
import { FormButtons } from '#platform/web/ui/FormButtons.tsx';
import { useForm } from '#platform/web/ui/useForm.ts';
import { useModal } from '#platform/web/ui/useModal.ts';

interface RemovalDialogProps {
  photo: Photo;
  as: Viewer;
  /** The server has hidden it, or has kept the request. */
  onAsked(): Promise<void>;
  onClose(): void;
}

/** Asks for the removal of a photo, with a word where somebody wants to leave one, and says what follows. */
export function RemovalDialog({ photo, as, onAsked, onClose }: RemovalDialogProps) {
  const modal = useModal(onClose);
  const id = useId();
  const [failure, setFailure] = useState('');
  const [answer, setAnswer] = useState('');
  const { form, errors, isBusy } = useForm({
    send: (sent) => {
      setFailure('');
      const mot = String(new FormData(sent).get('mot') ?? '');
      return call('POST /photos/:id/retrait', { as, params: { id: photo.id }, body: { mot } });
    },
    onDone: ({ message }) => {
      setAnswer(message);
      void onAsked();
    },
    failure: 'Erreur lors de la demande de retrait',
    // Said here: a notice of the page lies behind this dialog.
    onFailed: (error) => {
      setFailure(error.message);
      return true;
    },
  });
  // Beside the page, which is out of reach while a photo is open over it.
  return createPortal(
    <dialog {...modal} aria-labelledby={`${id}-title`} className="dialog max-w-md">
      <h2 id={`${id}-title`} className="text-xl">
        {answer ? 'Demande envoyée' : 'Demander le retrait de cette photo'}
      </h2>
      <div role="status">{answer && <p className="mt-3">{answer}</p>}</div>
      {answer ? (
        <button type="button" className="button mt-6" ref={(button) => button?.focus()} onClick={onClose}>
          Fermer
        </button>
      ) : (
        <form {...form} className="mt-3 flex flex-col gap-4">
          <div className="flex flex-wrap items-start gap-4">
            <img src={sourcesOf(photo)[0]?.src} alt="" className="max-h-24 max-w-28 rounded-[10px]" />
            <p className="min-w-0 flex-1 basis-52">
              L’équipe du séjour regardera votre demande. En attendant, la photo est cachée à toutes les
              familles, sauf si beaucoup de demandes ont déjà été faites aujourd’hui.
            </p>
          </div>
          <TextArea label="Un mot pour l’équipe" name="mot" error={errors.mot} maxLength={1_000} />
          <p role="alert" className="text-coral empty:hidden">
            {failure}
          </p>
          <FormButtons yes="Demander le retrait" busy="Envoi…" isBusy={isBusy} onCancel={onClose} />
        </form>
      )}
    </dialog>,
    document.body,
  );
}
