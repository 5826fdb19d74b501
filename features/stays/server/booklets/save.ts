import { z } from 'zod';
import { journal } from '#features/audit/server/journal.ts';
import type { Alongside } from '#features/content/server/items/door.ts';
import { type FileKind, fileRows, type KeptFile, keepFiles } from '#features/content/server/items/files.ts';
import { sentName } from '#features/stays/booklets-calls.ts';
import type { Actor } from '#platform/server/actor.ts';
import {
  eraseStruckOff,
  eraseUnregistered,
  registerFiles,
  strikeOff,
} from '#platform/server/files/register.ts';
import { requireFile, type StagedForm } from '#platform/server/http/forms.ts';
import { check } from '#platform/server/http/problems.ts';
import type { Services } from '#platform/server/services.ts';
import { putBooklet, TABLE } from './store.ts';

const LABEL = 'Livret';
export const BOOKLETS: FileKind = {
  table: TABLE,
  folder: 'doc_stage_formateur',
  pdf: { column: 'livret', label: LABEL },
};
const SENT = z.object({ livret: sentName.meta({ title: LABEL }) });

/** Keeps a booklet in the place of the one of its name; `alongside` finds that one still there. Returns the name. */
export async function saveBooklet(
  services: Services,
  files: StagedForm['files'],
  actor: Actor,
  alongside: Alongside = async () => {},
): Promise<string> {
  const { livret: nom } = check(SENT, { livret: requireFile({ files }, 'livret', LABEL).label });
  const kept = await keepFiles(services, BOOKLETS, files);
  await eraseStruckOff(services, await register(services, nom, kept, actor, alongside));
  return nom;
}

/** Registers the kept PDF under its name; returns the keys of the one that it takes the place of. */
async function register(
  { database, storage, clock }: Services,
  nom: string,
  kept: readonly KeptFile[],
  actor: Actor,
  alongside: Alongside,
): Promise<string[]> {
  try {
    return await database.write(async (transaction) => {
      const now = clock();
      const id = await putBooklet(transaction, nom, now);
      await alongside(transaction, id);
      const owner = { table: TABLE, id };
      const replaced = await strikeOff(transaction, owner);
      await registerFiles(transaction, fileRows(BOOKLETS, id, kept, now));
      await journal(transaction, actor, now, replaced.length > 0 ? 'modification' : 'création', owner);
      return replaced;
    });
  } catch (error) {
    const files = kept.map((file) => ({ nom: file.nom, dossier: BOOKLETS.folder, largeurs: '' }));
    await eraseUnregistered(database, storage, files);
    throw error;
  }
}
