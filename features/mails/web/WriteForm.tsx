import { useNavigate } from 'react-router';
import { SUBJECT_MAX, TEXT_MAX } from '#features/mails/shared/terms.ts';
import { mailingAddress } from '#features/stays/web/stays.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { draftKey, useDraft } from '#platform/web/drafts.ts';
import { usePortalSession } from '#platform/web/portal.ts';
import { useAskAgain } from '#platform/web/questions.ts';
import { DraftBanner } from '#platform/web/ui/DraftBanner.tsx';
import { TextArea, TextField } from '#platform/web/ui/Field.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useConfirmLeaving } from '#platform/web/ui/unsaved.ts';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import { MAIL_SERVICE, MAILINGS } from './mailings.ts';

interface WriteFormProps {
  /** Whose message is answered; absent: nobody's. */
  answered?: ReplyOf<'GET /contact'>[number];
}

/** To whom, about what, and the text; empty again once it is sent. */
export function WriteForm({ answered }: WriteFormProps) {
  const { username } = usePortalSession();
  const draft = useDraft(
    draftKey(username, 'e-mail', answered?.id),
    { to: answered?.email ?? '', subject: answered ? 'Votre message' : '', message: '' },
    undefined,
  );
  const navigate = useNavigate();
  const confirmLeaving = useConfirmLeaving();
  const askAgain = useAskAgain(MAILINGS, MAIL_SERVICE);
  const { say } = useNotices();
  const { form, errors, isBusy } = useForm({
    send: (element) => call('POST /send-email', { body: new URLSearchParams(textsOf(element)) }),
    onDone: ({ message, id }) => {
      draft.discard();
      say(message, {
        label: 'Voir l’envoi',
        run: async () => {
          if (await confirmLeaving()) navigate(mailingAddress(id));
        },
      });
      void askAgain();
    },
    failure: 'Erreur lors de l’envoi de l’e-mail',
    incomplete: 'Veuillez remplir tous les champs du formulaire avant de soumettre.',
  });
  const { values } = draft;
  return (
    <form
      {...form}
      className="flex flex-col gap-6"
      onInput={({ currentTarget }) => draft.typed(textsOf(currentTarget))}
    >
      <DraftBanner draft={draft} isNew onDiscard={draft.discard} />
      <div key={draft.generation} inert={isBusy} className="flex flex-col gap-6">
        <TextField
          label="À"
          name="to"
          type="email"
          isRequired
          maxLength={254}
          autoComplete="off"
          defaultValue={values.to}
          error={errors.to}
        />
        <TextField
          label="Objet"
          name="subject"
          isRequired
          maxLength={SUBJECT_MAX}
          defaultValue={values.subject}
          error={errors.subject}
        />
        <TextArea
          label="Message"
          name="message"
          isRequired
          rows={12}
          maxLength={TEXT_MAX}
          defaultValue={values.message ?? ''}
          error={errors.message}
        />
      </div>
      <p className="border-t border-mist pt-6">
        <button type="submit" className="button" aria-disabled={isBusy}>
          {isBusy ? 'Envoi…' : 'Envoyer'}
        </button>
      </p>
    </form>
  );
}
