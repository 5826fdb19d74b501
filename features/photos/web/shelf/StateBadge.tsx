import { CircleAlert, CircleCheck, CircleX, Clock, EyeOff, Hourglass, ScanEye } from 'lucide-react';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_STATES, type PhotoState } from '#features/photos/shared/terms.ts';
import { isScheduled } from '#features/photos/web/checking/texts.ts';

const ICONS = {
  recue: Hourglass,
  a_verifier: ScanEye,
  publiee: CircleCheck,
  refusee: CircleX,
  retiree: EyeOff,
  illisible: CircleAlert,
} as const satisfies Record<PhotoState, unknown>;

/** The state of a photo in words. */
export function stateOf(photo: Photo): string {
  return isScheduled(photo, Date.now()) ? 'Programmée' : PHOTO_STATES[photo.statut];
}

/** The state of a photo over its corner; most are published, of which the sign is enough, as it is on a narrow one. */
export function StateBadge({ photo }: { photo: Photo }) {
  const { statut } = photo;
  const isLater = isScheduled(photo, Date.now());
  const Icon = isLater ? Clock : ICONS[statut];
  const isPlain = statut === 'publiee' && !isLater;
  return (
    <span className="@container absolute right-1 bottom-1 left-1">
      <span
        className={`flex w-fit max-w-full items-center gap-1 rounded-full px-2 py-1 text-xs font-semibold text-white ${
          statut === 'retiree' || statut === 'illisible' ? 'bg-[#8a2a16]' : 'bg-[#0a1916]/85'
        }`}
      >
        <Icon aria-hidden="true" className="size-4 shrink-0" />
        <span className={isPlain ? 'sr-only' : 'truncate @max-[6.5rem]:sr-only'}>{stateOf(photo)}</span>
      </span>
    </span>
  );
}
