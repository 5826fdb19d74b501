import { MailCheck } from 'lucide-react';
import { useId, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Photo } from '#features/photos/calls.ts';
import type { RemovalDecision } from '#features/photos/shared/terms.ts';
import { sourcesOf } from '#features/photos/web/grid/layout.ts';
import { removalsQuestion } from '#features/photos/web/questions.ts';
import { useAskPhotos } from '#features/photos/web/useStayPhotos.ts';
import type { Viewer } from '#features/stays/web/sessions.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/askAgain.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { focusContent, useModal } from '#platform/web/ui/dialogs.tsx';
import { FormButtons, TextArea } from '#platform/web/ui/Field.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { useAction, useForm } from '#platform/web/ui/useForm.ts';
import type { GalleryStay } from './useFeeds.ts';

/** Interval in ms at which a page that stays open asks for new answers. */
const EVERY_MS = 5 * 60_000;
/** Answers shown at first: many must not hide the photos. */
const SHOWN = 4;

type Answer = ReplyOf<'GET /stages/:id/retraits'>[number];

interface RemovalAnswersProps {
  stageId: number;
  as?: Viewer;
  /** Name of the stay, where several are shown. */
  of?: string | undefined;
}

/** What was decided on the removals that this sign-in asked for, until it has been read. The photos are not shown. */
export function RemovalAnswers({ stageId, as = 'stay', of }: RemovalAnswersProps) {
  const titleId = useId();
  const question = removalsQuestion(stageId, as);
  const { data: answers = [] } = useQuestion(question, { every: () => EVERY_MS });
  const askAgain = useAskAgain(question);
  const { isBusy, run } = useAction(askAgain);
  const [isWhole, setWhole] = useState(false);
  if (answers.length === 0) return null;
  const shown = isWhole ? answers : answers.slice(0, SHOWN);
  const dismiss = async () => {
    const ids = answers.map(({ id }) => id);
    await call('POST /stages/:id/retraits/lus', { as, params: { id: stageId }, body: { ids } });
    // The button that had the focus is gone.
    focusContent();
  };
  return (
    <section aria-labelledby={titleId} className="mx-auto w-full max-w-6xl px-4 pb-4">
      <div className="flex flex-col gap-3 rounded-card border border-mist bg-card p-4 shadow-card">
        <h2 id={titleId} className="flex items-center gap-2 text-lg">
          <MailCheck className="size-5 shrink-0 text-pine" />
          {answers.length === 1 ? 'La réponse à votre demande' : 'Les réponses à vos demandes'}
          {of && ` · ${of}`}
        </h2>
        <ul className="flex flex-col gap-2">
          {shown.map((answer) => (
            <AnswerText key={answer.id} answer={answer} />
          ))}
        </ul>
        <p className="flex flex-wrap gap-3">
          <Button aria-disabled={isBusy} onClick={() => run(dismiss, 'La réponse n’a pas pu être rangée')}>
            J’ai lu
          </Button>
          {answers.length > SHOWN && (
            <Button quiet onClick={() => setWhole(!isWhole)}>
              {isWhole ? 'En montrer moins' : `Voir les ${answers.length} réponses`}
            </Button>
          )}
        </p>
      </div>
    </section>
  );
}

const DECIDED: Record<RemovalDecision, string> = {
  retiree: 'la photo a été retirée.',
  gardee: 'l’équipe a choisi de garder la photo',
};

function AnswerText({ answer: { demande_le, decision, reponse } }: { answer: Answer }) {
  const { locale, timeZone } = useSite();
  return (
    <li className="wrap-anywhere">
      Votre demande de retrait du {dayOf(demande_le, locale, timeZone)}
      {'\u202f'}: {DECIDED[decision]}
      {decision === 'gardee' && (reponse === '' ? '.' : '\u202f:')}
      {reponse !== '' && (
        <span className="block">
          «{'\u00a0'}
          {reponse}
          {'\u00a0'}»
        </span>
      )}
    </li>
  );
}

interface RemovalDialogProps {
  photo: Photo;
  stay: GalleryStay;
  onClose(): void;
}

/** Requests the removal of a photo, with an optional message, and shows the answer. */
export function RemovalDialog({ photo, stay: { stageId, as }, onClose }: RemovalDialogProps) {
  const modal = useModal(onClose);
  const id = useId();
  const askPhotos = useAskPhotos(stageId, as);
  const [failure, setFailure] = useState('');
  const [answer, setAnswer] = useState('');
  const { form, errors, isBusy } = useForm({
    send: (sent) => {
      setFailure('');
      const mot = String(new FormData(sent).get('mot') ?? '');
      return call('POST /photos/:id/retrait', { as, params: { id: photo.id }, body: { mot } });
    },
    onDone: ({ message }) => {
      setAnswer(message);
      void askPhotos();
    },
    failure: 'Erreur lors de la demande de retrait',
    // Shown here, because a notice of the page would lie behind this dialog.
    onFailed: (error) => {
      setFailure(error.message);
      return true;
    },
  });
  // Rendered in `body`: the page is out of reach while a photo is open over it.
  return createPortal(
    <dialog {...modal} aria-labelledby={id} className="dialog max-w-md">
      <h2 id={id} className="text-xl">
        {answer ? 'Demande envoyée' : 'Demander le retrait de cette photo'}
      </h2>
      <div role="status">{answer && <p className="mt-3">{answer}</p>}</div>
      {answer ? (
        <Button className="mt-6" ref={(button) => button?.focus()} onClick={onClose}>
          Fermer
        </Button>
      ) : (
        <form {...form} className="mt-3 flex flex-col gap-4">
          <div className="flex flex-wrap items-start gap-4">
            <img src={sourcesOf(photo)[0]?.src} alt="" className="max-h-24 max-w-28 rounded-control" />
            <p className="min-w-0 flex-1 basis-52">
              L’équipe du séjour regardera votre demande. En attendant, la photo est cachée à toutes les
              familles, sauf si beaucoup de demandes ont déjà été faites aujourd’hui.
            </p>
          </div>
          <TextArea label="Un mot pour l’équipe" name="mot" error={errors.mot} maxLength={1_000} />
          <p role="alert" aria-live="assertive" className="text-coral empty:hidden">
            {failure}
          </p>
          <FormButtons yes="Demander le retrait" busy="Envoi…" isBusy={isBusy} onCancel={onClose} />
        </form>
      )}
    </dialog>,
    document.body,
  );
}
