import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useQuestion } from '../../questions.ts';
import { type NamedStay, STAYS, STAYS_FAILED } from '../../stays.ts';
import { StayListState } from '../../ui/StayListState.tsx';
import { StaySelect } from '../../ui/StaySelect.tsx';
import { useStayChoice } from '../../useStayChoice.ts';

/** The first of two steps: whose photos; then their page. */
export function PhotosPanel() {
  const query = useQuestion(STAYS, STAYS_FAILED);
  return (
    <div className="max-w-2xl">
      <h1 className="mb-6">Photos d’un séjour</h1>
      <StayListState query={query}>{(stays) => <PhotosChoice stays={stays} />}</StayListState>
    </div>
  );
}

function PhotosChoice({ stays }: { stays: NamedStay[] }) {
  const { chosen, place, error, choose, withChosen } = useStayChoice(stays, useState<number>());
  const navigate = useNavigate();
  return (
    <div ref={place} className="flex flex-col gap-6">
      <StaySelect stays={stays} value={chosen?.id} onChoose={choose} error={error} />
      <p>
        <button
          type="button"
          className="button"
          onClick={() => withChosen(({ id }) => navigate(`/photos-modify/${id}`))}
        >
          Modifier
        </button>
      </p>
    </div>
  );
}
