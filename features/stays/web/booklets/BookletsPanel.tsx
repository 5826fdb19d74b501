import { FileText } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { bookletName } from '#features/stays/shared/terms.ts';
import { bookletsQuestion } from '#features/stays/web/stays.ts';
import { nameKey } from '#platform/shared/fold.ts';
import { addressOfFolder } from '#platform/shared/pictures.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain, useQuestion } from '#platform/web/questions.ts';
import { useConfirm } from '#platform/web/ui/dialogs.tsx';
import { PdfField, SendingBar } from '#platform/web/ui/FileZone.tsx';
import { PDFS, useFileChoice } from '#platform/web/ui/files.ts';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useUnsaved } from '#platform/web/ui/unsaved.ts';
import { useAction, useForm } from '#platform/web/ui/useForm.ts';

/** Panel of the PDF files that families and directors of any stay can open from their page. */
export function BookletsPanel() {
  return (
    <div className="max-w-3xl">
      <h1>Livrets</h1>
      <Booklets />
    </div>
  );
}

/** The booklets of all stays. */
export function Booklets() {
  const query = useQuestion(bookletsQuestion(), 'Erreur lors de la récupération des livrets:');
  const title = useRef<HTMLHeadingElement>(null);
  const id = useId();
  return (
    <>
      <p className="mt-3 mb-6 text-quiet">
        Les familles et les directeurs de tous les séjours ouvrent ces fichiers depuis leur page. Le nom du
        fichier est celui qu’ils lisent.
      </p>
      <SendBooklet names={query.data ?? []} />
      <section aria-labelledby={id} className="mt-12 border-t border-mist pt-8">
        <h2 id={id} ref={title} tabIndex={-1} className="mb-4">
          Livrets en ligne
        </h2>
        <ListState
          query={query}
          failed="Les livrets n’ont pas pu être chargés."
          empty="Il n’y a pas encore de livret."
        >
          {(names) => (
            <ul className="border-t border-mist">
              {names.map((name) => (
                <BookletItem
                  key={name}
                  name={name}
                  onGone={() => title.current?.focus({ preventScroll: true })}
                />
              ))}
            </ul>
          )}
        </ListState>
      </section>
    </>
  );
}

interface BookletItemProps {
  name: string;
  /** Called when the booklet is about to leave the list, together with the focused button. */
  onGone(): void;
}

/** One booklet of the list, with a link to open it and a button to delete it. */
function BookletItem({ name, onGone }: BookletItemProps) {
  const { say } = useNotices();
  const { isBusy, run } = useAction(useAskAgain(bookletsQuestion()));
  const remove = async () => {
    say((await call('DELETE /livrets/:name', { params: { name } })).message);
    onGone();
  };
  const onRemove = () =>
    run(remove, 'Erreur lors de la suppression', {
      question: `Supprimer le livret «\u00a0${name}\u00a0»\u202f?`,
      consequence:
        'Il sera effacé définitivement\u202f: les familles et les directeurs ne pourront plus l’ouvrir.',
      yes: 'Supprimer',
    });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-mist py-3">
      <a
        href={`${addressOfFolder('doc_stage_formateur')}${encodeURIComponent(name)}`}
        target="_blank"
        rel="noopener"
        className="flex min-h-11 grow basis-60 items-center gap-3 font-semibold wrap-anywhere"
      >
        <FileText aria-hidden="true" className="size-6 shrink-0 text-pine" />
        <span>
          {name}
          <span className="sr-only"> (nouvel onglet)</span>
        </span>
      </a>
      <button
        type="button"
        className="button danger"
        aria-label={`Supprimer ${name}`}
        aria-disabled={isBusy}
        onClick={onRemove}
      >
        Supprimer
      </button>
    </li>
  );
}

/** Form to send a booklet; asks for confirmation before replacing the one of the same name. */
function SendBooklet({ names }: { names: readonly string[] }) {
  const choice = useFileChoice(PDFS);
  const [progress, setProgress] = useState<number>();
  const confirm = useConfirm();
  const { say } = useNotices();
  const askAgain = useAskAgain(bookletsQuestion());
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
