import { useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useConfirm } from '#platform/web/ui/confirm.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { useAction } from '#platform/web/ui/useAction.ts';
import { countOf, type ImportTexts } from './useImport.ts';

interface LastImportProps {
  texts: ImportTexts;
  /** The button that had the focus is gone, and what was said of the file no longer holds. */
  onUndone(): void;
}

/** The last import of a kind: whose it was, and the way back from it. */
export function LastImport({ texts, onUndone }: LastImportProps) {
  const query = useQuestion(
    { key: 'GET /imports/dernier', query: { genre: texts.genre } },
    'Erreur lors de la récupération du dernier import:',
  );
  return (
    <section>
      <h2 className="mb-3 text-xl">Dernier import</h2>
      <LoadState query={query} failed="Le dernier import n’a pas pu être chargé.">
        {({ dernier }) =>
          dernier ? (
            <UndoImport key={dernier.id} last={dernier} noun={texts.noun} onUndone={onUndone} />
          ) : (
            <p className="text-quiet">Aucun pour le moment.</p>
          )
        }
      </LoadState>
    </section>
  );
}

interface UndoImportProps {
  last: NonNullable<ReplyOf<'GET /imports/dernier'>['dernier']>;
  noun: string;
  onUndone(): void;
}

function UndoImport({ last, noun, onUndone }: UndoImportProps) {
  const { id, acteur, created_at, crees, modifies, obstacle } = last;
  const confirm = useConfirm();
  const answers = useQueryClient();
  const { say } = useNotices();
  const { isBusy, run } = useAction();
  const undo = async () => {
    const isSure = await confirm({
      question: 'Annuler cet import\u202f?',
      consequence:
        'Ce qu’il a créé sera effacé, et ce qu’il a modifié redeviendra comme avant. Les corrections qui ne sont pas importées seront perdues.',
      yes: 'Annuler l’import',
      no: 'Garder l’import',
    });
    if (!isSure) return;
    await run(async () => {
      say((await call('POST /imports/:id/annuler', { params: { id } })).message);
      onUndone();
    }, 'Erreur lors de l’annulation de l’import');
    // After a refusal too: somebody else may have been faster.
    await answers.invalidateQueries();
  };
  return (
    <div className="well">
      <p className="wrap-anywhere">
        Par {acteur}, le <Instant value={created_at} />
        {'\u202f'}: {countOf(crees, `${noun} créé`)}, {countOf(modifies, 'modifié')}.
      </p>
      {obstacle ? (
        <p className="mt-2 text-quiet">Il ne peut plus être annulé. {obstacle}</p>
      ) : (
        <button type="button" className="button danger mt-3" aria-disabled={isBusy} onClick={undo}>
          <Undo2 aria-hidden="true" className="size-5" />
          {isBusy ? 'Annulation…' : 'Annuler cet import'}
        </button>
      )}
    </div>
  );
}
