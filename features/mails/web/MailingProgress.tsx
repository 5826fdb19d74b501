import { useId } from 'react';
import type { Mailing } from '#features/mails/calls.ts';
import { doneOf, isUnderWay, progressOf, timeLeft } from './mailings.ts';

/** How far a mailing is, as a bar while something waits, and in words. */
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

/** Quarters, for whoever hears the page: each second would be too much. */
const STEPS = 4;

/** What is said of the progress: each quarter, and the end. */
export function spokenProgress(mailing: Mailing): string {
  if (!isUnderWay(mailing)) return `Envoi terminé\u202f: ${progressOf(mailing)}.`;
  const quarters = Math.floor((doneOf(mailing) / mailing.total) * STEPS);
  return quarters === 0 ? 'Envoi en cours.' : `Envoi en cours\u202f: ${(quarters * 100) / STEPS}\u202f%.`;
}
