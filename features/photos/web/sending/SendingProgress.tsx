import {
  CircleAlert,
  CircleCheck,
  CirclePause,
  CloudUpload,
  Pause,
  Play,
  RotateCw,
  WifiOff,
} from 'lucide-react';
import {
  aboutTime,
  amountSent,
  type Hindrance,
  sendingNews,
  sendingSentence,
  type Tally,
} from '#features/photos/shared/sending.ts';
import { mayRetry, type Tray, type TrayView } from './Tray.ts';

interface SendingProgressProps {
  tray: Tray;
  view: TrayView;
}

/** Where the whole sending stands, and what can be done about it. */
export function SendingProgress({ tray, view }: SendingProgressProps) {
  const { tally, hindrance, timeLeft, items, isPaused } = view;
  const failed = items.filter(mayRetry);
  return (
    <>
      {/* There before anything is said in it, or screen readers would miss it. */}
      <p role="status" className="sr-only">
        {sendingNews(tally, hindrance)}
      </p>
      {tally.total > 0 && (
        <div className="flex flex-col gap-3">
          <p className="flex items-start gap-2 text-lg font-semibold" aria-hidden="true">
            <Sign tally={tally} hindrance={hindrance} />
            {sendingSentence(tally, hindrance)}
          </p>
          {tally.left > 0 && (
            <div>
              <progress
                className="bar"
                max={1}
                value={tally.bytes > 0 ? tally.bytesDone / tally.bytes : 0}
                aria-label="Envoi des photos"
              />
              <p className="flex flex-wrap justify-between gap-x-4 text-sm text-quiet">
                <span>{amountSent(tally)}</span>
                {timeLeft !== undefined && <span>{aboutTime(timeLeft)}</span>}
              </p>
            </div>
          )}
          {tally.light > 0 && <p className="text-sm">{lightOnes(tally.light)}</p>}
          <div className="flex flex-wrap gap-3 empty:hidden">
            {tally.left > 0 && (
              <button
                type="button"
                className="button quiet"
                onClick={() => (isPaused ? tray.goOn() : tray.pause())}
              >
                {isPaused ? (
                  <Play aria-hidden="true" className="size-5" />
                ) : (
                  <Pause aria-hidden="true" className="size-5" />
                )}
                {isPaused ? 'Continuer l’envoi' : 'Mettre en pause'}
              </button>
            )}
            {failed.length > 0 && (
              <button type="button" className="button quiet" onClick={() => tray.retry(failed)}>
                <RotateCw aria-hidden="true" className="size-5" />
                Tout renvoyer
              </button>
            )}
            {tally.done === tally.total && (
              <button type="button" className="button quiet" onClick={() => tray.clear()}>
                Vider cette liste
              </button>
            )}
          </div>
        </div>
      )}
    </>
  );
}

function Sign({ tally, hindrance }: { tally: Tally; hindrance: Hindrance | undefined }) {
  const { left, done, total, unprepared } = tally;
  const [Icon, colour] =
    left > 0
      ? hindrance?.kind === 'paused'
        ? [CirclePause, 'text-quiet']
        : [hindrance ? WifiOff : CloudUpload, hindrance ? 'text-coral' : 'text-pine']
      : done < total
        ? [CircleAlert, 'text-coral']
        : [unprepared > 0 ? CloudUpload : CircleCheck, unprepared > 0 ? 'text-pine' : 'text-moss'];
  return <Icon className={`mt-0.5 size-6 shrink-0 ${colour}`} />;
}

function lightOnes(count: number): string {
  return count === 1
    ? 'Une photo est déjà là en version légère\u202f: elle peut être vérifiée.'
    : `${count}\u00a0photos sont déjà là en version légère\u202f: elles peuvent être vérifiées.`;
}
