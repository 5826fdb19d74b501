import {
  Camera,
  CircleAlert,
  CircleCheck,
  CirclePause,
  CloudUpload,
  FileX,
  ImageIcon,
  Images,
  Pause,
  Play,
  RotateCw,
  WifiOff,
  X,
} from 'lucide-react';
import {
  type ChangeEvent,
  memo,
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
import { useDrop } from '#platform/web/ui/FileZone.tsx';
import { focusContent } from '#platform/web/ui/focus.ts';
import {
  closingSentence,
  type Hindrance,
  hindranceSentence,
  isUnprepared,
  readyTime,
  refusedSentence,
  type SendingState,
  sendingNews,
  sendingSentence,
  type Tally,
  wholeSentence,
} from '../shared/sending.ts';
import { showInFrame } from './frameBar.tsx';
import type { Chosen, Item } from './items.ts';
import { canFingerprint, filesDropped, seemsPhoto, whyNot } from './prepare.ts';
import { SendingBar } from './SendingBar.tsx';
import { mayRetry, type QueueView, type UploadQueue, uploadQueueOf } from './UploadQueue.ts';

interface UploadPanelProps {
  stageId: number;
  as: Viewer;
  /** The server no longer knows the sign-in. */
  onRefused?(error: CallError): void;
  /** What can be done with the photos that have arrived, shown under their number. */
  children?(tally: Tally): ReactNode;
}

/** Panel where photos of a stay are chosen, and their upload is followed. */
export function UploadPanel({ stageId, as, ...props }: UploadPanelProps) {
  const [queue, setQueue] = useState<UploadQueue>();
  useEffect(() => {
    showInFrame(SendingBar);
    setQueue(uploadQueueOf(stageId, as));
  }, [stageId, as]);
  return queue ? <OpenQueue key={queue.name} queue={queue} {...props} /> : <p>Un instant…</p>;
}

interface OpenQueueProps extends Pick<UploadPanelProps, 'onRefused' | 'children'> {
  queue: UploadQueue;
}

function OpenQueue({ queue, onRefused, children }: OpenQueueProps) {
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
      <PhotoChoice
        isReady={place === 'here'}
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
  /** Chosen photos that were already in the list. */
  doubles: number;
  onChoice(chosen: Chosen[]): void;
}

/** Chooses photos, takes one, or lets files and folders be dropped. */
function PhotoChoice({ isReady, doubles, onChoice }: PhotoChoiceProps) {
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
        accept="image/*,.heic,.heif,.hif,.mpo,.avif"
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

interface SendingProgressProps {
  queue: UploadQueue;
  view: QueueView;
  /** What can be done with the photos that have arrived. */
  children: ReactNode;
}

/** Progress of the whole upload, with its buttons: what can be checked first, then what has arrived in full. */
function SendingProgress({ queue, view, children }: SendingProgressProps) {
  const { tally, hindrance, items, isPaused } = view;
  const failed = items.filter(mayRetry);
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
            <Sign tally={tally} hindrance={hindrance} />
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
              <Bars view={view} />
            </div>
          )}
          {children}
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
          </div>
          {tally.left > 0 && <p className="text-sm text-quiet">{closingSentence(tally, hindrance)}</p>}
        </div>
      )}
    </>
  );
}

/** A bar for the photos on their way to be checked; once all are there, one for their full versions. */
function Bars({ view: { tally, readyIn, wholeIn } }: { view: QueueView }) {
  const isWaited = tally.unready > 0;
  return (
    <>
      {isWaited && (
        <div>
          <progress
            className="bar"
            max={tally.total}
            value={tally.readyPart}
            aria-label="Photos prêtes à vérifier"
          />
          {readyIn !== undefined && <p className="font-semibold">{readyTime(tally, readyIn)}</p>}
        </div>
      )}
      {tally.ready > tally.done + tally.reduced && (
        <div>
          <p className="text-sm text-quiet">{wholeSentence(tally, wholeIn)}</p>
          {!isWaited && (
            <progress
              className="bar h-2!"
              max={tally.total - tally.reduced}
              value={tally.donePart}
              aria-label="Pleine qualité"
            />
          )}
        </div>
      )}
    </>
  );
}

function Sign({ tally, hindrance }: { tally: Tally; hindrance: Hindrance | undefined }) {
  const { left, unready, failed, missing, done, reduced, unprepared } = tally;
  const [Icon, colour] =
    left > 0
      ? hindrance?.kind === 'paused'
        ? [CirclePause, 'text-quiet']
        : hindrance
          ? [WifiOff, 'text-coral']
          : [unready > 0 ? CloudUpload : CircleCheck, unready > 0 ? 'text-pine' : 'text-moss']
      : failed + missing > 0 || done + reduced === 0
        ? [CircleAlert, 'text-coral']
        : [unprepared > 0 ? CloudUpload : CircleCheck, unprepared > 0 ? 'text-pine' : 'text-moss'];
  return <Icon className={`mt-0.5 size-6 shrink-0 ${colour}`} />;
}

/** The files that can never be taken, each with its reason. */
function RefusedFiles({ queue, view: { items, tally } }: { queue: UploadQueue; view: QueueView }) {
  const id = useId();
  const refused = items.filter(({ state }) => state === 'refused');
  if (refused.length === 0) return null;
  const dismiss = () => {
    queue.dismissRefused();
    // The button, which had the focus, is gone.
    focusContent();
  };
  return (
    <section aria-labelledby={id} className="flex flex-col items-start gap-2 rounded-control bg-mist p-4">
      <h3 id={id} className="flex items-start gap-2 text-base">
        <FileX aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-quiet" />
        {refusedSentence(tally)}
      </h3>
      <ul className="flex flex-col gap-2">
        {refused.map((item) => (
          <li key={item.id} className="wrap-anywhere">
            {item.nom}
            <span className="block text-sm text-quiet">{sentenceOf(item)}</span>
          </li>
        ))}
      </ul>
      <button type="button" className="button quiet" onClick={dismiss}>
        Ne plus afficher
      </button>
    </section>
  );
}

/** Groups of the list, those that need an action first. */
const GROUPS: readonly { title: string; states: readonly SendingState[]; isOpen: boolean }[] = [
  { title: 'En échec', states: ['failed'], isOpen: true },
  { title: 'À choisir de nouveau', states: ['missing'], isOpen: true },
  { title: 'En cours', states: ['preparing', 'sending'], isOpen: true },
  { title: 'En attente', states: ['waiting'], isOpen: false },
  { title: 'Reçues en qualité réduite', states: ['reduced'], isOpen: true },
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
  const isDone = state === 'received' || state === 'known' || state === 'reduced';
  return (
    <li className="flex items-center gap-3 py-2 [contain-intrinsic-size:auto_4rem] [content-visibility:auto]">
      <SmallPicture address={item.small} />
      <div className="min-w-0 grow">
        <p className="line-clamp-2 leading-snug wrap-anywhere">{nom}</p>
        <p className={`text-sm wrap-anywhere ${state === 'failed' ? 'text-coral' : 'text-quiet'}`}>
          {stateOf(item)}
        </p>
        {state === 'sending' && (
          <progress className="bar h-2!" max={1} value={partOf(item)} aria-label={`Envoi\u202f: ${nom}`} />
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

function SmallPicture({ address }: { address: string | undefined }) {
  const className = 'size-12 shrink-0 rounded-control bg-mist';
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
      return item.has === 'legere' ? 'Prête à vérifier, la pleine qualité suivra' : 'En attente';
    case 'preparing':
      return 'Préparation…';
    case 'sending': {
      const version = item.has === 'legere' ? 'Pleine qualité' : 'Envoi';
      return `${version}\u202f: ${Math.floor(100 * partOf(item))}\u202f%`;
    }
    case 'received':
      return isUnprepared(item) ? 'Reçue, en préparation' : 'Reçue';
    case 'known':
      return 'Déjà là';
    case 'gone':
      return 'Supprimée du site depuis';
    case 'reduced':
    case 'failed':
    case 'refused':
      return sentenceOf(item);
    case 'missing':
      if (item.empreinte === '') return 'La page s’est fermée trop tôt\u202f: choisissez-la de nouveau.';
      return 'Cet appareil n’a pas pu la garder\u202f: choisissez-la de nouveau.';
  }
}

function sentenceOf({ reason }: Item): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}
