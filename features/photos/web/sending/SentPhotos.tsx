import { ImageIcon, RotateCw, X } from 'lucide-react';
import { memo, useState } from 'react';
import type { SendingState } from '#features/photos/shared/sending.ts';
import { useFileAddress } from '#platform/web/ui/files.ts';
import type { Item } from './items.ts';
import { mayRetry, type Tray } from './Tray.ts';

/** What needs somebody first. */
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
  tray: Tray;
  items: readonly Item[];
}

/** Every photo of a tray, by what became of it. */
export function SentPhotos({ tray, items }: SentPhotosProps) {
  return (
    <div className="-my-2 divide-y divide-mist empty:hidden">
      {GROUPS.map(({ title, states, isOpen }) => {
        const some = items.filter(({ state }) => states.includes(state));
        return some.length > 0 && <Group key={title} {...{ title, isOpen, tray }} items={some} />;
      })}
    </div>
  );
}

function Group({ title, isOpen, tray, items }: SentPhotosProps & { title: string; isOpen: boolean }) {
  const [isShown, setShown] = useState(isOpen);
  return (
    <details open={isShown} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary className="min-h-11 py-2 font-semibold">
        {title} ({items.length})
      </summary>
      {/* Rows that nobody sees cost nothing: neither in a closed group nor outside of the window. */}
      {isShown && (
        <ul className="divide-y divide-mist">
          {items.map((item) => (
            <Row key={item.id} item={item} tray={tray} />
          ))}
        </ul>
      )}
    </details>
  );
}

const Row = memo(function Row({ item, tray }: { item: Item; tray: Tray }) {
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
          <button type="button" className="round-button" onClick={() => tray.retry([item])}>
            <RotateCw aria-hidden="true" className="size-5" />
            <span className="sr-only">Renvoyer {nom}</span>
          </button>
        )}
        {!isDone && (
          <button type="button" className="round-button" onClick={() => tray.remove(item.id)}>
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
