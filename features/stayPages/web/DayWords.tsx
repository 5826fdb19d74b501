import { ChevronDown } from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import { countOf } from '#features/checking/web/texts.ts';
import { WordsOfDay } from '#features/gallery/web/DayBar.tsx';
import type { StaySession } from '#features/stays/web/sessions.ts';
import { useKeptValues } from '#features/stays/web/stay/fields.tsx';
import { Part, useEndOfVisit } from '#features/stays/web/stay/StayFrame.tsx';
import { dayWordsQuestion, type NamedStay, stateOf } from '#features/stays/web/stays.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { dayAfter, daysBetween } from '#platform/shared/time.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/askAgain.ts';
import { draftKey } from '#platform/web/drafts.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { TextArea } from '#platform/web/ui/Field.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { useAction, useForm } from '#platform/web/ui/useForm.ts';

type Word = ReplyOf<'GET /stages/:id/jours'>[number];

/** « Le mot du jour »: the texts that the directors of a stay write to its families, one per day. */
export function DayWords({ stay, session }: { stay: NamedStay; session: StaySession }) {
  const { today } = useSite();
  const query = useQuestion(dayWordsQuestion(stay.id));
  const days = daysUntil(stay, today);
  return (
    <Part id="mots" title="Le mot du jour">
      <p>Quelques lignes que les familles lisent au-dessus des photos de chaque jour.</p>
      {days.length === 0 ? (
        <p className="well">Vous écrirez le premier mot le jour du départ.</p>
      ) : (
        <LoadState query={query} failed="Les mots du jour n’ont pas pu être chargés.">
          {(words) => (
            <div className="divide-y divide-mist border-y border-mist">
              {days.map((jour, place) => {
                const word = words.find((one) => one.jour === jour);
                return (
                  <Day
                    key={jour}
                    word={word ?? { jour, mot: '', photos: 0 }}
                    session={session}
                    isFirst={place === 0}
                  />
                );
              })}
            </div>
          )}
        </LoadState>
      )}
    </Part>
  );
}

/** A link to the field of today's word; nothing when that word is written, and on days that are not of the stay. */
export function WordLink({ stay, className }: { stay: NamedStay; className: string }) {
  const { today } = useSite();
  const { data } = useQuestion(dayWordsQuestion(stay.id));
  const isWritten = data?.some(({ jour, mot }) => jour === today && mot !== '') ?? true;
  if (isWritten || stateOf(stay, today) !== 'running') return null;
  const onClick = (event: MouseEvent) => {
    // The first field is that of the latest day.
    const heading = document.getElementById('mots');
    const field = heading?.parentElement?.querySelector('textarea');
    if (!field) return;
    event.preventDefault();
    field.closest('details')?.setAttribute('open', '');
    heading?.scrollIntoView();
    field.focus();
  };
  return (
    // biome-ignore lint/a11y/useValidAnchor: a link to the section, wherever its field is not there
    <a href="#mots" className={className} onClick={onClick}>
      Écrire le mot du jour
    </a>
  );
}

/** The days of a stay that have begun, the latest first. */
function daysUntil({ date_debut, date_fin }: NamedStay, today: string): string[] {
  const last = today < date_fin ? today : date_fin;
  const count = daysBetween(date_debut, last) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, back) => dayAfter(last, -back));
}

interface DayProps {
  word: Word;
  session: StaySession;
  isFirst: boolean;
}

function Day({ word: { jour, mot, photos }, session, isFirst }: DayProps) {
  const { locale, today } = useSite();
  const kept = useKeptValues(draftKey('directeur', `mot-${jour}`, session.stageId), { mot });
  const isDirty = 'mot' in kept.changes;
  // Only the initial state: afterwards the day is opened and closed by hand.
  const [isOpenFirst] = useState(isFirst || isDirty);
  const state = isDirty ? 'brouillon' : mot ? 'écrit' : 'à écrire';
  return (
    <details className="group" open={isOpenFirst}>
      <summary className="flex min-h-14 items-center gap-3 py-2">
        <span className="grow font-semibold first-letter:uppercase">
          {jour === today ? 'Aujourd’hui' : weekdayOf(jour, locale)}
        </span>
        <span className="shrink-0 text-sm text-quiet">
          {photos > 0 && `${countOf(photos)}, `}
          {state}
        </span>
        <ChevronDown className="size-5 shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      <WordForm word={{ jour, mot }} kept={kept} session={session} />
    </details>
  );
}

/** Longest text, in characters, as on the server. */
const LONGEST = 2_000;

interface WordFormProps {
  /** As families read it now. */
  word: { jour: string; mot: string };
  kept: ReturnType<typeof useKeptValues>;
  session: StaySession;
}

/** The word of one day, kept on this device until it is sent. */
function WordForm({ word: { jour, mot }, kept, session }: WordFormProps) {
  const text = kept.values.mot ?? '';
  const isDirty = 'mot' in kept.changes;
  const { say, clear } = useNotices();
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
    // A text that was never sent exists only on this device: nothing to erase on the server.
    if (mot) say((await send('')).message);
    kept.change('mot', '');
    kept.confirm({ mot: '' });
    await askAgain();
  };
  const onErase = () =>
    erasing.run(eraseWord, 'Erreur lors de l’effacement du mot du jour', {
      question: 'Effacer le mot de ce jour\u202f?',
      consequence: mot ? 'Les familles ne le liront plus.' : 'Votre brouillon sera perdu.',
      yes: 'Effacer',
    });
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
        missing="écrivez le mot du jour."
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
          <WordsOfDay words={[{ mot: text.trim() }]} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" aria-disabled={isBusy || !isDirty}>
          {isBusy ? 'Enregistrement…' : 'Publier ce mot'}
        </Button>
        {(text || mot) && (
          <Button quiet aria-disabled={erasing.isBusy} onClick={onErase}>
            Effacer
          </Button>
        )}
      </div>
    </form>
  );
}
