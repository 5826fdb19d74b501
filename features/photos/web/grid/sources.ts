import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_FOLDER, PHOTO_SIZES, type PhotoSize } from '#features/photos/shared/terms.ts';

const SIZES = Object.keys(PHOTO_SIZES) as PhotoSize[];

export interface Source {
  src: string;
  width: number;
  height: number;
}

/** The files of a photo with the pixels they have, the smallest first; none while it is being prepared. */
export function sourcesOf({ fichiers, largeur, hauteur }: Photo): Source[] {
  if (!fichiers) return [];
  const longest = Math.max(largeur, hauteur);
  return SIZES.map((size) => {
    const scale = Math.min(1, PHOTO_SIZES[size] / longest);
    return {
      src: PHOTO_FOLDER + fichiers[size],
      width: Math.round(largeur * scale),
      height: Math.round(hauteur * scale),
    };
  });
}
