import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Director } from '#features/stays/calls.ts';
import { StayListState } from '#features/stays/web/StaySelect.tsx';
import { type NamedStay, STAYS, STAYS_FAILED } from '#features/stays/web/stays.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { Field } from '#platform/web/ui/Field.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { useConfirmLeaving } from '#platform/web/ui/unsaved.ts';
import { AssignForm } from './AssignForm.tsx';
import { DIRECTORS, DIRECTORS_FAILED, nameOf } from './directors.ts';

/** Which stays somebody directs, all at once. */
export function AssignPanel() {
  const directors = useQuestion(DIRECTORS, DIRECTORS_FAILED);
  const stays = useQuestion(STAYS, STAYS_FAILED);
  const nobody = (
    <>
      Aucun directeur pour le moment.
      <Link className="button mt-3 flex w-fit" to={panelAddress('directeurs')}>
        Ajouter un directeur
      </Link>
    </>
  );
  return (
    <div className="max-w-3xl">
      <h1 className="mb-6">Affecter des séjours</h1>
      <StayListState query={stays}>
        {(all) => (
          <ListState query={directors} failed="Les directeurs n’ont pas pu être chargés." empty={nobody}>
            {(people) => <Assignment stays={all} directors={people} />}
          </ListState>
        )}
      </StayListState>
    </div>
  );
}

interface AssignmentProps {
  stays: readonly NamedStay[];
  directors: readonly Director[];
}

function Assignment({ stays, directors }: AssignmentProps) {
  const [search] = useSearchParams();
  const [id, setId] = useState(search.get('directeur') ?? '');
  const confirmLeaving = useConfirmLeaving();
  const director = directors.find((one) => String(one.id) === id);
  const choose = async (value: string) => {
    if (await confirmLeaving()) setId(value);
  };
  return (
    <div className="flex flex-col gap-6">
      <Field label="Directeur" name="formateur" isRequired>
        {(control) => (
          <select
            {...control}
            className="input"
            value={director?.id ?? ''}
            onChange={({ target }) => choose(target.value)}
          >
            <option value="">Choisissez…</option>
            {directors.map((one) => (
              <option key={one.id} value={one.id}>
                {nameOf(one)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {director && <AssignForm key={director.id} director={director} stays={stays} />}
    </div>
  );
}
