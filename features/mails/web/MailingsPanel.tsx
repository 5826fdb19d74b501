import { ArrowLeft, RefreshCw, X } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { mailingAddress, sendCodesAddress } from '#features/stays/web/stays.ts';
import { MAIL_STATES, MAIL_TROUBLES, type MailState } from '#platform/shared/mails.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/askAgain.ts';
import { useSearch } from '#platform/web/history.tsx';
import { panelAddress } from '#platform/web/portal.ts';
import { useQuestion, useThing } from '#platform/web/questions.ts';
import { useTitle } from '#platform/web/site.tsx';
import { Button, RoundButton } from '#platform/web/ui/Button.tsx';
import { focusContent, useModal } from '#platform/web/ui/dialogs.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { ListState, LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { numberText } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';
import type { Mailing, MailMessage } from '../calls.ts';
import {
  isUnderWay,
  MAIL_SERVICE,
  MAILINGS,
  MailingProgress,
  MailingStays,
  MailService,
  MessageView,
  natureOf,
  type OneMailing,
  POLL_MS,
  type Shown,
  spokenProgress,
  titleOf,
} from './mailings.tsx';
import { Correction, RefusedMails } from './RefusedMails.tsx';

export function MailingsPanel() {
  const asked = useSearch().get('envoi');
  return asked === null ? <AllMailings /> : <MailingPage id={asked} />;
}

function AllMailings() {
  const query = useQuestion(MAILINGS, { every: (mailings) => (mailings.some(isUnderWay) ? POLL_MS : false) });
  const { data: service } = useQuestion(MAIL_SERVICE);
  return (
    <div className="max-w-3xl">
      <h1>E-mails envoyés</h1>
      <p className="mt-3 mb-6 text-quiet">
        Les codes, les réponses et les autres messages du site, et où ils en sont.
        {service?.expediteur && ` Un message refusé après coup revient à ${service.expediteur}.`}
      </p>
      <MailService />
      <RefusedMails
        render={(message) => (
          <MessageItem key={message.id} mailingId={message.envoi_id} message={message} namesStay />
        )}
      />
      <ListState
        query={query}
        failed="Les e-mails envoyés n’ont pas pu être chargés."
        empty="Aucun e-mail pour le moment : ceux que vous enverrez se suivront d’ici."
      >
        {(mailings) => (
          <ul className="flex flex-col gap-4">
            {mailings.map((mailing) => (
              <MailingItem key={mailing.id} mailing={mailing} />
            ))}
          </ul>
        )}
      </ListState>
    </div>
  );
}

function MailingItem({ mailing }: { mailing: Mailing }) {
  const { id, acteur, created_at, echec } = mailing;
  return (
    <li className={`card gap-2 border-l-4 p-5 wrap-anywhere ${echec > 0 ? 'border-l-coral' : ''}`}>
      <p className="text-sm text-quiet">{natureOf(mailing)}</p>
      <p className="text-lg leading-snug font-semibold">
        <Link to={mailingAddress(id)} className="inline-flex min-h-11 items-center">
          {titleOf(mailing)}
        </Link>
      </p>
      <MailingStays mailing={mailing} />
      <p className="text-sm text-quiet">
        <Instant value={created_at} />, par {acteur}
      </p>
      <MailingProgress mailing={mailing} />
    </li>
  );
}

function MailingPage({ id }: { id: string }) {
  const [shown, setShown] = useState<Shown>({ etat: '', apres: 0 });
  const question = { key: 'GET /envois/:id', params: { id }, query: { ...shown } } as const;
  const query = useThing(question, {
    every: (mailing) => (mailing && isUnderWay(mailing) ? POLL_MS : false),
    keepsLast: true,
  });
  const askAgain = useAskAgain(question, MAILINGS, MAIL_SERVICE);
  return (
    <div className="max-w-3xl">
      <p className="mb-2">
        <Link className="inline-flex min-h-11 items-center gap-2" to={panelAddress('envois')}>
          <ArrowLeft className="size-5" />
          Tous les e-mails envoyés
        </Link>
      </p>
      <LoadState query={query} failed="L’envoi n’a pas pu être chargé." frame={framed}>
        {(mailing) =>
          mailing ? (
            <Loaded mailing={mailing} shown={shown} onShow={setShown} onChanged={askAgain} />
          ) : (
            framed(<p className="well">Cet envoi n’existe pas ou n’existe plus.</p>)
          )
        }
      </LoadState>
    </div>
  );
}

function framed(state: ReactNode) {
  return (
    <>
      <h1 className="mb-6">Un envoi</h1>
      {state}
    </>
  );
}

interface LoadedProps {
  mailing: OneMailing;
  shown: Shown;
  onShow(shown: Shown): void;
  onChanged(): Promise<unknown>;
}

function Loaded({ mailing, shown, onShow, onChanged }: LoadedProps) {
  const { created_at, acteur } = mailing;
  useTitle(titleOf(mailing));
  return (
    <>
      <p className="text-quiet">{natureOf(mailing)}</p>
      <h1>{titleOf(mailing)}</h1>
      <p className="mt-2 text-quiet">
        Le <Instant value={created_at} />, par {acteur}
      </p>
      <div className="mt-2 mb-6 wrap-anywhere">
        <MailingStays mailing={mailing} />
      </div>
      <MailService />
      <div className="well mb-6 flex flex-col gap-4">
        <MailingProgress mailing={mailing} />
        <p role="status" className="sr-only">
          {spokenProgress(mailing)}
        </p>
        <Actions mailing={mailing} onChanged={onChanged} />
      </div>
      <MessageList mailing={mailing} shown={shown} onShow={onShow} />
    </>
  );
}

function Actions({ mailing, onChanged }: Pick<LoadedProps, 'mailing' | 'onChanged'>) {
  const { id, genre, type, echec, sejours } = mailing;
  const { say } = useNotices();
  const { isBusy, run } = useAction(onChanged);
  const retry = () =>
    run(async () => {
      say((await call('POST /envois/:id/relancer', { params: { id } })).message);
      // The focused button disappears with the failures.
      focusContent();
    }, 'Erreur lors de l’envoi des e-mails');
  const isOfCodes = genre === 'codes' && type !== null && sejours.length > 0;
  if (echec === 0 && !isOfCodes) return null;
  return (
    <div className="flex flex-wrap gap-3">
      {echec > 0 && (
        <Button aria-disabled={isBusy} onClick={retry}>
          <RefreshCw className="size-5" />
          {isBusy ? 'Relance…' : 'Relancer les échecs'}
        </Button>
      )}
      {isOfCodes && (
        <Link
          className="button quiet"
          to={sendCodesAddress({ stageIds: sejours.map((stay) => stay.id), type, isOnlyMissing: true })}
        >
          Envoyer à ceux qui ne l’ont pas reçu
        </Link>
      )}
    </div>
  );
}

function MessageList({ mailing, shown, onShow }: Omit<LoadedProps, 'onChanged'>) {
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
            {apres + 1} à {apres + messages.length} sur {numberText(count)}
          </p>
          {apres > 0 && (
            <Button quiet onClick={() => goOn(0)}>
              Revenir au début
            </Button>
          )}
          {apres + messages.length < count && messages.length > 0 && (
            <Button quiet onClick={() => goOn(apres + messages.length)}>
              Voir la suite
            </Button>
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

/** Filter by the states that messages are in; nothing when all are in the same state. */
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
          {label} ({numberText(count)})
        </button>
      ))}
    </div>
  );
}

/** Colours of the states; no state is told by its colour alone. */
const STATE_CLASSES: Record<MailState, string> = {
  attente: 'bg-mist',
  envoi: 'bg-mist',
  envoye: 'bg-pine text-on-pine',
  echec: 'border border-coral text-coral',
  annule: 'border border-edge',
};

interface MessageItemProps {
  mailingId: number;
  message: MailMessage;
  /** The mailing has several stays: the message shows which one it is for. */
  namesStay: boolean;
}

function MessageItem({ mailingId, message, namesStay }: MessageItemProps) {
  const [isRead, setRead] = useState(false);
  const { id, destinataire, nom_stage, etat, termine_le } = message;
  return (
    <li className="flex items-center justify-between gap-x-4 border-b border-mist py-1">
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="font-semibold">{destinataire}</span>
          {namesStay && nom_stage && <span className="text-sm text-quiet">{nom_stage}</span>}
          <span className={`rounded-full px-3 text-sm font-semibold ${STATE_CLASSES[etat]}`}>
            {MAIL_STATES[etat]}
          </span>
          {termine_le && (
            <span className="text-sm text-quiet">
              <Instant value={termine_le} />
            </span>
          )}
        </p>
        {etat !== 'envoye' && <Trouble message={message} />}
        {etat === 'echec' && <Correction message={message} mailingId={mailingId} />}
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

function Trouble({ message: { erreur, reponse, prochain_essai } }: Pick<MessageItemProps, 'message'>) {
  return (
    <>
      {erreur && <p className="first-message:uppercase">{MAIL_TROUBLES[erreur]}</p>}
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

/** One message as its reader sees it, read again at each opening, as its contents may have changed. */
function MessageDialog({ mailingId, id, onClose }: { mailingId: number; id: number; onClose(): void }) {
  const modal = useModal(onClose);
  const label = useId();
  const query = useQuestion(
    { key: 'GET /envois/:id/messages/:n', params: { id: mailingId, n: id } },
    { isFresh: true },
  );
  return (
    <dialog {...modal} aria-labelledby={label} className="dialog max-w-2xl">
      <div className="mb-4 flex items-center justify-between gap-4">
        <h2 id={label} className="text-xl">
          Message
        </h2>
        <RoundButton label="Fermer" onClick={onClose}>
          <X />
        </RoundButton>
      </div>
      <LoadState query={query} failed="Ce message ne peut pas être lu.">
        {(message) => (
          <>
            {message.remarque && <p className="mb-4 font-semibold">{message.remarque}</p>}
            <MessageView message={message} />
          </>
        )}
      </LoadState>
    </dialog>
  );
}
