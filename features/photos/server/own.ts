import type { Stay } from '#features/stays/server/staysStore.ts';
import type { Access } from '#platform/server/db/open.ts';
import { conflict, notFound } from '#platform/server/http/errors.ts';
import type { Session } from '#platform/server/http/sessions.ts';
import type { Services } from '#platform/server/services.ts';
import { holdPhotoStay } from './core/seen.ts';
import { listByIds, type PhotoRow } from './store.ts';

/** Photos of one stay that nobody else changes until the end of the transaction. */
interface Held {
  stay: Stay;
  photos: PhotoRow[];
}

export const noSuchPhoto = () => notFound('Cette photo n’existe pas ou n’existe plus.');
const noSuchPhotos = () => notFound('Une de ces photos n’existe pas ou n’existe plus.');

/** Holds photos to change them. Throws 404 unless all of them are there and of one stay of whoever asks. */
export async function holdPhotos(
  services: Services,
  transaction: Access,
  session: Session | undefined,
  ids: readonly number[],
): Promise<Held> {
  const refused = ids.length === 1 ? noSuchPhoto : noSuchPhotos;
  const named = await transaction
    .selectFrom('photos')
    .select('stage_id')
    .distinct()
    .where('id', 'in', ids)
    .limit(2)
    .execute();
  const [first, ...others] = named;
  if (!first || others.length > 0) throw refused();
  if (session?.role !== 'admin' && session?.stageId !== first.stage_id) throw refused();
  const stay = await holdPhotoStay(services, transaction, session, first.stage_id);
  const photos = await listByIds(transaction, ids);
  if (photos.length < ids.length) throw refused();
  return { stay, photos };
}

/** Throws 409 while some photos have no file that can be shown. */
export function requirePrepared(photos: readonly PhotoRow[]): void {
  const count = (statut: PhotoRow['statut']) => photos.filter((photo) => photo.statut === statut).length;
  const [coming, unreadable] = [count('recue'), count('illisible')];
  const parts = [
    ...(coming > 0 ? [`${coming} ${coming > 1 ? 'sont' : 'est'} encore en préparation`] : []),
    ...(unreadable > 0 ? [`${unreadable} ${unreadable > 1 ? 'sont illisibles' : 'est illisible'}`] : []),
  ];
  if (parts.length === 0) return;
  throw conflict(`Rien n’a changé\u202f: parmi ces photos, ${parts.join(' et ')}.`);
}
