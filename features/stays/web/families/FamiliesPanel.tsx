import { Link } from 'react-router';
import { StayListState, StaySelect } from '#features/stays/web/StaySelect.tsx';
import { type NamedStay, STAYS, STAYS_FAILED } from '#features/stays/web/stays.ts';
import { useChosenStay, useStayChoice } from '#features/stays/web/useStayChoice.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useConfirmLeaving } from '#platform/web/ui/unsaved.ts';
import { DeleteAll } from './DeleteAll.tsx';
import { StayChildren } from './StayChildren.tsx';

/** The children of a stay and the addresses of their families. */
export function FamiliesPanel() {
  const stays = useQuestion(STAYS, STAYS_FAILED);
  return (
    <div className="max-w-4xl">
      <h1>Familles</h1>
      <p className="mt-3 mb-6 text-quiet">
        Les enfants inscrits à un séjour et les adresses de leurs familles. Pour en ajouter beaucoup à la
        fois, <Link to={panelAddress('familles-importer')}>importez un fichier</Link>.
      </p>
      <StayListState query={stays}>{(list) => <ChosenStay stays={list} />}</StayListState>
    </div>
  );
}

function ChosenStay({ stays }: { stays: readonly NamedStay[] }) {
  const { chosen, place, error, choose, miss } = useStayChoice(stays, useChosenStay());
  const confirmLeaving = useConfirmLeaving();
  return (
    <div ref={place} className="flex flex-col gap-6">
      <StaySelect
        stays={stays}
        value={chosen?.id}
        error={error}
        onChoose={async (stay) => {
          if (await confirmLeaving()) choose(stay);
        }}
      />
      {chosen ? <StayChildren key={chosen.id} stay={chosen} /> : <DeleteAll onAsked={miss} />}
    </div>
  );
}
