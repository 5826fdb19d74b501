import { ArrowLeft, RefreshCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { sendCodesAddress } from '#features/stays/web/stays.ts';
import { call } from '#platform/web/api.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { useAskAgain, useThing } from '#platform/web/questions.ts';
import { useTitle } from '#platform/web/site.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { useAction } from '#platform/web/ui/useAction.ts';
import { MailingProgress, spokenProgress } from './MailingProgress.tsx';
import { MailingStays } from './MailingStays.tsx';
import { MailService } from './MailService.tsx';
import { MessageList } from './MessageList.tsx';
import {
  isUnderWay,
  LOOK_MS,
  MAIL_SERVICE,
  MAILINGS,
  natureOf,
  type OneMailing,
  type Shown,
  titleOf,
} from './mailings.ts';

/** One mailing: how far it is, and what became of each message. */
export function MailingPage({ id }: { id: string }) {
  const [shown, setShown] = useState<Shown>({ etat: '', apres: 0 });
  const question = { key: 'GET /envois/:id', params: { id }, query: { ...shown } } as const;
  const query = useThing(question, 'Erreur lors de la récupération de l’envoi:', {
    every: (mailing) => (mailing && isUnderWay(mailing) ? LOOK_MS : false),
    keepsLast: true,
  });
  const askAgain = useAskAgain(question, MAILINGS, MAIL_SERVICE);
  return (
    <div className="max-w-3xl">
      <p className="mb-2">
        <Link className="inline-flex min-h-11 items-center gap-2" to={panelAddress('envois')}>
          <ArrowLeft aria-hidden="true" className="size-5" />
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

/** What can be done about those that did not arrive. */
function Actions({ mailing, onChanged }: Pick<LoadedProps, 'mailing' | 'onChanged'>) {
  const { id, genre, type, echec, sejours } = mailing;
  const { say } = useNotices();
  const { isBusy, run } = useAction();
  const retry = () =>
    run(async () => {
      try {
        say((await call('POST /envois/:id/relancer', { params: { id } })).message);
        // The button that has the focus goes away with the failures.
        document.getElementById('contenu')?.focus({ preventScroll: true });
      } finally {
        await onChanged();
      }
    }, 'Erreur lors de l’envoi des e-mails');
  const isOfCodes = genre === 'codes' && type !== null && sejours.length > 0;
  if (echec === 0 && !isOfCodes) return null;
  return (
    <div className="flex flex-wrap gap-3">
      {echec > 0 && (
        <button type="button" className="button" aria-disabled={isBusy} onClick={retry}>
          <RefreshCw aria-hidden="true" className="size-5" />
          {isBusy ? 'Relance…' : 'Relancer les échecs'}
        </button>
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
