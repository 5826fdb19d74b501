import { useRef, useState } from 'react';
import type { Director } from '#features/stays/calls.ts';
import { StayListState } from '#features/stays/web/StaySelect.tsx';
import { STAYS, STAYS_FAILED } from '#features/stays/web/stays.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useConfirmLeaving } from '#platform/web/ui/unsaved.ts';
import { DirectorForm } from './DirectorForm.tsx';
import { DirectorList } from './DirectorList.tsx';
import { DIRECTORS, DIRECTORS_FAILED } from './directors.ts';

/** Who directs stays: a form for one of them, then all of them. */
export function DirectorsPanel() {
  const directors = useQuestion(DIRECTORS, DIRECTORS_FAILED);
  const stays = useQuestion(STAYS, STAYS_FAILED);
  const title = useRef<HTMLHeadingElement>(null);
  /** Whom the form begins with; each turn is a new form. */
  const [start, setStart] = useState<{ turn: number; director: Director | undefined }>({
    turn: 0,
    director: undefined,
  });
  const confirmLeaving = useConfirmLeaving();

  const begin = (director?: Director) => {
    setStart({ turn: start.turn + 1, director });
    title.current?.focus();
  };
  const edit = async (director: Director) => {
    if (await confirmLeaving()) begin(director);
  };
  return (
    <div className="flex max-w-3xl flex-col gap-10">
      <div>
        <h1 ref={title} tabIndex={-1}>
          Directeurs
        </h1>
        <p className="mt-3 mb-6 text-quiet">
          Qui dirige quel séjour. Tous les directeurs d’un séjour partagent le mot de passe de ce séjour.
        </p>
        <StayListState query={stays}>
          {(all) => (
            <LoadState query={directors} failed="Les directeurs n’ont pas pu être chargés.">
              {(people) => (
                <DirectorForm
                  key={start.turn}
                  stays={all}
                  directors={people}
                  first={start.director}
                  onSaved={() => begin()}
                />
              )}
            </LoadState>
          )}
        </StayListState>
      </div>
      {directors.data && (
        <DirectorList
          directors={directors.data}
          onEdit={edit}
          onGone={() => title.current?.focus({ preventScroll: true })}
        />
      )}
    </div>
  );
}
