import type { Selectable } from 'kysely';
import { type PhotoFiles, photoFiles } from '../shared/terms.ts';
import type { PhotosTable } from './tables.ts';

/*
 * Of which version of a photo its files were made, and which files these are: two facts, each with its column. What is
 * still awaited of a photo follows from the first; what is served, kept and erased from the second.
 */

type Photo = Selectable<PhotosTable>;

/** Whether the files of a photo were made of its full version; `version` says so as soon as that has arrived. */
export const isWhole = ({ a_jpeg }: Pick<Photo, 'a_jpeg'>) => a_jpeg === 1;

/** Whether a photo has a JPEG; of those that are prepared, only light ones of version 1.1.0 may lack it for a while. */
export const hasJpeg = (photo: Pick<Photo, 'a_jpeg' | 'a_jpeg_leger'>) =>
  isWhole(photo) || photo.a_jpeg_leger === 1;

/** The names of the files of a photo; null until it is prepared. */
export function filesOf(photo: Pick<Photo, 'nom' | 'a_jpeg' | 'a_jpeg_leger' | 'a_480'>): PhotoFiles | null {
  return photo.nom === null ? null : photoFiles(photo.nom, hasJpeg(photo), photo.a_480 === 1);
}
