import type { Photo } from '#features/photos/calls.ts';

/** The photos that families see: directors and staff, who know of all, look as one of them here. */
export function seenByFamilies(photos: readonly Photo[], now: string): readonly Photo[] {
  const isSeen = ({ gestion, statut, publiee_le, fichiers }: Photo) =>
    fichiers !== null && (!gestion || (statut === 'publiee' && publiee_le !== null && publiee_le <= now));
  return photos.every(isSeen) ? photos : photos.filter(isSeen);
}

/** The publication of the latest one; blank when there is none. */
export function latestPublication(photos: readonly Photo[]): string {
  return photos.reduce(
    (latest, { publiee_le }) => (publiee_le && publiee_le > latest ? publiee_le : latest),
    '',
  );
}
