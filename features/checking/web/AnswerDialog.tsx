import { type FormEvent, useId, useState } from 'react';
import { Button } from '#platform/web/ui/Button.tsx';
import { useModal } from '#platform/web/ui/dialogs.tsx';
import { TextArea } from '#platform/web/ui/Field.tsx';

export interface AnswerDialogProps {
  question: string;
  help: string;
  yes: string;
  isDanger?: boolean;
  /** Called with the answer to the families, which may be blank; undefined: nothing is decided. */
  answer(reponse: string | undefined): void;
}

/** Dialog before a decision on photos whose removal families asked for, with what these will read of it. */
export function AnswerDialog({ question, help, yes, isDanger = false, answer }: AnswerDialogProps) {
  const modal = useModal(() => answer(undefined));
  const id = useId();
  const [reponse, setReponse] = useState('');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    answer(reponse.trim());
  };
  return (
    <dialog {...modal} role="alertdialog" aria-labelledby={id} className="dialog max-w-lg">
      <h2 id={id} className="text-xl leading-snug wrap-anywhere">
        {question}
      </h2>
      <form onSubmit={onSubmit} noValidate className="mt-4 flex flex-col gap-5">
        <TextArea
          label="Votre réponse à la famille"
          name="reponse"
          rows={2}
          maxLength={300}
          value={reponse}
          onType={setReponse}
          help={help}
        />
        <div className="flex flex-wrap gap-3">
          <button type="submit" className={`button ${isDanger ? 'danger' : ''}`}>
            {yes}
          </button>
          <Button quiet data-first-focus onClick={() => answer(undefined)}>
            Annuler
          </Button>
        </div>
      </form>
    </dialog>
  );
}
