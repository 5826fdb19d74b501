import { mailingAddress } from '#features/stays/web/stays.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { ofName } from '#platform/shared/elision.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/askAgain.ts';
import { draftKey, useDraft } from '#platform/web/drafts.ts';
import { useSearch } from '#platform/web/history.tsx';
import { usePortalSession } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useLeading } from '#platform/web/ui/arrival.ts';
import { DraftBanner } from '#platform/web/ui/DraftBanner.tsx';
import { fieldsOf, SubmitButton, TextArea, TextField } from '#platform/web/ui/Field.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import { SUBJECT_MAX, TEXT_MAX } from '../shared/terms.ts';
import { MAIL_SERVICE, MAILINGS, MailService } from './mailings.tsx';

/** Panel to write a mail to one person, or an answer to the visitor whose message the URL names. */
export function WritePanel() {
  const asked = useSearch().get('message');
  return (
    <div className="max-w-2xl">
      <h1>Écrire un e-mail</h1>
      <p className="mt-3 mb-6 text-quiet">À une personne à la fois. La signature vient d’elle-même.</p>
      <MailService />
      {asked === null ? <WriteForm /> : <Answer id={Number(asked)} />}
    </div>
  );
}

function Answer({ id }: { id: number }) {
  const query = useQuestion({ key: 'GET /contact' });
  return (
    <LoadState query={query} failed="Le message de contact n’a pas pu être chargé.">
      {(messages) => {
        const message = messages.find((one) => one.id === id);
        if (!message) return <p className="well">Ce message de contact n’existe pas ou n’existe plus.</p>;
        return (
          <div className="flex flex-col gap-8">
            <WriteForm answered={message} />
            <Written message={message} />
          </div>
        );
      }}
    </LoadState>
  );
}

function Written({ message: { nom, message } }: { message: ReplyOf<'GET /contact'>[number] }) {
  return (
    <Section
      id="message-recu"
      title={`Message ${ofName(nom)}`}
      className="well wrap-anywhere"
      look="mb-2 text-xl"
    >
      <p className="whitespace-pre-line">{message}</p>
    </Section>
  );
}

export function WriteForm({ answered }: { answered?: ReplyOf<'GET /contact'>[number] }) {
  const { username } = usePortalSession();
  const draft = useDraft(
    draftKey(username, 'e-mail', answered?.id),
    { to: answered?.email ?? '', subject: answered ? 'Votre message' : '', message: '' },
    undefined,
  );
  const leading = useLeading();
  const askAgain = useAskAgain(MAILINGS, MAIL_SERVICE);
  const { say } = useNotices();
  const { form, errors, isBusy } = useForm({
    send: (element) => call('POST /send-email', { body: new URLSearchParams(textsOf(element)) }),
    onDone: ({ message, id }) => {
      draft.discard();
      say(message, leading('Voir l’envoi', mailingAddress(id)));
      void askAgain();
    },
    failure: 'Erreur lors de l’envoi de l’e-mail',
    incomplete: 'Veuillez remplir tous les champs du formulaire avant de soumettre.',
  });
  const field = fieldsOf(errors, draft.values);
  return (
    <form
      {...form}
      className="flex flex-col gap-6"
      onInput={({ currentTarget }) => draft.typed(textsOf(currentTarget))}
    >
      <DraftBanner draft={draft} isNew onDiscard={draft.discard} />
      <div key={draft.generation} inert={isBusy} className="flex flex-col gap-6">
        <TextField {...field('to')} label="À" type="email" isRequired autoComplete="off" />
        <TextField {...field('subject')} label="Objet" isRequired maxLength={SUBJECT_MAX} />
        <TextArea {...field('message')} label="Message" isRequired rows={12} maxLength={TEXT_MAX} />
      </div>
      <p className="border-t border-mist pt-6">
        <SubmitButton yes="Envoyer" busy="Envoi…" isBusy={isBusy} />
      </p>
    </form>
  );
}
