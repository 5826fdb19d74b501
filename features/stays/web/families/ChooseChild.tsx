import { useRef, useState } from 'react';
import type { Child } from '#features/stays/calls.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { childrenIn } from './ChildForm.tsx';
import { ChildList } from './ChildList.tsx';
import { ANY, ChildSearch, matching } from './ChildSearch.tsx';

interface ChooseChildProps {
  items: readonly Child[];
  isBusy: boolean;
  onAdd(): void;
  onUpdate(child: Child): void;
  onDelete(child: Child): void;
}

const NONE_TO_UPDATE = 'Veuillez sélectionner un stagiaire pour mettre à jour.';
const NONE_TO_DELETE = 'Veuillez sélectionner une famille à supprimer.';

/** The list with its search, and what can be done with the one that is chosen in it. */
export function ChooseChild({ items, isBusy, onAdd, onUpdate, onDelete }: ChooseChildProps) {
  const [wanted, setWanted] = useState(ANY);
  const [id, setId] = useState<number>();
  const [missed, setMissed] = useState<string>();
  const place = useRef<HTMLFieldSetElement>(null);
  const { warn, clear } = useNotices();
  const shown = matching(items, wanted);
  // Nothing happens to whom one does not see.
  const chosen = shown.find((child) => child.id === id);
  const withChosen = (work: (child: Child) => void, missing: string) => () => {
    if (chosen) return work(chosen);
    setMissed(missing);
    warn(missing);
    place.current?.querySelector('input')?.focus();
  };
  return (
    <>
      <ChildSearch wanted={wanted} onWanted={setWanted} />
      <div className="flex flex-col gap-1.5">
        {shown.length > 0 && (
          <ChildList
            place={place}
            items={shown}
            chosen={chosen}
            error={chosen ? undefined : missed}
            onChoose={(child) => {
              // The warning stood for the choice that was missing.
              if (missed) clear();
              setMissed(undefined);
              setId(child.id);
            }}
          />
        )}
        <p role="status" className="text-sm text-quiet">
          {shown.length > 0
            ? `${childrenIn(shown.length)} dans la liste.`
            : 'Aucun enfant ne correspond à cette recherche.'}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <button type="button" className="button" onClick={withChosen(onUpdate, NONE_TO_UPDATE)}>
          Modifier
        </button>
        <button type="button" className="button quiet" onClick={onAdd}>
          Ajouter un enfant
        </button>
        <button
          type="button"
          className="button danger ml-auto"
          aria-disabled={isBusy}
          onClick={withChosen(onDelete, NONE_TO_DELETE)}
        >
          Supprimer
        </button>
      </div>
    </>
  );
}
