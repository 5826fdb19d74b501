import { useSearchParams } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { MailService } from './MailService.tsx';
import { WriteForm } from './WriteForm.tsx';

/** A mail to one person, or the answer to the visitor whose message the address names. */
export function WritePanel() {
  const asked = useSearchParams()[0].get('message');
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
  const query = useQuestion(
    { key: 'GET /contact' },
    'Erreur lors de la récupération des messages de contact:',
  );
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
    <section className="well wrap-anywhere" aria-labelledby="message-recu">
      <h2 id="message-recu" className="mb-2 text-xl">
        Message de {nom}
      </h2>
      <p className="whitespace-pre-line">{message}</p>
    </section>
  );
}
