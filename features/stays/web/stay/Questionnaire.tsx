import { CircleCheck } from 'lucide-react';
import type { ClientBody, ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/askAgain.ts';
import { draftKey } from '#platform/web/drafts.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { focusContent } from '#platform/web/ui/dialogs.tsx';
import { SubmitButton, TextArea } from '#platform/web/ui/Field.tsx';
import { FieldError } from '#platform/web/ui/FieldError.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { useForm } from '#platform/web/ui/useForm.ts';
import { EVALUATION_QUESTIONS, type EvaluationQuestion } from '../../shared/terms.ts';
import type { StaySession, Viewer } from '../sessions.ts';
import { evaluationQuestion } from '../stays.ts';
import { MarkField, useKeptValues } from './fields.tsx';
import { Part, partOf, type StayShown, useEndOfVisit } from './StayFrame.tsx';

interface QuestionnaireProps extends Partial<StayShown> {
  stay: ReplyOf<'GET /stages/:id'>;
  session: StaySession | undefined;
}

/** The families' questionnaire, open once the stay ends; other viewers are told where it will be. */
export function Questionnaire({ stay, session, as = 'stay', of }: QuestionnaireProps) {
  const { locale, today } = useSite();
  const isFamily = session?.role === 'stagiaire';
  const day = dayOf(stay.date_fin, locale, 'UTC');
  const opening =
    stay.date_fin > today
      ? `Il s’ouvre ici le ${day}, dernier jour du séjour.`
      : `Il est ouvert depuis le ${day}.`;
  return (
    <Part {...partOf('questionnaire', stay.id, { as, of })} title="Votre avis sur le séjour">
      {isFamily ? (
        <FamilyQuestionnaire session={session} as={as} opening={opening} />
      ) : (
        <p>Ici, les familles répondent à un questionnaire d’une minute. {opening}</p>
      )}
    </Part>
  );
}

interface FamilyProps {
  session: StaySession;
  as: Viewer;
}

function FamilyQuestionnaire({ session, as, opening }: FamilyProps & { opening: string }) {
  const query = useQuestion(evaluationQuestion(session.stageId, as));
  return (
    <LoadState query={query} failed="Le questionnaire n’a pas pu être chargé.">
      {({ ouverte, faite }) => {
        if (faite) return <Thanks />;
        if (!ouverte) return <p>Un questionnaire d’une minute vous attend à la fin. {opening}</p>;
        return <EvaluationForm session={session} as={as} />;
      }}
    </LoadState>
  );
}

function Thanks() {
  return (
    <p className="flex items-start gap-3 text-lg">
      <CircleCheck className="mt-0.5 size-6 shrink-0 text-moss" />
      Vous avez répondu, merci{'\u202f'}! Votre avis aide à préparer les prochains séjours.
    </p>
  );
}

const QUESTIONS = Object.entries(EVALUATION_QUESTIONS) as [EvaluationQuestion, string][];
const RECOMMENDS = { oui: 'Oui', non: 'Non' };
const BLANK = Object.fromEntries(
  [...QUESTIONS.map(([code]) => code), 'recommande', 'texte'].map((name) => [name, '']),
);

/** Form for marks, a recommendation and a comment; at least one mark or the comment is required. */
function EvaluationForm({ session, as }: FamilyProps) {
  const { stageId } = session;
  const { say } = useNotices();
  const endVisit = useEndOfVisit(session);
  const askAgain = useAskAgain(evaluationQuestion(stageId, as));
  const kept = useKeptValues(draftKey('famille', 'questionnaire', stageId), BLANK);
  const { values, change } = kept;
  const { form, errors, isBusy } = useForm({
    send: () => call('POST /stages/:id/evaluation', { as, params: { id: stageId }, body: bodyOf(values) }),
    onDone: async ({ message }) => {
      kept.confirm(values);
      say(message);
      await askAgain();
      focusContent();
    },
    failure: 'Erreur lors de l’envoi de votre réponse',
    onFailed: (error) => {
      // Already answered in another window: the page says so once it has reloaded the state.
      if (error.status === 409) void askAgain();
      // No answer was given: the error is shown above the button, as it belongs to no single field.
      return error.champs.notes !== undefined || endVisit(error);
    },
  });
  return (
    <form {...form} className="flex flex-col gap-6">
      <p>
        Une minute suffit. Votre réponse est anonyme{'\u202f'}: seul le jour est noté. Répondez aux questions
        que vous voulez.
      </p>
      <div className="grid gap-6 lg:grid-cols-2">
        {QUESTIONS.map(([code, label]) => (
          <MarkField
            key={code}
            label={label}
            value={values[code] ?? ''}
            onChange={(mark) => change(code, mark)}
          />
        ))}
      </div>
      <Recommends value={values.recommande ?? ''} onChange={(value) => change('recommande', value)} />
      <TextArea
        label="Un mot à ajouter"
        name="texte"
        error={errors.texte}
        maxLength={5_000}
        value={values.texte}
        onType={(text) => change('texte', text)}
      />
      <div role="alert" aria-live="assertive">
        <FieldError error={errors.notes} />
      </div>
      <p>
        <SubmitButton yes="Envoyer ma réponse" busy="Envoi…" isBusy={isBusy} />
      </p>
    </form>
  );
}

function Recommends({ value, onChange }: { value: string; onChange(value: string): void }) {
  return (
    <fieldset>
      <legend className="font-semibold">Recommanderiez-vous ce séjour{'\u202f'}?</legend>
      <div className="mt-2 flex gap-3">
        {Object.entries(RECOMMENDS).map(([code, label]) => (
          <label key={code} className="choice flex! min-h-11 items-center gap-3">
            <input
              type="radio"
              name="recommande"
              value={code}
              checked={value === code}
              onChange={() => onChange(code)}
              className="size-5"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function bodyOf(values: Record<string, string>): ClientBody<'POST /stages/:id/evaluation'> {
  const given = QUESTIONS.filter(([code]) => values[code] !== '');
  return {
    notes: Object.fromEntries(given.map(([code]) => [code, Number(values[code])])),
    recommande: values.recommande === '' ? null : values.recommande === 'oui',
    texte: values.texte ?? '',
  };
}
