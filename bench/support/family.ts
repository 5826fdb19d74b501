import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PHOTO_FOLDER, photoFiles } from '#features/photos/shared/terms.ts';
import { addPhotos, addStay, ofBytes } from './photos.ts';
import { startSite } from './process.ts';
import { openSite } from './site.ts';

const KB = 1024;
/** What each of a photo's files weighs, but for the JPEG, which nobody asks for here. */
const SIZES = { w320: 20 * KB, w480: 30 * KB, w960: 90 * KB, w1920: 250 * KB, jpeg: KB };
const PHOTOS = 120;
export const FAMILY_PASSWORD = 'K7QF-2MXA-9TRD';

/** A site in a process of its own, with a stay of 120 published photos and a family that is signed in to it. */
export async function startWithFamily(env: Record<string, string> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-bench-'));
  const filled = await openSite({ DATA_DIR: directory });
  const stageId = await addStay(filled.services, 'Une soirée de juillet', { stagiaire: FAMILY_PASSWORD });
  const names = await addPhotos(filled.services, stageId, PHOTOS, ofBytes(SIZES));
  const family = await filled.bearerOf('family', stageId);
  await filled.close();
  const site = await startSite({ DATA_DIR: directory, ...env });
  return {
    ...site,
    stageId,
    family,
    thumbnails: names.map((name) => `${PHOTO_FOLDER}${photoFiles(name, true).w320}`),
    async close(): Promise<void> {
      await site.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
