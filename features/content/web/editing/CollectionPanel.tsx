import { type ReactNode, useId } from 'react';
import { useSearchParams } from 'react-router';
import type { ItemKind } from '#features/content/shared/kind.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { type EmptyDrawing, ListState } from '#platform/web/ui/LoadState.tsx';
import { CreatePanel } from './CreatePanel.tsx';
import { ItemSelect } from './ItemSelect.tsx';
import { DeleteChosen } from './ModifyPanel.tsx';
import { type AnyItem, listQuestion, useChoice } from './useItems.ts';

interface CollectionPanelProps {
  kind: ItemKind;
  creation: string;
  removal: string;
  /** Logged when the list cannot be loaded, and said. */
  failure: string;
  failed: string;
  empty: string;
  drawing?: EmptyDrawing;
  /** What is to be seen of the chosen one. */
  show(item: AnyItem): ReactNode;
  children?: ReactNode;
}

/** Things without a form of their own once they are made: one is added, or chosen and taken away. */
export function CollectionPanel(props: CollectionPanelProps) {
  const { kind, creation, removal, failure, failed, empty, drawing, show, children } = props;
  const query = useQuestion(listQuestion(kind), failure);
  const id = useId();
  return (
    <>
      <CreatePanel kind={kind} title={creation} />
      <section aria-labelledby={id} className="mt-12 border-t border-mist pt-8">
        <h2 id={id} className="mb-6">
          {removal}
        </h2>
        <ListState query={query} failed={failed} empty={empty} drawing={drawing}>
          {(items) => <Removal kind={kind} items={items as unknown as AnyItem[]} show={show} />}
        </ListState>
      </section>
      {children}
    </>
  );
}

interface RemovalProps {
  kind: ItemKind;
  items: AnyItem[];
  show(item: AnyItem): ReactNode;
}

function Removal({ kind, items, show }: RemovalProps) {
  const [search] = useSearchParams();
  // The search of the portal leads to one of them.
  const choice = useChoice(kind, items, Number(search.get('element')));
  return (
    <div ref={choice.place} className="flex flex-col gap-6">
      <ItemSelect kind={kind} items={items} choice={choice} />
      {choice.chosen && show(choice.chosen)}
      <p>
        <DeleteChosen kind={kind} choice={choice} />
      </p>
    </div>
  );
}
