import { longDay } from '#platform/shared/dates.ts';
import { call } from '#platform/web/api.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useAction } from '#platform/web/ui/useAction.ts';

interface DoubtfulClockProps {
  /** The day that the site believes it is. */
  day: string;
  onConfirmed(): void;
}

/** Asks whether the clock of the site is right, before photos are erased because of it. */
export function DoubtfulClock({ day, onConfirmed }: DoubtfulClockProps) {
  const { say } = useNotices();
  const { isBusy, run } = useAction();
  const confirm = () =>
    run(async () => {
      say((await call('POST /horloge', { body: { jour: day } })).message);
      onConfirmed();
    }, 'Erreur lors de la confirmation de la date');
  return (
    <>
      Le site croit être le {longDay(day)}, après un long arrêt ou un saut de son horloge. Tant que personne
      n’a confirmé cette date, rien n’est effacé pour son âge, ni photos, ni familles, ni messages. Si elle
      est fausse, prévenez la personne qui héberge le site.
      <span className="mt-3 block">
        <button type="button" className="button quiet" aria-disabled={isBusy} onClick={confirm}>
          La date est juste
        </button>
      </span>
    </>
  );
}
