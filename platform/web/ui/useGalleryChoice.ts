import { useState } from 'react';
import type { Illustration } from '#platform/shared/pictures.ts';
import { PICTURES } from './files.ts';

/** A picture in the form of a gallery: a stored one, or a new file. */
export type GalleryPicture = { key: number; alternativeText: string } & (
  | { stored: Illustration; file?: undefined }
  | { file: File; stored?: undefined }
);

export type GalleryChoice = ReturnType<typeof useGalleryChoice>;

/** The pictures of a gallery in the order in which they will be shown, `max` at most. */
export function useGalleryChoice(current: readonly Illustration[], max: number) {
  /** The stored pictures that the form started from. */
  const [base, setBase] = useState(current);
  const [pictures, setPictures] = useState(() => current.map(asStored));
  const [troubles, setTroubles] = useState<string[]>([]);

  return {
    pictures,
    max,
    troubles,
    isChanged: !isSameGallery(pictures, base),
    /** Adds the acceptable files, and puts into `troubles` why others are refused. Returns how many were added. */
    add(files: readonly File[]): number {
      const added: GalleryPicture[] = [];
      const refusals: string[] = [];
      for (const file of files) {
        const all = [...pictures, ...added];
        const reason = all.some((one) => one.file && isSameFile(one.file, file))
          ? 'cette image est déjà dans la liste.'
          : (PICTURES.whyNot(file) ?? (all.length < max ? undefined : `${max} images au plus.`));
        if (reason) refusals.push(`«\u00a0${file.name}\u00a0»\u202f: ${reason}`);
        else added.push({ key: nextKey(all), alternativeText: '', file });
      }
      setTroubles([...new Set(refusals)]);
      setPictures([...pictures, ...added]);
      return added.length;
    },
    /** Moves a picture to another position, counted from 0. */
    move(picture: GalleryPicture, place: number): void {
      const others = pictures.filter((one) => one !== picture);
      setPictures([...others.slice(0, place), picture, ...others.slice(place)]);
    },
    remove(picture: GalleryPicture): void {
      setTroubles([]);
      setPictures(pictures.filter((one) => one !== picture));
    },
    describe(picture: GalleryPicture, alternativeText: string): void {
      setPictures(pictures.map((one) => (one === picture ? { ...one, alternativeText } : one)));
    },
    reset(): void {
      setTroubles([]);
      setPictures(base.map(asStored));
    },
    /** Applies the changes made here to the pictures that somebody else has saved meanwhile. */
    bringOnto(stored: readonly Illustration[]): void {
      setBase(stored);
      setPictures(isSameGallery(pictures, base) ? stored.map(asStored) : merged(pictures, base, stored));
    },
  };
}

function asStored(stored: Illustration, key: number): GalleryPicture {
  return { key, alternativeText: stored.texte_alternatif, stored };
}

function nextKey(pictures: readonly GalleryPicture[]): number {
  return Math.max(0, ...pictures.map(({ key }) => key + 1));
}

function isSameFile(one: File, other: File): boolean {
  return one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;
}

function isSameGallery(pictures: readonly GalleryPicture[], stored: readonly Illustration[]): boolean {
  return (
    pictures.length === stored.length &&
    pictures.every(
      (one, place) =>
        one.stored?.nom === stored[place]?.nom && one.alternativeText === stored[place]?.texte_alternatif,
    )
  );
}

/** Merges: pictures no longer stored are removed, new ones come at the end, texts changed here stay. */
function merged(
  pictures: readonly GalleryPicture[],
  base: readonly Illustration[],
  stored: readonly Illustration[],
): GalleryPicture[] {
  const kept = pictures.flatMap((picture): GalleryPicture[] => {
    if (picture.file) return [picture];
    const now = stored.find(({ nom }) => nom === picture.stored.nom);
    if (!now) return [];
    const isDescribedHere = picture.alternativeText !== picture.stored.texte_alternatif;
    return [isDescribedHere ? { ...picture, stored: now } : asStored(now, picture.key)];
  });
  const isNew = ({ nom }: Illustration) => !base.some((one) => one.nom === nom);
  const next = nextKey(pictures);
  return [...kept, ...stored.filter(isNew).map((one, index) => asStored(one, next + index))];
}
