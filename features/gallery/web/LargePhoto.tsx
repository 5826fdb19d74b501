import { RotateCw, X } from 'lucide-react';
import { type CSSProperties, type PointerEventHandler, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Photo } from '#features/photos/calls.ts';
import { giveUp, placeholderOf, useRetries } from '#features/photos/web/grid/GridTile.tsx';
import { sourcesOf, srcSetOf } from '#features/photos/web/grid/layout.ts';

interface LargePhotoProps {
  photo: Photo;
  alt: string;
  /** How much it is enlarged: a sharper file is fetched when it needs one. */
  zoom?: number;
  /** False: only what the page already has of it is shown. */
  isWanted?: boolean;
  /** True for the photo that is looked at: its file is fetched before all others. */
  isFirst?: boolean;
  onSharp?(): void;
  onPointerDown?: PointerEventHandler<HTMLElement> | undefined;
}

/** A photo as large as its frame lets it be: its thumbnail, or its blur, until the large file has come. */
export function LargePhoto({
  photo,
  alt,
  zoom = 1,
  isWanted = true,
  isFirst = true,
  onSharp,
  onPointerDown,
}: LargePhotoProps) {
  const { id, apercu, largeur, hauteur } = photo;
  const [thumbnail] = useState(() => thumbnailOf(id));
  const [isSharp, setSharp] = useState(false);
  const { tries, hasFailed, onError, retry } = useRetries();
  const sources = sourcesOf(photo);
  const style = {
    '--ratio': largeur / hauteur,
    '--widest': `${largeur}px`,
    backgroundImage: placeholderOf(apercu),
  } as CSSProperties;
  return (
    <div className="large-photo" style={style} onPointerDown={onPointerDown}>
      {thumbnail && !isSharp && <img src={thumbnail} alt="" decoding="sync" draggable={false} />}
      {isWanted && (
        <img
          key={tries}
          // Before its address, as each attribute takes effect at once.
          fetchPriority={isFirst ? 'high' : 'low'}
          sizes={sizesOf(photo, zoom)}
          srcSet={srcSetOf(sources)}
          src={sources.at(-1)?.src}
          alt={alt}
          draggable={false}
          onError={onError}
          onLoad={() => {
            setSharp(true);
            onSharp?.();
          }}
        />
      )}
      {!isSharp && isFirst && !hasFailed && <span aria-hidden="true" className="large-photo-coming" />}
      {!isSharp && isFirst && hasFailed && (
        <div role="alert" aria-live="assertive" className="large-photo-failed">
          <p>La photo n’arrive pas. Vérifiez votre connexion.</p>
          <button type="button" className="photo-lightbox-button" onClick={retry}>
            <RotateCw className="size-6" />
            Réessayer
          </button>
        </div>
      )}
    </div>
  );
}

/** The file that the tile of a photo shows now; undefined while it has none. */
function thumbnailOf(id: number): string | undefined {
  const tile = document.querySelector<HTMLImageElement>(`[data-photo="${id}"] img`);
  return tile?.complete && tile.naturalWidth > 0 ? tile.currentSrc : undefined;
}

/** Height, in rem, of the bar under a photo: only `sizes` needs it, and only about. */
const BAR = 6;

/** Points a pixel that are enough for a whole photo: an upright one of 960 has them on any telephone. */
const POINTS = 1.7;

/**
 * Width at which a photo is drawn, as the `sizes` of its file, for no more than `POINTS`: a browser takes the first file
 * that has as many points as it is told, even where the one before lacks only a few. It depends on the window alone, so
 * that the file asked for while the code of the lightbox comes is the one that it shows.
 */
function sizesOf({ largeur, hauteur }: Photo, zoom: number): string {
  const part = zoom * Math.min(1, POINTS / window.devicePixelRatio);
  const ratio = largeur / hauteur;
  return `calc(min(100vw, (100vh - ${BAR}rem) * ${ratio.toFixed(3)}) * ${part.toFixed(3)})`;
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
            <X size={28} />
          </button>
        </>
      )}
    </div>,
    document.body,
  );
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

export function thumbnails(): HTMLImageElement[] {
  return [...document.querySelectorAll<HTMLImageElement>('.photo-tile img')];
}
