import {
  Camera,
  CircleAlert,
  CircleCheck,
  CirclePause,
  CloudUpload,
  ImageIcon,
  Images,
  Pause,
  Play,
  RotateCw,
  WifiOff,
  X,
} from 'lucide-react';
import { type ChangeEvent, memo, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import {
  aboutTime,
  amountSent,
  type Hindrance,
  type SendingState,
  sendingNews,
  sendingSentence,
  type Tally,
} from '#features/photos/shared/sending.ts';
import type { Viewer } from '#features/stays/web/sessions.ts';
import type { CallError } from '#platform/web/api.ts';
import { useDrop } from '#platform/web/ui/FileZone.tsx';
import { useFileAddress } from '#platform/web/ui/files.ts';
import type { Item } from './items.ts';
import { canFingerprint, filesDropped, seemsPhoto } from './prepare.ts';
import { mayRetry, type QueueView, type UploadQueue, uploadQueueOf } from './UploadQueue.ts';

interface UploadPanelProps {
  stageId: number;
  as: Viewer;
  /** The server no longer knows the sign-in. */
  onRefused?(error: CallError): void;
}

/** Panel where photos of a stay are chosen, and their upload is followed. */
export function UploadPanel({ stageId, as, onRefused }: UploadPanelProps) {
  const [queue, setQueue] = useState<UploadQueue>();
  useEffect(() => setQueue(uploadQueueOf(stageId, as)), [stageId, as]);
  return queue ? <OpenQueue key={queue.name} queue={queue} onRefused={onRefused} /> : <p>Un instant…</p>;
}

interface OpenQueueProps {
  queue: UploadQueue;
  onRefused: ((error: CallError) => void) | undefined;
}

function OpenQueue({ queue, onRefused }: OpenQueueProps) {
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
        <button type="button" className="button quiet" onClick={() => queue.takeOver()}>
          Continuer dans cet onglet
        </button>
      </div>
    );
  }
  return (
    <>
      <PhotoChoice isReady={place === 'here'} doubles={view.doubles} onFiles={(files) => queue.add(files)} />
      <SendingProgress queue={queue} view={view} />
      <SentPhotos queue={queue} items={view.items} />
    </>
  );
}

/** Number of names listed when chosen files are not photos. */
const NAMED = 3;

interface PhotoChoiceProps {
  isReady: boolean;
  /** Chosen photos that were already in the list. */
  doubles: number;
  onFiles(files: File[]): void;
}

/** Chooses photos, takes one, or lets files and folders be dropped. */
function PhotoChoice({ isReady, doubles, onFiles }: PhotoChoiceProps) {
  const id = useId();
  const choice = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const [others, setOthers] = useState<readonly File[]>([]);
  const take = (files: readonly File[]) => {
    setOthers(files.filter((file) => !seemsPhoto(file)));
    const photos = files.filter(seemsPhoto);
    if (photos.length > 0) onFiles(photos);
  };
  const { isOver, drop } = useDrop(async (dropped) => take(await filesDropped(dropped)));
  const input = {
    type: 'file',
    className: 'sr-only',
    tabIndex: -1,
    disabled: !isReady,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      take([...(target.files ?? [])]);
      // Otherwise choosing the same file again, after it was removed, would trigger no event.
      target.value = '';
    },
  } as const;
  return (
    <div className={`drop-zone ${isOver ? 'over' : ''}`} {...drop}>
      <div className="flex flex-wrap gap-3">
        <button
          type="button"
          className="button min-h-14! grow px-6! text-lg sm:grow-0"
          aria-disabled={!isReady}
          onClick={() => choice.current?.click()}
        >
          <Images aria-hidden="true" className="size-6" />
          Choisir des photos
        </button>
        <button
          type="button"
          className="button quiet min-h-14! grow pointer-fine:hidden"
          aria-disabled={!isReady}
          onClick={() => camera.current?.click()}
        >
          <Camera aria-hidden="true" className="size-6" />
          Prendre une photo
        </button>
      </div>
      <input
        ref={choice}
        aria-label="Photos à envoyer"
        accept="image/*,.heic,.heif"
        multiple
        {...input}
        id={`${id}-choice`}
      />
      <input ref={camera} aria-label="Photo à prendre" accept="image/*" capture="environment" {...input} />
      <p className="hidden text-sm text-quiet pointer-fine:block">
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

/** Progress of the whole upload, with its buttons. */
function SendingProgress({ queue, view }: { queue: UploadQueue; view: QueueView }) {
  const { tally, hindrance, timeLeft, items, isPaused } = view;
  const failed = items.filter(mayRetry);
  return (
    <>
      {/* Always rendered, even empty: screen readers miss a status that appears with its text. */}
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
                onClick={() => (isPaused ? queue.goOn() : queue.pause())}
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
              <button type="button" className="button quiet" onClick={() => queue.retry(failed)}>
                <RotateCw aria-hidden="true" className="size-5" />
                Tout renvoyer
              </button>
            )}
            {tally.done === tally.total && (
              <button type="button" className="button quiet" onClick={() => queue.clear()}>
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

/** Groups of the list, those that need an action first. */
const GROUPS: readonly { title: string; states: readonly SendingState[]; isOpen: boolean }[] = [
  { title: 'En échec', states: ['failed'], isOpen: true },
  { title: 'À choisir de nouveau', states: ['missing'], isOpen: true },
  { title: 'En cours', states: ['preparing', 'sending'], isOpen: true },
  { title: 'En attente', states: ['waiting'], isOpen: false },
  { title: 'Envoyées', states: ['received'], isOpen: false },
  { title: 'Déjà là', states: ['known'], isOpen: false },
  { title: 'Supprimées du site depuis', states: ['gone'], isOpen: false },
];

interface SentPhotosProps {
  queue: UploadQueue;
  items: readonly Item[];
}

/** Every photo of an upload queue, grouped by state. */
function SentPhotos({ queue, items }: SentPhotosProps) {
  return (
    <div className="-my-2 divide-y divide-mist empty:hidden">
      {GROUPS.map(({ title, states, isOpen }) => {
        const some = items.filter(({ state }) => states.includes(state));
        return (
          some.length > 0 && <Group key={title} title={title} isOpen={isOpen} queue={queue} items={some} />
        );
      })}
    </div>
  );
}

function Group({ title, isOpen, queue, items }: SentPhotosProps & { title: string; isOpen: boolean }) {
  const [isShown, setShown] = useState(isOpen);
  return (
    <details open={isShown} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary className="min-h-11 py-2 font-semibold">
        {title} ({items.length})
      </summary>
      {/* A closed group draws no rows; rows outside the window are skipped by `content-visibility`. */}
      {isShown && (
        <ul className="divide-y divide-mist">
          {items.map((item) => (
            <Row key={item.id} item={item} queue={queue} />
          ))}
        </ul>
      )}
    </details>
  );
}

const Row = memo(function Row({ item, queue }: { item: Item; queue: UploadQueue }) {
  const { nom, state } = item;
  const isDone = state === 'received' || state === 'known';
  return (
    <li className="flex items-center gap-3 py-2 [contain-intrinsic-size:auto_4rem] [content-visibility:auto]">
      <SmallPicture file={item.small} />
      <div className="min-w-0 grow">
        <p className="line-clamp-2 leading-snug wrap-anywhere">{nom}</p>
        <p className={`text-sm wrap-anywhere ${state === 'failed' ? 'text-coral' : 'text-quiet'}`}>
          {stateOf(item)}
        </p>
        {state === 'sending' && (
          <progress className="bar h-2!" max={1} value={partOf(item)} aria-label={`Envoi de ${nom}`} />
        )}
      </div>
      <div className="flex shrink-0">
        {mayRetry(item) && (
          <button type="button" className="round-button" onClick={() => queue.retry([item])}>
            <RotateCw aria-hidden="true" className="size-5" />
            <span className="sr-only">Renvoyer {nom}</span>
          </button>
        )}
        {!isDone && (
          <button type="button" className="round-button" onClick={() => queue.remove(item.id)}>
            <X aria-hidden="true" className="size-5" />
            <span className="sr-only">Retirer {nom} de la liste</span>
          </button>
        )}
      </div>
    </li>
  );
});

function SmallPicture({ file }: { file: Blob | undefined }) {
  const address = useFileAddress(file);
  const className = 'size-12 shrink-0 rounded-lg bg-mist';
  if (address) return <img src={address} alt="" className={`${className} object-cover`} />;
  return (
    <span className={`${className} grid place-items-center text-quiet`}>
      <ImageIcon aria-hidden="true" className="size-6" />
    </span>
  );
}

function isOnLight({ has, light }: Item): boolean {
  return has === undefined && light !== undefined;
}

function partOf(item: Item): number {
  const size = isOnLight(item) ? item.lightSize : item.taille;
  return size ? Math.min(1, item.sent / size) : 0;
}

function stateOf(item: Item): string {
  switch (item.state) {
    case 'waiting':
      if (item.empreinte === '') return 'En attente de lecture';
      if (item.retryAt > 0) return 'Nouvel essai bientôt';
      return item.has === 'legere' ? 'Version légère arrivée, la photo entière attend' : 'En attente';
    case 'preparing':
      return 'Préparation…';
    case 'sending': {
      const version = isOnLight(item) ? 'Version légère' : 'Photo entière';
      return `${version}\u202f: ${Math.floor(100 * partOf(item))}\u202f%`;
    }
    case 'received':
      return item.statut === undefined || item.statut === 'recue' ? 'Reçue, en préparation' : 'Reçue';
    case 'known':
      return 'Déjà là';
    case 'gone':
      return 'Supprimée du site depuis';
    case 'failed':
      return item.reason.charAt(0).toUpperCase() + item.reason.slice(1);
    case 'missing':
      if (item.empreinte === '') return 'La page s’est fermée trop tôt\u202f: choisissez-la de nouveau.';
      return 'Cet appareil n’avait pas la place de la garder\u202f: choisissez-la de nouveau.';
  }
}
