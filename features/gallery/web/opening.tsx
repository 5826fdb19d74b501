import { X } from 'lucide-react';
import { type ComponentType, useEffect, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Photo } from '#features/photos/calls.ts';
import { giveUp } from '#features/photos/web/grid/GridTile.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { LargePhoto } from './LargePhoto.tsx';
import type { PhotoLightboxProps } from './PhotoLightbox.tsx';

/* What happens between the press on a thumbnail and the photo in the lightbox, so that there is always something to see. */

/** The lightbox, once its code has come. */
let Loaded: ComponentType<PhotoLightboxProps> | undefined;

async function loadLightbox(): Promise<ComponentType<PhotoLightboxProps>> {
  Loaded ??= (await import('./PhotoLightbox.tsx')).PhotoLightbox;
  return Loaded;
}

/** The lightbox; undefined until its code has come. `onFailed` is called when it does not come. */
export function useLightbox(onFailed: () => void): ComponentType<PhotoLightboxProps> | undefined {
  const [Lightbox, setLightbox] = useState(() => Loaded);
  const { warn } = useNotices();
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetched once
  useEffect(() => {
    loadLightbox().then(
      (loaded) => setLightbox(() => loaded),
      () => {
        warn('La photo ne peut pas s’ouvrir pour le moment.', 'Vérifiez votre connexion, puis réessayez.');
        onFailed();
      },
    );
  }, []);
  return Lightbox;
}

/**
 * Fetches the code of the lightbox before it is needed: when the thumbnails in sight have come and the browser is idle, or
 * as soon as a finger is on a photo.
 */
export function useEarlyLightbox(): void {
  useEffect(() => {
    const load = () => {
      // Browsers remember a failed import, which would keep photos from opening once they are online.
      if (navigator.onLine) loadLightbox().catch(() => {});
      stop();
    };
    const later = () => {
      if (isAllInSight()) whenIdle(load);
    };
    const onDown = ({ target }: Event) => {
      if (target instanceof Element && target.closest('[data-photo], [data-first]')) load();
    };
    const stop = () => {
      document.removeEventListener('load', later, true);
      document.removeEventListener('pointerdown', onDown);
    };
    // `load` does not bubble, but it can be captured.
    document.addEventListener('load', later, true);
    document.addEventListener('pointerdown', onDown);
    later();
    return stop;
  }, []);
}

/** Whether every thumbnail in the window has come; false while there is none. */
function isAllInSight(): boolean {
  const inSight = thumbnails().filter((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight;
  });
  return inSight.length > 0 && inSight.every(({ complete }) => complete);
}

function thumbnails(): HTMLImageElement[] {
  return [...document.querySelectorAll<HTMLImageElement>('.photo-tile img')];
}

function whenIdle(work: () => void): void {
  if (window.requestIdleCallback) window.requestIdleCallback(work, { timeout: 2_000 });
  else setTimeout(work, 200);
}

/** While `isOpening`, the thumbnails that have not come are not asked for: a slow line is left to the photo that opens. */
export function useThumbnailsAside(isOpening: boolean): void {
  useLayoutEffect(() => {
    if (!isOpening) return;
    const aside = thumbnails().filter(({ complete }) => !complete);
    const sources = aside.map(({ src, srcset }) => ({ src, srcset }));
    aside.forEach(giveUp);
    return () => {
      aside.forEach((one, index) => {
        // React has given it another address meanwhile.
        if (!one.hasAttribute('src')) Object.assign(one, sources[index]);
      });
    };
  }, [isOpening]);
}

interface OpeningPhotoProps {
  photo: Photo;
  /** True once the lightbox is there, in front of it. */
  isBehind: boolean;
  onSharp(): void;
  onClose(): void;
}

/** The photo at the place where the lightbox will show it, until that is drawn. */
export function OpeningPhoto({ photo, isBehind, onSharp, onClose }: OpeningPhotoProps) {
  // Shown by boot.ts, when it was pressed before the page was alive.
  useLayoutEffect(() => document.querySelector('.photo-opening.early')?.remove(), []);
  return createPortal(
    <div className="photo-opening">
      <LargePhoto photo={photo} alt="" onSharp={onSharp} />
      {!isBehind && (
        <>
          <p role="status" className="sr-only">
            Ouverture de la photo…
          </p>
          <button type="button" className="photo-opening-close" aria-label="Fermer" onClick={onClose}>
            <X aria-hidden="true" size={28} />
          </button>
        </>
      )}
    </div>,
    document.body,
  );
}
