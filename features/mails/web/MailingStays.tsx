import type { Mailing } from '#features/mails/calls.ts';
import { stayLabel } from '#features/stays/web/stays.ts';
import { useSite } from '#platform/web/site.tsx';
import { countOf } from './mailings.ts';

/** Most stays named; the others are counted. */
const NAMED = 3;

/** The stays of a mailing in a few words; nothing for a mailing that has none. */
export function MailingStays({ mailing }: { mailing: Mailing }) {
  const { locale } = useSite();
  const { sejours, sejours_nombre } = mailing;
  if (sejours.length === 0) return null;
  const named = sejours.slice(0, NAMED).map((stay) => stayLabel(stay, locale));
  const others = sejours_nombre - named.length;
  return (
    <p>
      {named.join('\u202f; ')}
      {others > 0 && `\u202f; et ${countOf(others, 'autre séjour', 'autres séjours')}`}
    </p>
  );
}
