import { useRef } from 'react';
import { CONTACT_DAYS, CONTACT_LISTED } from '#features/site/shared/promises.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { ContactItem } from './ContactItem.tsx';
import { MESSAGES } from './questions.ts';

/** What visitors wrote with the contact form, newest first. */
export function ContactPanel() {
  const query = useQuestion(MESSAGES, 'Erreur lors de la récupération des messages de contact:');
  const title = useRef<HTMLHeadingElement>(null);
  return (
    <div className="max-w-3xl">
      <h1 ref={title} tabIndex={-1}>
        Messages de contact
      </h1>
      <p className="mt-3 mb-6 text-quiet">
        Ce que les visiteurs écrivent avec le formulaire des mentions légales. Un message est effacé
        définitivement {CONTACT_DAYS} jours après son arrivée.
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
