import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ATTESTATION_FORM } from '#features/photos/shared/terms.ts';
import { SITE, signature } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/open.ts';
import { dayIn, type ExampleItem } from './item.ts';
import { type ExamplePhoto, PHOTOGRAPHED, photos, words } from './photos.ts';
import type { ExampleStay } from './stays.ts';

/** The photos of the stay that is under way, as items of the example. */

const STAY = `stages/${PHOTOGRAPHED}`;

export const PHOTO_ITEMS: readonly ExampleItem[] = photos.map((item) => ({
  cle: `photos/${item.cle}`,
  table: 'photos',
  after: [STAY],
  texts: (now, places) => ({
    stageId: String(places.get(STAY) ?? ''),
    statut: item.statut,
    legende: item.legende,
    prise_le: `${dayIn(now, item.inDays)}T${item.time}:00.000Z`,
  }),
  files: async () => ({
    photo: [
      {
        label: `${item.cle}.jpg`,
        bytes: await readFile(join(import.meta.dirname, 'pictures', `${item.cle}.jpg`)),
      },
    ],
  }),
  alongside: (transaction, id, now) => insertRemoval(transaction, id, item, now),
}));

async function insertRemoval(
  transaction: Access,
  photo_id: number,
  { removal }: ExamplePhoto,
  now: Date,
): Promise<void> {
  if (removal === undefined) return;
  // No sign-in has asked for it.
  const asked = { photo_id, session_id: 0, mot: removal, created_at: now.toISOString() };
  await transaction.insertInto('photos_retraits').values(asked).execute();
}

/** What the site has to be told before it shows photos of the stay, and what its directors wrote of its days. */
export async function insertPhotoRows(
  transaction: Access,
  stage_id: number,
  { cle, nom_stage, inDays, nights }: ExampleStay,
  now: Date,
): Promise<void> {
  if (cle !== PHOTOGRAPHED) return;
  const at = now.toISOString();
  await transaction
    .insertInto('attestations')
    .values({
      ...{ stage_id, nom_stage, date_debut: dayIn(now, inDays), date_fin: dayIn(now, inDays + nights) },
      ...{ formulaire: ATTESTATION_FORM, atteste_le: at, acteur: signature(SITE).acteur },
    })
    .execute();
  await transaction
    .insertInto('jours')
    .values(words.map(({ inDays: days, mot }) => ({ stage_id, jour: dayIn(now, days), mot, modifie_le: at })))
    .execute();
}
