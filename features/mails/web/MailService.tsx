import { MailWarning, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { isLoopback } from '#platform/shared/hosts.ts';
import { MAIL_TROUBLES } from '#platform/shared/mails.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { numberText } from '#platform/web/ui/texts.ts';
import { MAIL_SERVICE } from './mailings.tsx';

/** Polling interval in ms while messages wait. */
const POLL_MS = 10_000;

/** The trouble that keeps mails from being sent, if any, and how many may still be sent today. */
export function MailService() {
  const { data } = useQuestion(MAIL_SERVICE, {
    every: ({ configuree, en_attente }) => (configuree && en_attente > 0 ? POLL_MS : false),
  });
  // A live region must be in the page before its text is.
  return (
    <>
      <div role="status" className="not-empty:mb-6">
        {data && <Trouble service={data} />}
      </div>
      <LocalLinks />
    </>
  );
}

/** Warns where links are about to be sent or printed that only this machine could open. */
export function LocalLinks() {
  const { publicUrl } = useSite();
  if (!isLoopback(new URL(publicUrl).hostname)) return null;
  return (
    <div className="mb-6">
      <Banner Icon={TriangleAlert}>
        <p className="font-semibold">
          Les liens mèneraient à {publicUrl}, que cette machine est seule à pouvoir ouvrir.
        </p>
        <p>La personne qui héberge le site règle PUBLIC_URL, l’adresse que les familles connaissent.</p>
      </Banner>
    </div>
  );
}

function Trouble({ service }: { service: ReplyOf<'GET /messagerie'> }) {
  const { configuree, panne, par_jour, partis } = service;
  if (!configuree) {
    return (
      <Banner Icon={MailWarning}>
        <p className="font-semibold">
          Aucun serveur d’envoi n’est réglé{'\u202f'}: les messages attendent dans «{'\u00a0'}E-mails envoyés
          {'\u00a0'}», où vous pouvez les lire et les copier.
        </p>
        <p>La personne qui héberge le site règle SMTP_URL.</p>
      </Banner>
    );
  }
  if (panne) {
    return (
      <Banner Icon={TriangleAlert}>
        <p className="font-semibold">
          Rien ne part pour le moment{'\u202f'}: {MAIL_TROUBLES[panne.erreur]}.
        </p>
        <p>
          Depuis le <Instant value={panne.depuis} />. Prochain essai le{' '}
          <Instant value={panne.prochain_essai} />. Rien n’est perdu{'\u202f'}: les messages attendent.
        </p>
      </Banner>
    );
  }
  if (par_jour === null) return null;
  if (partis < par_jour) {
    return (
      <p className="text-quiet">
        {numberText(partis)} sur {numberText(par_jour)} messages permis en 24 heures sont partis.
      </p>
    );
  }
  return (
    <Banner Icon={TriangleAlert}>
      <p className="font-semibold">Les {numberText(par_jour)} messages permis en 24 heures sont partis.</p>
      <p>Les suivants attendent, et partiront d’eux-mêmes.</p>
    </Banner>
  );
}

function Banner({ Icon, children }: { Icon: typeof MailWarning; children: ReactNode }) {
  return (
    <div className="flex items-start gap-3 rounded-card border-2 border-sun bg-card p-4">
      <Icon className="mt-0.5 size-6 shrink-0" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
