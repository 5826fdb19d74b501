import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { ItemKind } from '#features/content/shared/kind.ts';
import { answerKey, useThing } from '#platform/web/questions.ts';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { ContentForm } from './ContentForm.tsx';
import { type AnyItem, itemIn, itemQuestion } from './calls.ts';
import { useDeletion } from './useDeletion.ts';

/** One item in its form: `/actu-modify/{id}` and the like. */
export function ModifyPage({ kind }: { kind: ItemKind }) {
  const { id = '' } = useParams();
  /** Raised when the item has to be read again. */
  const [turn, setTurn] = useState(0);
  return (
    <>
      <h1 className="mb-6">{kind.byId?.title}</h1>
      <LoadedItem key={`${id} ${turn}`} kind={kind} id={id} onRestored={() => setTurn(turn + 1)} />
    </>
  );
}

interface LoadedItemProps {
  kind: ItemKind;
  id: string;
  onRestored(): void;
}

function LoadedItem({ kind, id, onRestored }: LoadedItemProps) {
  const answers = useQueryClient();
  const question = itemQuestion(kind, id);
  const query = useThing(question, `Erreur lors de la récupération (${kind.label}):`, { isFresh: true });
  const forget = () => {
    answers.removeQueries({ queryKey: answerKey(question, { isFresh: true }) });
    onRestored();
  };
  return (
    <LoadState query={query} failed="Le formulaire n’a pas pu être chargé.">
      {(answer) => <ItemForm kind={kind} first={itemIn(answer)} onRestored={forget} />}
    </LoadState>
  );
}

interface ItemFormProps {
  kind: ItemKind;
  first: AnyItem | undefined;
  onRestored(): void;
}

function ItemForm({ kind, first, onRestored }: ItemFormProps) {
  const [item, setItem] = useState(first);
  const [isDeleted, setDeleted] = useState(false);
  const answers = useQueryClient();
  const navigate = useNavigate();
  const { say } = useNotices();
  const { isBusy, remove, restore } = useDeletion(kind, onRestored);
  const leadsTo = kind.byId?.leadsTo;

  if (!item) return <p className="well">{kind.texts.notFound}</p>;
  if (isDeleted) return <DeletedItem isBusy={isBusy} onRestore={() => restore(item.id)} />;
  return (
    <ContentForm
      key={item.version}
      kind={kind}
      item={item}
      submitLabel="Modifier"
      failure="Erreur lors de la modification"
      onSaved={(saved) => {
        say(saved.message);
        setItem(saved);
        answers.invalidateQueries();
        if (leadsTo) navigate(leadsTo);
      }}
      danger={
        <button
          type="button"
          className="button danger"
          aria-disabled={isBusy}
          onClick={() => remove(item, () => (leadsTo ? navigate(leadsTo) : setDeleted(true)))}
        >
          Supprimer
        </button>
      }
    />
  );
}

function DeletedItem({ isBusy, onRestore }: { isBusy: boolean; onRestore(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  // What had the focus is gone with the form.
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  return (
    <div className="well">
      <p>Cet élément est dans la corbeille.</p>
      <button ref={button} type="button" className="button mt-4" aria-disabled={isBusy} onClick={onRestore}>
        Restaurer
      </button>
    </div>
  );
}
