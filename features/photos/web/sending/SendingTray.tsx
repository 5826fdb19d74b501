import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Viewer } from '#features/photos/web/useStayPhotos.ts';
import type { CallError } from '#platform/web/api.ts';
import { PhotoChoice } from './PhotoChoice.tsx';
import { canFingerprint } from './prepare.ts';
import { SendingProgress } from './SendingProgress.tsx';
import { SentPhotos } from './SentPhotos.tsx';
import { type Tray, trayOf } from './Tray.ts';

interface SendingTrayProps {
  stageId: number;
  as: Viewer;
  /** The server no longer knows the sign-in. */
  onRefused?(error: CallError): void;
}

/** Where photos of a stay are chosen, and seen on their way. */
export function SendingTray({ stageId, as, onRefused }: SendingTrayProps) {
  const [tray, setTray] = useState<Tray>();
  useEffect(() => setTray(trayOf(stageId, as)), [stageId, as]);
  return tray ? <OpenTray key={tray.name} tray={tray} onRefused={onRefused} /> : <p>Un instant…</p>;
}

interface OpenTrayProps {
  tray: Tray;
  onRefused: ((error: CallError) => void) | undefined;
}

function OpenTray({ tray, onRefused }: OpenTrayProps) {
  const view = useSyncExternalStore(tray.subscribe, tray.view);
  const { refusal, place } = view;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => {
    if (refusal) onRefused?.(refusal);
  }, [refusal]);
  if (!canFingerprint()) {
    return (
      <p className="well">
        Les photos ne peuvent pas partir d’ici{'\u202f'}: ouvrez cette page à son adresse en https.
      </p>
    );
  }
  if (place === 'elsewhere') {
    return (
      <div className="well flex flex-col items-start gap-3">
        <p>Les photos de ce séjour partent déjà d’un autre onglet de ce navigateur.</p>
        <button type="button" className="button quiet" onClick={() => tray.takeOver()}>
          Continuer dans cet onglet
        </button>
      </div>
    );
  }
  return (
    <>
      <PhotoChoice isReady={place === 'here'} doubles={view.doubles} onFiles={(files) => tray.add(files)} />
      <SendingProgress tray={tray} view={view} />
      <SentPhotos tray={tray} items={view.items} />
    </>
  );
}
