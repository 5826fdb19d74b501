import { Link, useSearchParams } from 'react-router';
import type { Mailing } from '#features/mails/calls.ts';
import { mailingAddress } from '#features/stays/web/stays.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { MailingPage } from './MailingPage.tsx';
import { MailService } from './MailService.tsx';
import {
  isUnderWay,
  MAILINGS,
  MailingProgress,
  MailingStays,
  natureOf,
  POLL_MS,
  titleOf,
} from './mailings.tsx';

/** All mailings, or the one that the URL names. */
export function MailingsPanel() {
  const asked = useSearchParams()[0].get('envoi');
  return asked === null ? <AllMailings /> : <MailingPage id={asked} />;
}

function AllMailings() {
  const query = useQuestion(MAILINGS, 'Erreur lors de la récupération des e-mails envoyés:', {
    every: (mailings) => (mailings.some(isUnderWay) ? POLL_MS : false),
  });
  return (
    <div className="max-w-3xl">
      <h1>E-mails envoyés</h1>
      <p className="mt-3 mb-6 text-quiet">
        Les codes, les réponses et les autres messages du site, et où ils en sont.
      </p>
      <MailService />
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

/** A mailing of the list, with a link to its messages. */
export function MailingItem({ mailing }: { mailing: Mailing }) {
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
