import { CircleCheck } from 'lucide-react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { useQuestion } from '#platform/web/questions.ts';
import type { StaySession } from '#platform/web/session.ts';
import { useSite } from '#platform/web/site.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { EvaluationForm } from './EvaluationForm.tsx';
import { evaluationQuestion } from './questions.ts';
import { Part } from './StayFrame.tsx';

interface QuestionnaireProps {
  stay: ReplyOf<'GET /stages/:id'>;
  session: StaySession | undefined;
}

/** What families are asked once their stay ends; others are told where it will be. */
export function Questionnaire({ stay, session }: QuestionnaireProps) {
  const { locale, today } = useSite();
  const isFamily = session?.role === 'stagiaire';
  const day = dayOf(stay.date_fin, locale, 'UTC');
  const opening =
    stay.date_fin > today
      ? `Il s’ouvre ici le ${day}, dernier jour du séjour.`
      : `Il est ouvert depuis le ${day}.`;
  return (
    <Part id="questionnaire" title="Votre avis sur le séjour">
      {isFamily ? (
        <FamilyQuestionnaire session={session} opening={opening} />
      ) : (
        <p>Ici, les familles répondent à un questionnaire d’une minute. {opening}</p>
      )}
    </Part>
  );
}

function FamilyQuestionnaire({ session, opening }: { session: StaySession; opening: string }) {
  const query = useQuestion(
    evaluationQuestion(session.stageId),
    'Erreur lors de la récupération du questionnaire:',
  );
  return (
    <LoadState query={query} failed="Le questionnaire n’a pas pu être chargé.">
      {({ ouverte, faite }) => {
        if (faite) return <Thanks />;
        if (!ouverte) return <p>Un questionnaire d’une minute vous attend à la fin. {opening}</p>;
        return <EvaluationForm session={session} />;
      }}
    </LoadState>
  );
}

function Thanks() {
  return (
    <p className="flex items-start gap-3 text-lg">
      <CircleCheck aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-moss" />
      Vous avez répondu, merci{'\u202f'}! Votre avis aide à préparer les prochains séjours.
    </p>
  );
}
