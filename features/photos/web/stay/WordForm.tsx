import { DayWord } from '#features/photos/web/gallery/DayWord.tsx';
import { dayWordsQuestion } from '#features/stays/web/stay/questions.ts';
import { useEndOfVisit } from '#features/stays/web/stay/useEndOfVisit.ts';
import type { useKeptValues } from '#features/stays/web/stay/useKeptValues.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/questions.ts';
import type { StaySession } from '#platform/web/session.ts';
import { useConfirm } from '#platform/web/ui/confirm.tsx';
import { TextArea } from '#platform/web/ui/Field.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { useAction } from '#platform/web/ui/useAction.ts';
import { useForm } from '#platform/web/ui/useForm.ts';

/** As the server keeps them. */
const LONGEST = 2_000;

interface WordFormProps {
  /** As families read it now. */
  word: { jour: string; mot: string };
  kept: ReturnType<typeof useKeptValues>;
  session: StaySession;
}

/** The word of one day, kept on this device until it is sent. */
export function WordForm({ word: { jour, mot }, kept, session }: WordFormProps) {
  const text = kept.values.mot ?? '';
  const isDirty = 'mot' in kept.changes;
  const { say, clear } = useNotices();
  const confirm = useConfirm();
  const endVisit = useEndOfVisit(session);
  const askAgain = useAskAgain(dayWordsQuestion(session.stageId));
  const send = (wanted: string) =>
    call('PUT /stages/:id/jours/:date', {
      as: 'stay',
      params: { id: session.stageId, date: jour },
      body: { mot: wanted },
    });
  const erasing = useAction();
  const { form, errors, isBusy } = useForm({
    send: () => send(text),
    onDone: ({ message }) => {
      kept.confirm({ mot: text });
      say(message);
      void askAgain();
    },
    failure: 'Erreur lors de l’enregistrement du mot du jour',
    onFailed: endVisit,
  });
  const eraseWord = async () => {
    const isSure = await confirm({
      question: 'Effacer le mot de ce jour\u202f?',
      consequence: mot ? 'Les familles ne le liront plus.' : 'Votre brouillon sera perdu.',
      yes: 'Effacer',
    });
    if (!isSure) return;
    await erasing.run(async () => {
      // What was never sent is nowhere else.
      if (mot) say((await send('')).message);
      kept.change('mot', '');
      kept.confirm({ mot: '' });
      await askAgain();
    }, 'Erreur lors de l’effacement du mot du jour');
  };
  return (
    <form {...form} className="flex flex-col gap-3 pb-5">
      {kept.foundAt && isDirty && (
        <p className="text-sm text-quiet">
          Votre brouillon du <Instant value={kept.foundAt} /> a été repris sur cet appareil.
        </p>
      )}
      <TextArea
        label="Mot du jour"
        name="mot"
        isRequired
        rows={5}
        maxLength={LONGEST}
        error={errors.mot}
        value={text}
        onType={(typed) => {
          clear();
          kept.change('mot', typed);
        }}
        aside={
          text.length > LONGEST / 2 && (
            <span className="text-sm text-quiet">
              {text.length} sur {LONGEST}
            </span>
          )
        }
      />
      {isDirty && text.trim() && (
        <div>
          <p className="mb-1 text-sm text-quiet">Les familles liront{'\u202f'}:</p>
          <DayWord mot={text.trim()} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <button type="submit" className="button" aria-disabled={isBusy || !isDirty}>
          {isBusy ? 'Enregistrement…' : 'Publier ce mot'}
        </button>
        {(text || mot) && (
          <button type="button" className="button quiet" aria-disabled={erasing.isBusy} onClick={eraseWord}>
            Effacer
          </button>
        )}
      </div>
    </form>
  );
}
