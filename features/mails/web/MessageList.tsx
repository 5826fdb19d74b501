import { useRef } from 'react';
import { MAIL_STATES, type MailState } from '#platform/shared/mails.ts';
import { MessageItem } from './MessageItem.tsx';
import type { OneMailing, Shown } from './mailings.ts';

interface MessageListProps {
  mailing: OneMailing;
  shown: Shown;
  onShow(shown: Shown): void;
}

/** The messages of a mailing, all or those of one state, some at a time. */
export function MessageList({ mailing, shown, onShow }: MessageListProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { messages } = mailing;
  const { etat, apres } = shown;
  const count = etat === '' ? mailing.total : mailing[etat];
  const goOn = (next: number) => {
    onShow({ etat, apres: next });
    heading.current?.focus();
  };
  return (
    <section aria-labelledby="messages">
      <h2 id="messages" ref={heading} tabIndex={-1} className="mb-3 scroll-mt-20 text-xl">
        Messages
      </h2>
      <StateFilter mailing={mailing} etat={etat} onChoose={(state) => onShow({ etat: state, apres: 0 })} />
      {messages.length === 0 && <p className="well">Aucun message ici pour le moment.</p>}
      <ul className="border-t border-mist">
        {messages.map((message) => (
          <MessageItem
            key={message.id}
            mailingId={mailing.id}
            message={message}
            namesStay={mailing.sejours_nombre > 1}
          />
        ))}
      </ul>
      {count > messages.length && (
        <div className="mt-6 flex flex-wrap items-center gap-3">
          <p className="text-quiet">
            {apres + 1} à {apres + messages.length} sur {count.toLocaleString('fr-FR')}
          </p>
          {apres > 0 && (
            <button type="button" className="button quiet" onClick={() => goOn(0)}>
              Revenir au début
            </button>
          )}
          {apres + messages.length < count && messages.length > 0 && (
            <button type="button" className="button quiet" onClick={() => goOn(apres + messages.length)}>
              Voir la suite
            </button>
          )}
        </div>
      )}
    </section>
  );
}

interface StateFilterProps {
  mailing: OneMailing;
  etat: MailState | '';
  onChoose(etat: MailState | ''): void;
}

/** The states that some message is in; nothing to choose where all are in the same. */
function StateFilter({ mailing, etat, onChoose }: StateFilterProps) {
  const states = (Object.keys(MAIL_STATES) as MailState[]).filter(
    (state) => mailing[state] > 0 || state === etat,
  );
  if (states.length < 2) return null;
  const choices = [
    { value: '' as const, label: 'Tous', count: mailing.total },
    ...states.map((value) => ({ value, label: MAIL_STATES[value], count: mailing[value] })),
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons that filter are no fields of a form
    <div role="group" aria-label="Filtrer par état" className="mb-4 flex flex-wrap gap-2">
      {choices.map(({ value, label, count }) => (
        <button
          key={value}
          type="button"
          className={`button ${value === etat ? '' : 'quiet'}`}
          aria-pressed={value === etat}
          onClick={() => onChoose(value)}
        >
          {label} ({count.toLocaleString('fr-FR')})
        </button>
      ))}
    </div>
  );
}
