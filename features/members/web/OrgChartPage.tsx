import { useQuestion } from '#platform/web/questions.ts';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { OrgChart } from './OrgChart.tsx';
import { CHART_QUESTION } from './useChart.ts';

/** Who works here, and under whom. */
export function OrgChartPage() {
  const query = useQuestion(CHART_QUESTION, 'Erreur lors de la récupération de l’organigramme:');
  return (
    <div className="@container">
      <div className="page">
        <h1 className="mb-5">Notre équipe</h1>
        <ListState
          query={query}
          failed="L’organigramme n’a pas pu être chargé."
          empty={<p>L’organigramme n’est pas encore en ligne.</p>}
          drawing="campfire"
        >
          {(people) => <OrgChart people={people} />}
        </ListState>
      </div>
    </div>
  );
}
