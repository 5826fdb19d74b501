import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { importFamilies, importStays } from './import.ts';
import { modelFile } from './models.ts';
import { previewFile } from './preview.ts';
import { findProgress, forgetImports } from './record.ts';
import { lastImport, undoImport } from './undo.ts';

type ImportKeys = Extract<
  CallKey,
  | 'POST /uploadSejour'
  | 'POST /upload'
  | 'POST /uploadSejour/apercu'
  | 'POST /upload/apercu'
  | 'GET /modeles-csv/:genre'
  | 'GET /imports/suivi/:cle'
  | 'GET /imports/dernier'
  | 'POST /imports/:id/annuler'
>;

export function importHandlers(services: Services): Pick<Handlers, ImportKeys> {
  return {
    'POST /uploadSejour': (context) => importStays(services, context),
    'POST /upload': (context) => importFamilies(services, context),
    'POST /uploadSejour/apercu': (context) => previewFile(services, 'sejours', context),
    'POST /upload/apercu': (context) => previewFile(services, 'familles', context),
    'GET /modeles-csv/:genre': async ({ params }) => modelFile(params.genre),
    'GET /imports/suivi/:cle': async ({ params }) => {
      const found = await findProgress(services.database.db, params.cle);
      // One may ask before the file is wholly there, and once more as the work ends: neither is a fault.
      if (!found) return { etape: 'lecture', avance: 0 };
      const { etape, avance } = found;
      return { etape: etape === 'enregistrement' ? etape : 'lecture', avance };
    },
    'GET /imports/dernier': async ({ query }) => ({ dernier: await lastImport(services, query.genre) }),
    'POST /imports/:id/annuler': async ({ params, ...context }) => {
      await undoImport(services, context, params.id);
      return { message: 'Import annulé' };
    },
  };
}

/** Scheduled: forgets the imports that died, and those too old to be undone. */
export async function forgetOldImports({ database, clock }: Services): Promise<void> {
  await forgetImports(database, clock());
}
