import { CircleAlert, CircleCheck, CircleX, Clock, EyeOff, Hourglass, ScanEye, Trash2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { type Change, useDeciding } from '#features/checking/web/decisions.tsx';
import { PublicationTime, publishingAt } from '#features/checking/web/PublicationTime.tsx';
import { countOf, isScheduled } from '#features/checking/web/texts.ts';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_STATES, type PhotoState } from '#features/photos/shared/states.ts';
import type { NamedStay } from '#features/stays/web/stays.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { DateInput } from '#platform/web/ui/Field.tsx';

interface BulkBarProps {
  shown: readonly Photo[];
  ticked: ReadonlySet<number>;
  onTick(ids: readonly number[], isTicked: boolean): void;
  children(chosen: readonly Photo[]): ReactNode;
}

export function BulkBar({ shown, ticked, onTick, children }: BulkBarProps) {
  const all = shown.map(({ id }) => id);
  return (
    <div className="sticky bottom-[calc(var(--banner,0px)+var(--phone-bar,0px)+0.5rem)] z-20 -mx-2 flex flex-col gap-3 rounded-card border border-mist bg-card p-3 shadow-card">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p role="status" className="font-semibold">
          {ticked.size === 0 ? 'Touchez les photos à cocher' : countOf(ticked.size, 'cochée')}
        </p>
        <Button quiet onClick={() => onTick(all, ticked.size < all.length)}>
          {ticked.size < all.length ? `Tout cocher (${all.length})` : 'Tout décocher'}
        </Button>
      </div>
      {children(shown.filter(({ id }) => ticked.has(id)))}
    </div>
  );
}

interface BulkButtonsProps {
  photos: readonly Photo[];
  stay: NamedStay;
  onDone(): void;
}

export function BulkButtons({ photos, stay, onDone }: BulkButtonsProps) {
  const { timeZone } = useSite();
  const [more, setMore] = useState<'time' | 'day'>();
  const [time, setTime] = useState('');
  const [jour, setJour] = useState(stay.date_debut);
  const { isBusy, change, remove } = useBulk(photos, onDone);
  const isNothing = photos.length === 0;
  const arePublished = !isNothing && photos.every(({ statut }) => PHOTO_STATES[statut].isPublic);
  const button = (label: string, run: () => void, look: 'quiet' | 'danger' | 'plain' = 'quiet') => (
    <Button
      quiet={look === 'quiet'}
      danger={look === 'danger'}
      className="max-sm:px-3 max-sm:text-sm"
      aria-disabled={isBusy || isNothing}
      onClick={run}
    >
      {label}
    </Button>
  );
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {button('Publier', () => change(publishingAt(time, timeZone)), arePublished ? 'quiet' : 'plain')}
        {button('Écarter', () => change({ statut: 'refusee' }))}
        {button('Remettre à vérifier', () => change({ statut: 'a_verifier' }))}
        {button('Changer le jour', () => setMore(more === 'day' ? undefined : 'day'))}
        {button('Choisir l’heure', () => setMore(more === 'time' ? undefined : 'time'))}
        {button('Mettre à la corbeille', remove, 'danger')}
      </div>
      {more === 'time' && <PublicationTime value={time} onChange={setTime} />}
      {more === 'day' && (
        <div className="flex flex-wrap items-end gap-3">
          <DayField stay={stay} value={jour} onChange={setJour} />
          {button('Ranger à ce jour', () => change({ jour }))}
        </div>
      )}
    </>
  );
}

export function useBulk(photos: readonly Photo[], onDone: () => void) {
  const { isBusy, change, remove } = useDeciding(onDone);
  return {
    isBusy,
    change(wanted: Change): void {
      if (photos.length === 0) return;
      const isPublishing = wanted.statut === 'publiee';
      const free = isPublishing ? photos.filter(({ gestion }) => !gestion?.ecartee) : photos;
      // When all were ruled out, the server says that each is taken back by itself.
      const chosen = free.length > 0 ? free : photos;
      const left = photos.length - chosen.length;
      // Those that a family asked for are asked about by `decide`, in the words of the family.
      const hidden = chosen.filter(
        ({ statut, gestion }) => PHOTO_STATES[statut].isHidden && (gestion?.demandes.length ?? 0) === 0,
      ).length;
      const kept = `${countOf(left, 'écartée')} ${left > 1 ? 'restent cachées' : 'reste cachée'}\u202f: chacune se reprend seule.`;
      const wish = {
        question:
          hidden === 0
            ? `Publier ${countOf(chosen.length)}\u202f?`
            : `Publier aussi ${hidden > 1 ? `${hidden} photos retirées` : 'une photo retirée'}\u202f?`,
        consequence: [
          ...(hidden > 0 ? ['Quelqu’un avait décidé que les familles ne les voient pas.'] : []),
          ...(left > 0 ? [kept] : []),
        ].join(' '),
        yes: 'Publier',
      };
      const isDoubtful = isPublishing && hidden + left > 0;
      const ids = chosen.map(({ id }) => id);
      change(ids, wanted, 'Erreur lors du changement des photos', isDoubtful ? wish : undefined);
    },
    remove(): void {
      const ids = photos.map(({ id }) => id);
      if (ids.length > 0) remove(ids, 'Erreur lors de la suppression des photos');
    },
  };
}

interface DayFieldProps {
  stay: NamedStay;
  value: string;
  onChange(day: string): void;
}

export function DayField({ stay, value, onChange }: DayFieldProps) {
  const { today } = useSite();
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        Jour
      </label>
      <DateInput
        id={id}
        type="date"
        className="input"
        min={stay.date_debut}
        max={stay.date_fin > today ? stay.date_fin : undefined}
        value={value}
        onChange={({ target }) => target.value && onChange(target.value)}
      />
    </div>
  );
}

const ICONS = {
  recue: Hourglass,
  a_verifier: ScanEye,
  publiee: CircleCheck,
  refusee: CircleX,
  retiree: EyeOff,
  illisible: CircleAlert,
  corbeille: Trash2,
} as const satisfies Record<PhotoState, unknown>;

export function stateOf(photo: Photo): string {
  return isScheduled(photo, Date.now()) ? 'Programmée' : PHOTO_STATES[photo.statut].label;
}

/** The state of a photo, at the bottom of its tile; an icon only on narrow tiles, and when published, as most are. */
export function StateBadge({ photo }: { photo: Photo }) {
  const { statut } = photo;
  const isLater = isScheduled(photo, Date.now());
  const Icon = isLater ? Clock : ICONS[statut];
  const isPlain = PHOTO_STATES[statut].isPublic && !isLater;
  return (
    <span className="@container absolute right-1 bottom-1 left-1">
      <span
        className={`flex w-fit max-w-full items-center gap-1 rounded-full px-2 py-1 text-note font-semibold text-white ${
          PHOTO_STATES[statut].isAsked || PHOTO_STATES[statut].isUnreadable
            ? 'bg-[#8a2a16]'
            : 'bg-[#0a1916]/85'
        }`}
      >
        <Icon className="size-4 shrink-0" />
        <span className={isPlain ? 'sr-only' : 'truncate @max-[6.5rem]:sr-only'}>{stateOf(photo)}</span>
      </span>
    </span>
  );
}
