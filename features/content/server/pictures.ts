import { rm } from 'node:fs/promises';
import type { JobPayloads } from '#platform/server/jobs/jobs.ts';
import type { Services } from '#platform/server/services.ts';
import { FileMissing, keyOf } from '#platform/server/storage/storage.ts';
import { narrower, narrowerWidths } from '#platform/shared/pictures.ts';

/**
 * The job behind a saved picture: its narrower sizes. Until they are there the largest is served in their
 * place. Done twice it makes the same files again; a picture that left meanwhile leaves nothing behind.
 */
export async function narrowPicture(
  services: Services,
  { nom, largeur }: JobPayloads['narrow-picture'],
): Promise<void> {
  const { database, storage, staging, images } = services;
  const file = await database.db.selectFrom('fichiers').selectAll().where('nom', '=', nom).executeTakeFirst();
  if (!file) return;
  const source = staging.newPath();
  const outputs = narrowerWidths(largeur).map((width) => ({ width, path: staging.newPath() }));
  try {
    await storage.fetch(keyOf(file.dossier, nom), source);
    await images.narrow(source, outputs);
    const keys = outputs.map((output) => keyOf(file.dossier, narrower(nom, output.width)));
    for (const [index, output] of outputs.entries()) await storage.keep(output.path, keys[index] ?? '');
    const updated = await database.write((transaction) =>
      transaction
        .updateTable('fichiers')
        .set({ largeurs: outputs.map((output) => output.width).join(';') })
        .where('nom', '=', nom)
        .executeTakeFirst(),
    );
    if (updated.numUpdatedRows === 0n) await storage.remove(keys);
  } catch (error) {
    // Taken off the row between the look-up and the reading.
    if (!(error instanceof FileMissing)) throw error;
  } finally {
    await Promise.all(
      [source, ...outputs.map((output) => output.path)].map((path) => rm(path, { force: true })),
    );
  }
}

declare module '#platform/server/jobs/jobs.ts' {
  interface JobPayloads {
    /** Makes the narrower sizes of a content picture; `largeur` is its own width in pixels. */
    'narrow-picture': { nom: string; largeur: number };
  }
}
