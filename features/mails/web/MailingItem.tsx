import { Link } from 'react-router';
import type { Mailing } from '#features/mails/calls.ts';
import { mailingAddress } from '#features/stays/web/stays.ts';
import { Instant } from '#platform/web/ui/Time.tsx';
import { MailingProgress } from './MailingProgress.tsx';
import { MailingStays } from './MailingStays.tsx';
import { natureOf, titleOf } from './mailings.ts';

/** A mailing of the list, which leads to its messages. */
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
