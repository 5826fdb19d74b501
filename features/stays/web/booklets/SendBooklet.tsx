import { useState } from 'react';
import { bookletName } from '#features/stays/shared/terms.ts';
import { nameKey } from '#platform/shared/fold.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/questions.ts';
import { useConfirm } from '#platform/web/ui/confirm.tsx';
import { PDFS, useFileChoice } from '#platform/web/ui/files.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { PdfField } from '#platform/web/ui/PdfField.tsx';
import { SendingBar } from '#platform/web/ui/SendingBar.tsx';
import { useUnsaved } from '#platform/web/ui/unsaved.ts';
import { useForm } from '#platform/web/ui/useForm.ts';
import { BOOKLETS } from './questions.ts';

/** A new booklet, or another in the place of the one of its name, after a question. */
export function SendBooklet({ names }: { names: readonly string[] }) {
  const choice = useFileChoice(PDFS);
  const [progress, setProgress] = useState<number>();
  const confirm = useConfirm();
  const { say } = useNotices();
  const askAgain = useAskAgain(BOOKLETS);
  useUnsaved(choice.isChanged, 'Le fichier sera à choisir de nouveau.');

  async function mayTake(fileName: string): Promise<boolean> {
    const key = nameKey(bookletName(fileName));
    const held = names.find((name) => nameKey(name) === key);
    if (held === undefined) return true;
    return confirm({
      question: `Remplacer le livret «\u00a0${held}\u00a0»\u202f?`,
      consequence: 'Un livret de ce nom existe déjà\u202f: son fichier sera effacé définitivement.',
      yes: 'Remplacer',
    });
  }
  const { form, errors, isBusy } = useForm({
    send: async () => {
      const { file } = choice;
      if (!file || !(await mayTake(file.name))) return undefined;
      const body = new FormData();
      body.append('livret', file);
      try {
        return await call('POST /livrets-upload', { body, onSent: setProgress });
      } finally {
        setProgress(undefined);
      }
    },
    onDone: (sent) => {
      if (!sent) return;
      say(sent.message);
      choice.reset();
      void askAgain();
    },
    failure: 'Erreur lors de l’envoi du livret',
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <div inert={isBusy}>
        <PdfField label="Livret" name="livret" choice={choice} error={errors.livret} />
      </div>
      {progress !== undefined && <SendingBar part={progress} />}
      <p>
        <button type="submit" className="button" aria-disabled={isBusy}>
          {isBusy ? 'Envoi…' : 'Envoyer'}
        </button>
      </p>
    </form>
  );
}
