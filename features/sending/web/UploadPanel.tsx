import { Camera, Images } from 'lucide-react';
import {
  type ChangeEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { NOT_A_PHOTO } from '#features/photos/shared/terms.ts';
import type { Viewer } from '#features/stays/web/sessions.ts';
import type { CallError } from '#platform/web/api.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { useDrop } from '#platform/web/ui/FileZone.tsx';
import type { Tally } from '../shared/sending.ts';
import type { Chosen } from './items.ts';
import { canFingerprint, filesDropped, seemsPhoto, whyNot } from './prepare.ts';
import { SendingBar, SendingProgress } from './SendingProgress.tsx';
import { RefusedFiles, SentPhotos } from './SentPhotos.tsx';
import { type UploadQueue, uploadQueueOf } from './UploadQueue.ts';
import { showInFrame } from './unsent.tsx';

interface UploadPanelProps {
  stageId: number;
  as: Viewer;
  /** The server no longer knows the sign-in. */
  onRefused?(error: CallError): void;
  /** What can be done with the photos that have arrived, shown under their number. */
  children?(tally: Tally): ReactNode;
}

export function UploadPanel({ stageId, as, ...props }: UploadPanelProps) {
  const [queue, setQueue] = useState<UploadQueue>();
  useEffect(() => {
    showInFrame(SendingBar);
    setQueue(uploadQueueOf(stageId, as));
  }, [stageId, as]);
  return queue ? <OpenQueue key={queue.name} queue={queue} as={as} {...props} /> : <p>Un instant…</p>;
}

interface OpenQueueProps extends Omit<UploadPanelProps, 'stageId'> {
  queue: UploadQueue;
}

function OpenQueue({ queue, as, onRefused, children }: OpenQueueProps) {
  const view = useSyncExternalStore(queue.subscribe, queue.view);
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
        <Button quiet onClick={() => queue.takeOver()}>
          Continuer dans cet onglet
        </Button>
      </div>
    );
  }
  return (
    <>
      <PhotoChoice
        isReady={place === 'here'}
        isAtHand={as === 'stay'}
        doubles={view.doubles}
        onChoice={(chosen) => queue.add(chosen)}
      />
      <SendingProgress queue={queue} view={view}>
        {children?.(view.tally)}
      </SendingProgress>
      <RefusedFiles queue={queue} view={view} />
      <SentPhotos queue={queue} items={view.items} />
    </>
  );
}

/** Number of names listed when chosen files are not photos. */
const NAMED = 3;

interface PhotoChoiceProps {
  isReady: boolean;
  /** True: on a phone, its buttons stay at the bottom of the screen; the portal has a bar of its own there. */
  isAtHand: boolean;
  /** Chosen photos that were already in the list. */
  doubles: number;
  onChoice(chosen: Chosen[]): void;
}

function PhotoChoice({ isReady, isAtHand, doubles, onChoice }: PhotoChoiceProps) {
  const id = useId();
  const choice = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const [others, setOthers] = useState<readonly File[]>([]);
  const take = async (files: readonly File[]) => {
    const chosen = await Promise.all(files.map(async (file) => ({ file, reason: await whyNot(file) })));
    const isOther = ({ file, reason }: Chosen) => reason === NOT_A_PHOTO && !seemsPhoto(file);
    setOthers(chosen.filter(isOther).map(({ file }) => file));
    const photos = chosen.filter((one) => !isOther(one));
    if (photos.length > 0) onChoice(photos);
  };
  const { isOver, drop } = useDrop(async (dropped) => take(await filesDropped(dropped)));
  const input = {
    type: 'file',
    className: 'sr-only',
    tabIndex: -1,
    disabled: !isReady,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      void take([...(target.files ?? [])]);
      // Otherwise choosing the same file again, after it was removed, would trigger no event.
      target.value = '';
    },
  } as const;
  return (
    <div className={`drop-zone ${isOver ? 'over' : ''} ${isAtHand ? 'max-sm:contents' : ''}`} {...drop}>
      <div className={`flex gap-[12px] ${isAtHand ? 'send-bar sm:flex-wrap' : 'flex-wrap'}`}>
        <Button
          className="min-h-14! grow sm:grow-0 sm:px-6! sm:text-lg"
          aria-disabled={!isReady}
          onClick={() => choice.current?.click()}
        >
          <Images className="size-6" />
          Choisir des photos
        </Button>
        <Button
          quiet
          className={`min-h-14! grow pointer-fine:hidden ${isAtHand ? 'max-sm:grow-0' : ''}`}
          aria-disabled={!isReady}
          onClick={() => camera.current?.click()}
        >
          <Camera className="size-6" />
          <span className={isAtHand ? 'max-sm:sr-only' : ''}>Prendre une photo</span>
        </Button>
      </div>
      <input
        ref={choice}
        aria-label="Photos à envoyer"
        accept="image/*,.heic,.heif,.hif,.mpo,.avif"
        multiple
        {...input}
        id={`${id}-choice`}
      />
      <input ref={camera} aria-label="Photo à prendre" accept="image/*" capture="environment" {...input} />
      {isAtHand && <p className="sm:hidden">Le bouton est en bas de l’écran.</p>}
      <p className={`hidden text-sm text-quiet pointer-fine:block ${isAtHand ? 'max-sm:hidden' : ''}`}>
        Ou déposez ici des photos, ou des dossiers entiers.
      </p>
      <div role="status" className="text-sm wrap-anywhere empty:hidden">
        {others.length > 0 && <p>{laidAside(others)}</p>}
        {doubles > 0 && <p>{alreadyThere(doubles)}</p>}
      </div>
    </div>
  );
}

function laidAside(files: readonly File[]): string {
  const names = files.slice(0, NAMED).map(({ name }) => name);
  const list = names.join(', ') + (files.length > NAMED ? '…' : '.');
  return files.length === 1
    ? `Ce fichier n’est pas une photo et ne partira pas\u202f: ${list}`
    : `${files.length}\u00a0fichiers ne sont pas des photos et ne partiront pas\u202f: ${list}`;
}

function alreadyThere(count: number): string {
  return count === 1
    ? 'Une photo choisie était déjà dans la liste.'
    : `${count}\u00a0photos choisies étaient déjà dans la liste.`;
}
