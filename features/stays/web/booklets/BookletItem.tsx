import { FileText } from 'lucide-react';
import { addressOfFolder } from '#features/content/shared/kind.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/questions.ts';
import { useConfirm } from '#platform/web/ui/confirm.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useAction } from '#platform/web/ui/useAction.ts';
import { BOOKLETS } from './questions.ts';

interface BookletItemProps {
  name: string;
  /** The booklet is about to leave the list, and the keyboard’s focus with it. */
  onGone(): void;
}

/** One booklet, to open or to delete. */
export function BookletItem({ name, onGone }: BookletItemProps) {
  const confirm = useConfirm();
  const { say } = useNotices();
  const { isBusy, run } = useAction();
  const askAgain = useAskAgain(BOOKLETS);
  const remove = async () => {
    const isSure = await confirm({
      question: `Supprimer le livret «\u00a0${name}\u00a0»\u202f?`,
      consequence:
        'Il sera effacé définitivement\u202f: les familles et les directeurs ne pourront plus l’ouvrir.',
      yes: 'Supprimer',
    });
    if (!isSure) return;
    await run(async () => {
      try {
        say((await call('DELETE /livrets/:name', { params: { name } })).message);
        onGone();
      } finally {
        // After a refusal too: somebody else may have been faster.
        await askAgain();
      }
    }, 'Erreur lors de la suppression');
  };
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
        onClick={remove}
      >
        Supprimer
      </button>
    </li>
  );
}
