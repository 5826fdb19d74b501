import { addLines, familyMerge, lineTable } from '#features/imports/server/familyLinesStore.ts';
import { deleteUnderWay, insertImport, updateImport } from '#features/imports/server/importsStore.ts';
import type { TestSite } from './people.ts';

/**
 * Imports a child as a call does; `meanwhile` happens between its line and the merge. Throws what the merge says, with
 * nothing left of the import.
 */
export async function importMeanwhile(
  { services: { database }, now }: TestSite,
  child: { stage_id: number; nom: string; prenom: string; cle: string; email: string },
  meanwhile: () => Promise<void>,
): Promise<void> {
  const { engine } = database;
  const start = { genre: 'familles', suivi: undefined, etape: 'lecture', acteur: 'Alice' } as const;
  const id = await insertImport(database, start, now());
  try {
    await database.apartAfter(async (run) => {
      await run(lineTable(engine));
      const line = { ...child, id: null, version: null, email_2: '', consentement_image: 'inconnu' as const };
      await run(addLines(engine, [line], 0));
      await meanwhile();
      await database.write((transaction) =>
        updateImport(transaction, id, { etape: 'enregistrement', avance: 100 }, now()),
      );
      return familyMerge(id, 0, now().toISOString());
    });
  } finally {
    await deleteUnderWay(database, id);
  }
}
