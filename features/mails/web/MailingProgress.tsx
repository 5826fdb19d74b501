import { useId } from 'react';
import type { Mailing } from '#features/mails/calls.ts';
import { doneOf, isUnderWay, progressOf, timeLeft } from './mailings.ts';

/** Progress of a mailing, in words and, while messages wait, as a bar. */
export function MailingProgress({ mailing }: { mailing: Mailing }) {
  const id = useId();
  const { total, reste_secondes } = mailing;
  return (
    <div>
      {isUnderWay(mailing) && (
        <progress className="bar" max={total} value={doneOf(mailing)} aria-labelledby={id} />
      )}
      <p id={id}>
        <span className="font-semibold">{progressOf(mailing)}</span>
        {reste_secondes !== null && <span className="text-quiet"> · {timeLeft(reste_secondes)}</span>}
      </p>
    </div>
  );
}

/** Steps announced to screen readers, in quarters: an announcement per second would be too much. */
const STEPS = 4;

/** Text for screen readers, which changes at each quarter and at the end. */
export function spokenProgress(mailing: Mailing): string {
  if (!isUnderWay(mailing)) return `Envoi terminé\u202f: ${progressOf(mailing)}.`;
  const quarters = Math.floor((doneOf(mailing) / mailing.total) * STEPS);
  return quarters === 0 ? 'Envoi en cours.' : `Envoi en cours\u202f: ${(quarters * 100) / STEPS}\u202f%.`;
}
