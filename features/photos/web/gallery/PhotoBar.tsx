import { Download, EyeOff, Heart } from 'lucide-react';
import type { Photo } from '#features/photos/calls.ts';
import { SaveButton } from './SelectionBar.tsx';
import type { Keeping } from './save.ts';

interface PhotoBarProps {
  photo: Photo;
  /** « 12 sur 300 · mercredi 8 juillet ». */
  where: string;
  keeping: Keeping | undefined;
  isFavourite: boolean;
  onFavour(isFavourite: boolean): void;
  onRemoval(): void;
}

/** Under an open photo: what it is, and what can be done with it; within reach of a thumb. */
export function PhotoBar({ photo, where, keeping, isFavourite, onFavour, onRemoval }: PhotoBarProps) {
  return (
    <>
      <div className="min-w-0 px-1">
        {photo.legende && <p className="max-h-24 overflow-y-auto wrap-anywhere">{photo.legende}</p>}
        <p className="text-sm text-[#d5e2dc]">{where}</p>
      </div>
      <div className="flex flex-wrap gap-1">
        <button
          type="button"
          className="photo-lightbox-button"
          aria-pressed={isFavourite}
          onClick={() => onFavour(!isFavourite)}
        >
          <Heart
            aria-hidden="true"
            className={`size-6 ${isFavourite ? 'fill-current text-[#ffc043]' : ''}`}
          />
          Favori
        </button>
        {keeping && (
          <SaveButton
            keepings={[keeping]}
            look={{ button: 'photo-lightbox-button', failure: 'text-sm text-[#f39a84]' }}
          >
            <Download aria-hidden="true" className="size-6" />
          </SaveButton>
        )}
        <button type="button" className="photo-lightbox-button" onClick={onRemoval}>
          <EyeOff aria-hidden="true" className="size-6" />
          Demander le retrait
        </button>
      </div>
    </>
  );
}
