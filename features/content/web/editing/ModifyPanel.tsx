import { Link, useNavigate } from 'react-router';
import type { ItemKind } from '#features/content/shared/kind.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { ListState } from '#platform/web/ui/ListState.tsx';
import { type AnyItem, listQuestion } from './calls.ts';
import { DeleteChosen } from './DeleteChosen.tsx';
import { ItemSelect } from './ItemSelect.tsx';
import { useChoice } from './useChoice.ts';

interface ModifyPanelProps {
  kind: ItemKind;
  title: string;
  /** Where the first one is made. */
  creation: { to: string; label: string };
}

/** The first of two steps: which item; then its form, or its deletion. */
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
