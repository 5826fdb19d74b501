import { useState } from 'react';
import type { MailMessage } from '#features/mails/calls.ts';
import { MAIL_STATES, MAIL_TROUBLES, type MailState } from '#platform/shared/mails.ts';
import { Instant } from '#platform/web/ui/Time.tsx';
import { MessageDialog } from './MessageDialog.tsx';

/** Colours of the states; none is told by its colour alone. */
const LOOKS: Record<MailState, string> = {
  attente: 'bg-mist',
  envoi: 'bg-mist',
  envoye: 'bg-pine text-on-pine',
  echec: 'border border-coral text-coral',
  annule: 'border border-edge',
};

interface MessageItemProps {
  mailingId: number;
  message: MailMessage;
  /** The mailing is of several stays: which one this is of. */
  namesStay: boolean;
}

/** A message and what became of it, on a line; why, for one that has not left; and the way to read it. */
export function MessageItem({ mailingId, message, namesStay }: MessageItemProps) {
  const [isRead, setRead] = useState(false);
  const { id, destinataire, nom_stage, etat, termine_le } = message;
  return (
    <li className="flex items-center justify-between gap-x-4 border-b border-mist py-1">
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="font-semibold">{destinataire}</span>
          {namesStay && nom_stage && <span className="text-sm text-quiet">{nom_stage}</span>}
          <span className={`rounded-full px-3 text-sm font-semibold ${LOOKS[etat]}`}>
            {MAIL_STATES[etat]}
          </span>
          {termine_le && (
            <span className="text-sm text-quiet">
              <Instant value={termine_le} />
            </span>
          )}
        </p>
        {etat !== 'envoye' && <Trouble message={message} />}
      </div>
      <button
        type="button"
        className="min-h-11 shrink-0 px-2 text-lake underline underline-offset-3"
        aria-label={`Lire le message à ${destinataire}`}
        onClick={() => setRead(true)}
      >
        Lire
      </button>
      {isRead && <MessageDialog mailingId={mailingId} id={id} onClose={() => setRead(false)} />}
    </li>
  );
}

/** Why a message has not left, and when it is tried again. */
function Trouble({ message: { erreur, reponse, prochain_essai } }: Pick<MessageItemProps, 'message'>) {
  return (
    <>
      {erreur && <p className="first-letter:uppercase">{MAIL_TROUBLES[erreur]}</p>}
      {prochain_essai && (
        <p className="text-sm text-quiet">
          Prochain essai le <Instant value={prochain_essai} />
        </p>
      )}
      {reponse && (
        <details className="text-sm">
          <summary className="min-h-11 content-center">Réponse du fournisseur</summary>
          <p lang="en" className="pb-2 font-mono">
            {reponse}
          </p>
        </details>
      )}
    </>
  );
}
