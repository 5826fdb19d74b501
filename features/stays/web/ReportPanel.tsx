import { Download } from 'lucide-react';
import { download } from '#platform/web/download.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { useAction } from '#platform/web/ui/useForm.ts';
import { StayListState, useOneOrSeveral } from './StaySelect.tsx';
import { panelOf } from './stayPage.tsx';
import { COUNTED_STAYS, type CountedStay } from './stays.ts';

export const ReportPanel = panelOf('Rapport d’un séjour', 'max-w-2xl', Report);

export function Report() {
  const query = useQuestion(COUNTED_STAYS);
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
  const { chosen, isSeveral, place, field, withChosen } = useOneOrSeveral(stays, {
    nothingChosen: 'Veuillez choisir un séjour',
  });
  const { isBusy, save } = useReportDownload();
  return (
    <div ref={place} className="flex flex-col gap-6">
      {field}
      <div>
        <div role="status">
          {chosen.length === 1
            ? chosen.map((stay) => <Contents key={stay.id} stay={stay} />)
            : isSeveral && (
                <p className="mb-6 text-quiet">Un fichier ZIP, avec un classeur par séjour coché.</p>
              )}
        </div>
        <Button aria-disabled={isBusy} onClick={() => withChosen(save)}>
          <Download className="size-5" />
          {isBusy ? 'Préparation…' : isSeveral ? 'Télécharger les rapports' : 'Télécharger le rapport'}
        </Button>
      </div>
    </div>
  );
}

export function useReportDownload() {
  const { isBusy, run } = useAction();
  const save = (stays: readonly CountedStay[]) => {
    const [first, ...others] = stays;
    if (first && others.length === 0) return run(() => downloadOne(first), FAILED);
    return run(() => downloadAll(stays), ALL_FAILED);
  };
  return { isBusy, save };
}

const FAILED = 'Erreur lors du téléchargement du rapport';
const ALL_FAILED = 'Erreur lors du téléchargement des rapports';

function downloadOne({ nom_stage: nomStage, date_debut, date_fin }: CountedStay): Promise<void> {
  return download('GET /download-rapport', { query: { nomStage, date_debut, date_fin } });
}

function downloadAll(stays: readonly CountedStay[]): Promise<void> {
  return download('GET /rapports', { query: { sejours: stays.map(({ id }) => id) } });
}

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
