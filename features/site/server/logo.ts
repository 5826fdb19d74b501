import { readFile, rm } from 'node:fs/promises';
import { journal } from '#features/audit/server/journal.ts';
import { FileRefused } from '#platform/server/confined/answers.ts';
import { invalid, notFound } from '#platform/server/errors.ts';
import { etagOf } from '#platform/server/http/cache.ts';
import { requireFile } from '#platform/server/http/forms.ts';
import { type Handlers, RawJson } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { deleteSettings, LOGO_IMAGE, readLogo, writeSetting } from './settingsStore.ts';

/*
 * The logo of the organisation, in place of the drawn mark. It is small, so it stands among the settings: backups, moves and
 * every process have it with them.
 */

/** Most pixels: twice what bars show. */
const LOGO_HEIGHT = 80;
const LOGO_WIDTH = 320;

export function logoHandlers({ database, images, staging, clock }: Services) {
  /** The received picture, decoded and made small: the bytes of a WebP, and its size. */
  async function smallOf(received: string) {
    const [whole, small] = [staging.newPath(), staging.newPath()];
    try {
      const { width, height } = await images.prepare(received, whole);
      const scale = Math.min(1, LOGO_HEIGHT / height, LOGO_WIDTH / width);
      const outputs = [{ width: Math.max(1, Math.round(width * scale)), path: small }];
      const [made] = await images.narrow(whole, outputs);
      if (!made) throw new Error('The worker made no picture');
      return {
        bytes: await readFile(small),
        shape: `${made.sha256.slice(0, 16)} ${made.width} ${made.height}`,
      };
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      throw invalid({ logo: error.reason }, { logo: 'Logo' });
    } finally {
      for (const path of [whole, small]) await rm(path, { force: true });
    }
  }

  return {
    'PUT /reglages/logo': async ({ files, ...actor }) => {
      const { bytes, shape: logo } = await smallOf(requireFile({ files }, 'logo', 'Logo').path);
      await database.write(async (transaction) => {
        await writeSetting(transaction, LOGO_IMAGE, bytes.toString('base64'), clock());
        await writeSetting(transaction, 'logo', logo, clock());
        await journal(transaction, actor, clock(), 'changement du logo');
      });
      return { message: 'Logo enregistré', logo };
    },
    'DELETE /reglages/logo': async (actor) => {
      await database.write(async (transaction) => {
        await deleteSettings(transaction, ['logo', LOGO_IMAGE]);
        await journal(transaction, actor, clock(), 'retrait du logo');
      });
      return { message: 'Le dessin du site est de retour' };
    },
    'GET /logo.webp': async () => {
      const bytes = await readLogo(database.db);
      if (!bytes) throw notFound('Ce site a gardé son dessin.');
      return new RawJson(bytes, etagOf(bytes));
    },
  } satisfies Partial<Handlers>;
}
