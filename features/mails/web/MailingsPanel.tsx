import { useSearchParams } from 'react-router';
import { useQuestion } from '#platform/web/questions.ts';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { MailingItem } from './MailingItem.tsx';
import { MailingPage } from './MailingPage.tsx';
import { MailService } from './MailService.tsx';
import { isUnderWay, LOOK_MS, MAILINGS } from './mailings.ts';

/** What was sent, or the one mailing that the address names. */
export function MailingsPanel() {
  const asked = useSearchParams()[0].get('envoi');
  return asked === null ? <AllMailings /> : <MailingPage id={asked} />;
}

function AllMailings() {
  const query = useQuestion(MAILINGS, 'Erreur lors de la récupération des e-mails envoyés:', {
    every: (mailings) => (mailings.some(isUnderWay) ? LOOK_MS : false),
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
