import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import type { ItemKind } from '#features/content/shared/kind.ts';
import { answerKey, useQuestion, useThing } from '#platform/web/questions.ts';
import { ListState, LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { ContentForm } from './ContentForm.tsx';
import { ItemSelect } from './ItemSelect.tsx';
import {
  type AnyItem,
  type Choice,
  itemIn,
  itemQuestion,
  listQuestion,
  useChoice,
  useDeletion,
} from './useItems.ts';

interface ModifyPanelProps {
  kind: ItemKind;
  title: string;
  /** Link to the panel that creates an item, for an empty list. */
  creation: { to: string; label: string };
}

/** The first of two steps: choosing an item; its form or its deletion follows. */
export function ModifyPanel({ kind, title, creation }: ModifyPanelProps) {
  const query = useQuestion(listQuestion(kind), `Erreur lors de la récupération (${kind.plural}):`);
  const empty = (
    <>
      Rien à modifier pour le moment.
      <Link className="button mt-3 flex w-fit" to={creation.to}>
        {creation.label}
      </Link>
    </>
  );
  return (
    <>
      <h1 className="mb-6">{title}</h1>
      <ListState query={query} failed="La liste n’a pas pu être chargée." empty={empty}>
        {(items) => <ItemChoice kind={kind} items={items as unknown as AnyItem[]} />}
      </ListState>
    </>
  );
}

function ItemChoice({ kind, items }: { kind: ItemKind; items: AnyItem[] }) {
  const choice = useChoice(kind, items);
  const navigate = useNavigate();
  return (
    <div ref={choice.place} className="flex flex-col gap-6">
      <ItemSelect kind={kind} items={items} choice={choice} />
      <div className="flex flex-wrap justify-between gap-4">
        <button
          type="button"
          className="button"
          onClick={() => choice.withChosen(({ id }) => navigate(`${kind.byId?.page}/${id}`))}
        >
          Modifier
        </button>
        <DeleteChosen kind={kind} choice={choice} />
      </div>
    </div>
  );
}

/** The page with the form of one item: `/actu-modify/{id}` and the like. */
export function ModifyPage({ kind }: { kind: ItemKind }) {
  const { id = '' } = useParams();
  /** Raised to read the item again. */
  const [turn, setTurn] = useState(0);
  return (
    <>
      <h1 className="mb-6">{kind.byId?.title}</h1>
      <LoadedItem key={`${id} ${turn}`} kind={kind} id={id} onRestored={() => setTurn(turn + 1)} />
    </>
  );
}

function LoadedItem({ kind, id, onRestored }: { kind: ItemKind; id: string; onRestored(): void }) {
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
  // The form has disappeared, and the focused element with it.
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

/** The button under a dropdown that deletes the chosen item. */
export function DeleteChosen({ kind, choice }: { kind: ItemKind; choice: Choice }) {
  const { isBusy, remove } = useDeletion(kind);
  return (
    <button
      type="button"
      className="button danger"
      aria-disabled={isBusy}
      onClick={() => choice.withChosen((item) => remove(item, () => choice.choose(undefined)))}
    >
      Supprimer
    </button>
  );
}
