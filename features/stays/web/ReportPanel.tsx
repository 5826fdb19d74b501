import { Download } from 'lucide-react';
import { download } from '#platform/web/api.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useAction } from '#platform/web/ui/useForm.ts';
import { StayListState, StaySelect, useChosenStay, useSeveralStays, useStayChoice } from './StaySelect.tsx';
import { COUNTED_STAYS, type CountedStay, STAYS_FAILED } from './stays.ts';

/** Panel to download a stay's report (directors' review and families' evaluations) as a workbook. */
export function ReportPanel() {
  return (
    <div className="max-w-2xl">
      <h1>Rapport d’un séjour</h1>
      <Report />
    </div>
  );
}

/** The report of a chosen stay. */
export function Report() {
  const query = useQuestion(COUNTED_STAYS, STAYS_FAILED);
  return (
    <>
      <p className="mt-3 mb-6 text-quiet">
        Un classeur Excel avec le bilan des directeurs, les réponses des familles au questionnaire et leurs
        moyennes. Il ne dit pas qui a répondu.
      </p>
      <StayListState query={query}>{(stays) => <ReportOfStay stays={stays} />}</StayListState>
    </>
  );
}

function ReportOfStay({ stays }: { stays: readonly CountedStay[] }) {
  const nothingChosen = 'Veuillez choisir un séjour';
  const { chosen, place, error, choose, withChosen } = useStayChoice(stays, useChosenStay(), nothingChosen);
  const several = useSeveralStays(stays);
  const { isBusy, run } = useAction();
  const saveAll = (ticked: readonly CountedStay[]) =>
    run(
      () => download('GET /rapports', { query: { sejours: ticked.map(({ id }) => id) } }),
      'Erreur lors du téléchargement des rapports',
    );
  const save = ({ nom_stage: nomStage, date_debut, date_fin }: CountedStay) =>
    run(
      () => download('GET /download-rapport', { query: { nomStage, date_debut, date_fin } }),
      'Erreur lors du téléchargement du rapport',
    );
  return (
    <div ref={place} className="flex flex-col gap-6">
      {several.isOn ? (
        several.field
      ) : (
        <StaySelect stays={stays} value={chosen?.id} onChoose={choose} error={error} />
      )}
      {several.toggle}
      <div>
        <div role="status">
          {several.isOn ? (
            <p className="mb-6 text-quiet">Un fichier ZIP, avec un classeur par séjour coché.</p>
          ) : (
            chosen && <Contents stay={chosen} />
          )}
        </div>
        <button
          type="button"
          className="button"
          aria-disabled={isBusy}
          onClick={() => (several.isOn ? several.withTicked(saveAll) : withChosen(save))}
        >
          <Download aria-hidden="true" className="size-5" />
          {isBusy ? 'Préparation…' : several.isOn ? 'Télécharger les rapports' : 'Télécharger le rapport'}
        </button>
      </div>
    </div>
  );
}

/** Says how many evaluations the report contains, and whether the review is written. */
function Contents({ stay: { evaluations, bilans } }: { stay: CountedStay }) {
  return (
    <div className="well mb-6">
      <p>
        {evaluations === 0 && 'Aucune famille n’a répondu au questionnaire pour le moment.'}
        {evaluations === 1 && 'Une réponse au questionnaire des familles.'}
        {evaluations > 1 && `${evaluations} réponses au questionnaire des familles.`}
      </p>
      <p>Le bilan des directeurs {bilans > 0 ? 'est' : 'n’est pas encore'} écrit.</p>
    </div>
  );
}
