import { FileX, ImageIcon, RotateCw, X } from 'lucide-react';
import { memo, useId, useState } from 'react';
import { Button, RoundButton } from '#platform/web/ui/Button.tsx';
import { focusContent } from '#platform/web/ui/dialogs.tsx';
import { isUnprepared, refusedSentence, type SendingState } from '../shared/sending.ts';
import { type Item, mayRetry } from './items.ts';
import type { QueueView, UploadQueue } from './UploadQueue.ts';

export function RefusedFiles({ queue, view: { items, tally } }: { queue: UploadQueue; view: QueueView }) {
  const id = useId();
  const refused = items.filter(({ state }) => state === 'refused');
  // Those that the site has a line about are listed with the photos of the stay, on every device.
  const own = refused.filter(
    ({ empreinte, isAsked, statut }) => empreinte === '' || (isAsked && statut === undefined),
  );
  if (refused.length === 0) return null;
  const dismiss = () => {
    queue.dismissRefused();
    // The button, which had the focus, is gone.
    focusContent();
  };
  return (
    <section aria-labelledby={id} className="flex flex-col items-start gap-2 rounded-control bg-mist p-4">
      <h3 id={id} className="flex items-start gap-2 text-base">
        <FileX className="mt-0.5 size-5 shrink-0 text-quiet" />
        {refusedSentence(tally)}
      </h3>
      {own.length < refused.length && (
        <a href="#illisibles" className="inline-flex min-h-11 items-center">
          Voir pourquoi, avec les photos du séjour
        </a>
      )}
      <ul className="flex flex-col gap-2 empty:hidden">
        {own.map((item) => (
          <li key={item.id} className="wrap-anywhere">
            {item.nom}
            <span className="block text-sm text-quiet">{sentenceOf(item)}</span>
          </li>
        ))}
      </ul>
      <Button quiet onClick={dismiss}>
        Ne plus afficher
      </Button>
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

export function SentPhotos({ queue, items }: SentPhotosProps) {
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
          <RoundButton label={`Renvoyer ${nom}`} onClick={() => queue.retry([item])}>
            <RotateCw className="size-5" />
          </RoundButton>
        )}
        {!isDone && (
          <RoundButton label={`Retirer ${nom} de la liste`} onClick={() => queue.remove(item.id)}>
            <X className="size-5" />
          </RoundButton>
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
      <ImageIcon className="size-6" />
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
      return item.has === 'legere' ? 'Arrivée, la pleine qualité suivra' : 'En attente';
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
