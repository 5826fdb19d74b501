import { z } from 'zod';
import { journal } from '#features/audit/server/journal.ts';
import type { Alongside, Doors, OwnItem } from '#features/content/server/doors.ts';
import { DECISIONS } from '#features/photos/shared/terms.ts';
import { findStayToChange } from '#features/stays/server/staysStore.ts';
import { eraseUnregistered, registerFiles, tryEraseCondemned } from '#platform/server/files/register.ts';
import { check, conflict } from '#platform/server/http/errors.ts';
import { stageOwnFiles } from '#platform/server/http/forms.ts';
import type { Services } from '#platform/server/services.ts';
import { erasePhotos, numberChange } from './erasures.ts';
import { type Accepted, makePhoto } from './prepare.ts';

const ownPhoto = z.object({
  /** Blank for a stay that the site does without. */
  stageId: z.coerce.number(),
  statut: z.enum(DECISIONS),
  legende: z.string(),
  prise_le: z.string(),
});
type OwnPhoto = z.infer<typeof ownPhoto>;

/** Adapter by which the site adds and removes its example photos; one that somebody changed is not removed. */
export function photoDoors(services: Services): Doors {
  const { database, staging, clock } = services;
  return {
    photos: {
      add: async ({ texts, files }: OwnItem, actor, alongside) => {
        const values = check(ownPhoto, texts);
        const staged = await stageOwnFiles(files, staging);
        try {
          const [file] = staged.files.photo ?? [];
          if (!file) throw new Error('A photo of the example has no file');
          const outcome = await makePhoto(services, file.path, { id: 0, version: 'complete' });
          if ('refus' in outcome) throw new Error(outcome.refus);
          await addPhoto(services, values, file.sha256, outcome, async (transaction, id) => {
            await journal(transaction, actor, clock(), 'création', { table: 'photos', id });
            await alongside(transaction, id);
          });
        } finally {
          await staged.discard();
        }
      },
      takeOut: async (id, actor, alongside) => {
        const stageId = await database.write(async (transaction) => {
          await alongside(transaction);
          const find = () =>
            transaction
              .selectFrom('photos')
              .select(['stage_id', 'created_at', 'modifie_le'])
              .where('id', '=', id)
              .executeTakeFirst();
          const stageId = (await find())?.stage_id;
          if (stageId === undefined) return undefined;
          await findStayToChange(database, transaction, stageId);
          // Read again: somebody may have changed it before the stay was locked.
          const photo = await find();
          if (!photo || photo.modifie_le !== photo.created_at) return undefined;
          await erasePhotos(transaction, photo.stage_id, [id], clock());
          await journal(transaction, actor, clock(), 'effacement', { table: 'photos', id });
          return photo.stage_id;
        });
        await tryEraseCondemned(services);
        if (stageId !== undefined) services.photos.changed(stageId);
      },
    },
  };
}

async function addPhoto(
  services: Services,
  { stageId, statut, legende, prise_le }: OwnPhoto,
  empreinte: string,
  { made, nom, files }: Accepted,
  alongside: Alongside,
): Promise<void> {
  const { database, storage, clock } = services;
  try {
    await database.write(async (transaction) => {
      const stay = await findStayToChange(database, transaction, stageId);
      if (!stay) throw conflict('Le séjour de cette photo n’est pas là.');
      const at = clock().toISOString();
      const numero = await numberChange(transaction, stay.id, statut === 'publiee');
      const { id } = await transaction
        .insertInto('photos')
        .values({
          stage_id: stay.id,
          empreinte,
          statut,
          legende,
          prise_le,
          jour: prise_le.slice(0, 10),
          nom,
          version: 'complete',
          a_jpeg: 1,
          apercu: made.placeholder,
          largeur: made.sizes[0]?.width ?? 0,
          hauteur: made.sizes[0]?.height ?? 0,
          octets: files.reduce((sum, { taille }) => sum + taille, 0),
          publiee_le: statut === 'publiee' || statut === 'retiree' ? at : null,
          numero,
          created_at: at,
          modifie_le: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await registerFiles(
        transaction,
        files.map((file) => ({ ...file, objet_id: id })),
      );
      await alongside(transaction, id);
    });
  } finally {
    // Erases the files of a failed write; after a successful one, all are registered and stay.
    await eraseUnregistered(
      database,
      storage,
      files.map(({ nom, dossier }) => ({ nom, dossier, largeurs: '' })),
    );
  }
  services.photos.changed(stageId);
}
