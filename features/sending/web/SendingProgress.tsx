import {
  CircleAlert,
  CircleCheck,
  CirclePause,
  CloudUpload,
  type LucideIcon,
  Pause,
  Play,
  RotateCw,
  WifiOff,
} from 'lucide-react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { Button } from '#platform/web/ui/Button.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import {
  barSentence,
  closingSentence,
  type Hindrance,
  hindranceSentence,
  readyTime,
  sendingNews,
  sendingSentence,
  type Tally,
  wholeSentence,
} from '../shared/sending.ts';
import { mayRetry } from './items.ts';
import { leavingView, onQueuesChanged, type QueueView, type UploadQueue } from './UploadQueue.ts';

interface SendingProgressProps {
  queue: UploadQueue;
  view: QueueView;
  /** What can be done with the photos that have arrived. */
  children: ReactNode;
}

/** Progress of the whole upload, with its buttons: what can be checked first, then what has arrived in full. */
export function SendingProgress({ queue, view, children }: SendingProgressProps) {
  const { tally, hindrance } = view;
  const sentence = sendingSentence(tally);
  return (
    <>
      {/* Always rendered, even empty: screen readers miss a status that appears with its text. */}
      <p role="status" className="sr-only">
        {sendingNews(tally, hindrance)}
      </p>
      {sentence && (
        <div className="flex flex-col gap-3">
          <p className="flex items-start gap-2 text-xl leading-snug font-semibold" aria-hidden="true">
            <Sign {...signOf(tally, hindrance)} />
            {sentence}
          </p>
          {tally.left > 0 && (
            <div className="flex flex-col gap-2">
              {hindrance && (
                <p
                  className={`font-semibold ${hindrance.kind === 'paused' ? '' : 'text-coral'}`}
                  aria-hidden="true"
                >
                  {hindranceSentence(hindrance)}
                </p>
              )}
              {tally.unready > 0 && <ReadyBar view={view} />}
              {tally.ready > tally.done + tally.reduced && <WholeBar view={view} />}
            </div>
          )}
          {children}
          <ProgressButtons queue={queue} view={view} />
          {tally.left > 0 && <p className="text-sm text-quiet">{closingSentence(tally, hindrance)}</p>}
        </div>
      )}
    </>
  );
}

interface Looks {
  Icon: LucideIcon;
  colour: string;
}

const ON_ITS_WAY: Looks = { Icon: CloudUpload, colour: 'text-pine' };
const ARRIVED: Looks = { Icon: CircleCheck, colour: 'text-moss' };

function signOf(tally: Tally, hindrance: Hindrance | undefined): Looks {
  const { left, unready, failed, missing, done, reduced, unprepared } = tally;
  if (left > 0) {
    if (hindrance?.kind === 'paused') return { Icon: CirclePause, colour: 'text-quiet' };
    if (hindrance) return { Icon: WifiOff, colour: 'text-coral' };
    return unready > 0 ? ON_ITS_WAY : ARRIVED;
  }
  if (failed + missing > 0 || done + reduced === 0) return { Icon: CircleAlert, colour: 'text-coral' };
  return unprepared > 0 ? ON_ITS_WAY : ARRIVED;
}

function Sign({ Icon, colour }: Looks) {
  return <Icon className={`mt-0.5 size-6 shrink-0 ${colour}`} />;
}

function ReadyBar({ view: { tally, readyIn } }: { view: QueueView }) {
  return (
    <div>
      <progress className="bar" max={tally.total} value={tally.readyPart} aria-label="Photos arrivées" />
      {readyIn !== undefined && <p className="font-semibold">{readyTime(tally, readyIn)}</p>}
    </div>
  );
}

function WholeBar({ view: { tally, wholeIn } }: { view: QueueView }) {
  return (
    <div>
      <p className="text-sm text-quiet">{wholeSentence(tally, wholeIn)}</p>
      {tally.unready === 0 && (
        <progress
          className="bar h-2!"
          max={tally.total - tally.reduced}
          value={tally.donePart}
          aria-label="Pleine qualité"
        />
      )}
    </div>
  );
}

function ProgressButtons({
  queue,
  view: { tally, hindrance, items },
}: Omit<SendingProgressProps, 'children'>) {
  const failed = items.filter(mayRetry);
  const isPaused = hindrance?.kind === 'paused';
  const Icon = isPaused ? Play : Pause;
  return (
    <div className="flex flex-wrap gap-3 empty:hidden">
      {tally.left > 0 && (
        <Button quiet onClick={() => queue.setPaused(!isPaused)}>
          <Icon className="size-5" />
          {isPaused ? 'Continuer l’envoi' : 'Mettre en pause'}
        </Button>
      )}
      {failed.length > 0 && (
        <Button quiet onClick={() => queue.retry(failed)}>
          <RotateCw className="size-5" />
          Tout renvoyer
        </Button>
      )}
    </div>
  );
}

/** A bar under that of the site while photos leave from this page, whichever it shows; leads to their panel. */
export function SendingBar() {
  const view = useSyncExternalStore(onQueuesChanged, leavingView, () => undefined);
  if (!view) return null;
  const { tally, hindrance, refusal, address } = view;
  const part =
    tally.unready > 0 ? tally.readyPart / tally.total : tally.donePart / (tally.total - tally.reduced);
  const { Icon } = hindrance ? signOf(tally, hindrance) : ON_ITS_WAY;
  return (
    <aside aria-label="Envoi des photos" className="sending-bar">
      <Link to={address} className="sending-link">
        <Icon className={`size-5 shrink-0 ${hindrance ? 'text-coral' : 'text-pine'}`} />
        <span className="min-w-0 grow">
          {refusal ? 'Envoi arrêté · connectez-vous de nouveau' : barSentence(tally, hindrance)}
        </span>
        <span className="shrink-0 underline underline-offset-3">
          Voir<span className="sr-only"> l’envoi</span>
        </span>
      </Link>
      <span aria-hidden="true" className="sending-part" style={{ scale: `${part} 1` }} />
    </aside>
  );
}
