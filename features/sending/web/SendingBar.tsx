import { CirclePause, CloudUpload, WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Link } from '#platform/web/ui/Link.tsx';
import { barSentence } from '../shared/sending.ts';
import { leavingView, onQueuesChanged } from './UploadQueue.ts';

/** A bar under that of the site while photos leave from this page, whichever it shows; leads to their panel. */
export function SendingBar() {
  const view = useSyncExternalStore(onQueuesChanged, leavingView, () => undefined);
  if (!view) return null;
  const { tally, hindrance, refusal, address } = view;
  const isWaited = tally.unready > 0;
  const part = isWaited ? tally.readyPart / tally.total : tally.donePart / (tally.total - tally.reduced);
  const Icon = !hindrance ? CloudUpload : hindrance.kind === 'paused' ? CirclePause : WifiOff;
  return (
    <aside aria-label="Envoi des photos" className="sending-bar">
      <Link to={address} className="sending-link">
        <Icon aria-hidden="true" className={`size-5 shrink-0 ${hindrance ? 'text-coral' : 'text-pine'}`} />
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
