import { useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_FOLDER } from '#features/photos/shared/terms.ts';
import { useSite } from '#platform/web/site.tsx';
import { WholeDialog } from '#platform/web/ui/WholeDialog.tsx';
import { photoName } from './texts.ts';

/** A small picture, which opens large; none for a file of which no photo was made. */
export function LargePhoto({ photo }: { photo: Photo }) {
  const { locale } = useSite();
  const [isOpen, setOpen] = useState(false);
  const { fichiers } = photo;
  if (!fichiers) return null;
  const name = photoName(photo, locale);
  return (
    <>
      <button
        type="button"
        className="shrink-0 self-start overflow-hidden rounded-lg bg-mist"
        aria-label={`Agrandir\u202f: ${name}`}
        onClick={() => setOpen(true)}
      >
        <img src={PHOTO_FOLDER + fichiers.w320} alt="" loading="lazy" className="h-28 w-36 object-contain" />
      </button>
      {isOpen && (
        <WholeDialog title={name} onClose={() => setOpen(false)} isOnlyClosed>
          {() => (
            <img
              src={PHOTO_FOLDER + fichiers.w1920}
              alt={name}
              className="min-h-0 grow bg-[#0a1916] object-contain"
            />
          )}
        </WholeDialog>
      )}
    </>
  );
}
