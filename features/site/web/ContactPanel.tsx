import { Mail, MailOpen, Reply, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { ofName } from '#platform/shared/elision.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/askAgain.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { useAction } from '#platform/web/ui/useForm.ts';
import { CONTACT_DAYS, CONTACT_LISTED } from '../shared/limits.ts';

export function ContactPanel() {
  const query = useQuestion(MESSAGES);
  const title = useRef<HTMLHeadingElement>(null);
  return (
    <div className="max-w-3xl">
      <h1 ref={title} tabIndex={-1}>
        Messages de contact
      </h1>
      <p className="mt-3 mb-6 text-quiet">
        Ce que les visiteurs écrivent avec le formulaire de contact. Un message est effacé définitivement{' '}
        {CONTACT_DAYS} jours après son arrivée.
      </p>
      <ListState
        query={query}
        failed="Les messages de contact n’ont pas pu être chargés."
        empty="Aucun message pour le moment : ceux des visiteurs arriveront ici."
      >
        {(messages) => (
          <>
            <ul className="flex flex-col gap-4">
              {messages.map((message) => (
                <ContactItem
                  key={message.id}
                  message={message}
                  onGone={() => title.current?.focus({ preventScroll: true })}
                />
              ))}
            </ul>
            {messages.length >= CONTACT_LISTED && (
              <p className="mt-6 text-quiet">
                Seuls les {CONTACT_LISTED} messages les plus récents sont affichés : en supprimer fait
                apparaître les précédents.
              </p>
            )}
          </>
        )}
      </ListState>
    </div>
  );
}

interface ContactItemProps {
  message: ReplyOf<'GET /contact'>[number];
  /** Called when the message is about to leave the list, which would lose the keyboard’s focus. */
  onGone(): void;
}

export function ContactItem({
  message: { id, nom, email, message, created_at, lu_le },
  onGone,
}: ContactItemProps) {
  const { say } = useNotices();
  // The dashboard shows how many are unread.
  const { isBusy, run } = useAction(useAskAgain(MESSAGES, { key: 'GET /tableau-de-bord' }));
  const isUnread = lu_le === null;

  const toggleRead = () =>
    run(async () => {
      say((await call('PUT /contact/:id', { params: { id }, body: { lu: isUnread } })).message);
    }, 'Erreur lors de la modification du message');
  const remove = async () => {
    say((await call('DELETE /contact/:id', { params: { id } })).message);
    onGone();
  };
  const onRemove = () =>
    run(remove, 'Erreur lors de la suppression du message', {
      question: `Supprimer le message ${ofName(nom)}\u202f?`,
      consequence: 'Il sera effacé définitivement.',
      yes: 'Supprimer',
    });

  const Icon = isUnread ? MailOpen : Mail;
  return (
    <li className={`card border-l-4 p-5 wrap-anywhere ${isUnread ? 'border-l-sun' : ''}`}>
      <p className="flex flex-wrap items-center gap-x-3">
        <span className="text-lg font-semibold">{nom}</span>
        {isUnread && (
          <span className="rounded-full bg-sun px-3 text-sm font-semibold text-on-sun">Non lu</span>
        )}
      </p>
      <p className="flex flex-wrap items-center gap-x-4 text-quiet">
        <a href={`mailto:${email}`} className="inline-flex min-h-11 items-center">
          {email}
        </a>
        <Instant value={created_at} />
      </p>
      <p className="mt-2 max-w-[70ch] whitespace-pre-line">{message}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Link className="button" to={answerAddress(id)} aria-label={`Répondre à ${nom}`}>
          <Reply className="size-5" />
          Répondre
        </Link>
        <Button
          quiet
          aria-label={`${isUnread ? 'Marquer comme lu' : 'Marquer comme non lu'} : message ${ofName(nom)}`}
          aria-disabled={isBusy}
          onClick={toggleRead}
        >
          <Icon className="size-5" />
          {isUnread ? 'Marquer comme lu' : 'Marquer comme non lu'}
        </Button>
        <Button
          danger
          className="ml-auto"
          aria-label={`Supprimer le message ${ofName(nom)}`}
          aria-disabled={isBusy}
          onClick={onRemove}
        >
          <Trash2 className="size-5" />
          Supprimer
        </Button>
      </div>
    </li>
  );
}

export function answerAddress(contactId: number): string {
  return `${panelAddress('ecrire')}&message=${contactId}`;
}

export const MESSAGES = { key: 'GET /contact' } as const;
