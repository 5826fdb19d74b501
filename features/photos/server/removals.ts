import { journal } from '#features/audit/server/journal.ts';
import { REMOVALS_A_DAY, REMOVALS_OF_STAY } from '#features/photos/shared/terms.ts';
import type { Stay } from '#features/stays/server/staysStore.ts';
import type { Access } from '#platform/server/db/open.ts';
import { conflict, notFound, unauthorized } from '#platform/server/http/errors.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Session } from '#platform/server/http/sessions.ts';
import type { Services } from '#platform/server/services.ts';
import { numberChange } from './changesStore.ts';
import { notePhotoErasures } from './erasures.ts';
import { notifyPhotos } from './live.ts';
import { countAsked, countHidden, hasBeenDecided, putRemoval } from './removalsStore.ts';
import { changePhotos, stateAfter } from './states.ts';
import { holdPhotoStay, isSeen, listByIds, type PhotoRow } from './store.ts';

const HIDDEN = 'La photo n’est plus visible. L’équipe du séjour va regarder votre demande.';
const FLAGGED =
  'Votre demande est enregistrée. La photo reste visible jusqu’à ce que l’équipe du séjour l’ait regardée.';

/** Handler of removal requests: the photo is hidden from families until the stay's directors or staff decide. */
export function removalHandlers(services: Services) {
  const { database, clock } = services;
  return {
    'POST /photos/:id/retrait': async ({ params: { id }, body, ...context }) => {
      const { session } = context;
      if (!session) throw unauthorized();
      const { stageId, masquee } = await database.write(async (transaction) => {
        const { stay, photos } = await holdPhotos(services, transaction, session, [id]);
        const now = clock();
        const photo = photos[0] as PhotoRow;
        if (session.role === 'family' && !hasBeenSeen(photo, now)) throw noSuchPhoto();
        const mayHide = session.role !== 'family' || (await mayHideAtOnce(transaction, session, photo, now));
        const isShown = stateAfter('hideOnRequest', photo.statut).statut !== undefined;
        const transition = isShown && mayHide ? ('hideOnRequest' as const) : undefined;
        const isHidden = transition !== undefined && isSeen(photo, now);
        const request = { photo_id: id, mot: body.mot, a_masque: transition ? 1 : 0 };
        const put = await putRemoval(transaction, session, request, now);
        // Reviewers see every request in their list, whether it hides the photo or not; a repeated one is no news.
        if (transition || put !== 'known') {
          const numero = await numberChange(transaction, stay.id, isHidden);
          await changePhotos(transaction, { ids: [id] }, { transition, numero }, now);
        }
        const action = transition ? 'retrait d’une photo sur demande' : 'demande de retrait d’une photo';
        if (transition || put === 'new')
          await journal(transaction, context, now, action, { table: 'photos', id });
        if (isHidden) await notePhotoErasures(services, transaction, [photo], 'photo-cachee');
        return { stageId: stay.id, masquee: !isShown || mayHide };
      });
      notifyPhotos(services, stageId);
      return { message: masquee ? HIDDEN : FLAGGED, masquee };
    },
  } satisfies Partial<Handlers>;
}

/** Whether families see a photo, or did until its removal was requested: a second request is no mistake. */
function hasBeenSeen(photo: PhotoRow, now: Date): boolean {
  return isSeen({ ...photo, statut: photo.statut === 'retiree' ? 'publiee' : photo.statut }, now);
}

/**
 * Whether a family's request hides the photo at once: no person has decided on an earlier request of this session for
 * it, and the limits for the session and for the stay are not reached.
 */
async function mayHideAtOnce(db: Access, session: Session, photo: PhotoRow, now: Date): Promise<boolean> {
  return (
    !(await hasBeenDecided(db, session, photo.id)) &&
    (await countAsked(db, session, photo.id, now)) < REMOVALS_A_DAY &&
    (await countHidden(db, photo, now)) < REMOVALS_OF_STAY
  );
}

/** Photos of one stay, which is locked until the end of the transaction. */
interface Held {
  stay: Stay;
  photos: PhotoRow[];
}

const noSuchPhoto = () => notFound('Cette photo n’existe pas ou n’existe plus.');
const noSuchPhotos = () => notFound('Une de ces photos n’existe pas ou n’existe plus.');

/** Locks the stay of photos to change them. Throws 404 unless all exist and belong to one stay open to the session. */
export async function holdPhotos(
  services: Pick<Services, 'database' | 'config' | 'clock'>,
  transaction: Access,
  session: Session | undefined,
  ids: readonly number[],
): Promise<Held> {
  const refused = ids.length === 1 ? noSuchPhoto : noSuchPhotos;
  const named = await listByIds(transaction, ids);
  const [first, ...others] = new Set(named.map(({ stage_id }) => stage_id));
  if (first === undefined || others.length > 0) throw refused();
  if (session?.role !== 'admin' && session?.stageId !== first) throw refused();
  const stay = await holdPhotoStay(services, transaction, session, first);
  const photos = await listByIds(transaction, ids);
  if (photos.length < ids.length) throw refused();
  return { stay, photos };
}

/** Throws 409 when some photos are still in preparation or unreadable. */
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
