import { X } from 'lucide-react';
import { useId } from 'react';
import { useQuestion } from '#platform/web/questions.ts';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useModal } from '#platform/web/ui/useModal.ts';
import { LetterView } from './LetterView.tsx';

interface MessageDialogProps {
  mailingId: number;
  id: number;
  onClose(): void;
}

/** One message as its reader sees it, asked for anew each time: what it says may have changed. */
export function MessageDialog({ mailingId, id, onClose }: MessageDialogProps) {
  const modal = useModal(onClose);
  const label = useId();
  const query = useQuestion(
    { key: 'GET /envois/:id/messages/:n', params: { id: mailingId, n: id } },
    'Erreur lors de la lecture du message:',
    { isFresh: true },
  );
  return (
    <dialog {...modal} aria-labelledby={label} className="dialog max-w-2xl">
      <div className="mb-4 flex items-center justify-between gap-4">
        <h2 id={label} className="text-xl">
          Message
        </h2>
        <button type="button" className="round-button" onClick={onClose}>
          <X aria-hidden="true" />
          <span className="sr-only">Fermer</span>
        </button>
      </div>
      <LoadState query={query} failed="Ce message ne peut pas être lu.">
        {(letter) => (
          <>
            {letter.remarque && <p className="mb-4 font-semibold">{letter.remarque}</p>}
            <LetterView letter={letter} />
          </>
        )}
      </LoadState>
    </dialog>
  );
}
