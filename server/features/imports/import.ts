import { IMPORT_KINDS, type ImportKind } from '../../../shared/stays/terms.ts';
import { databaseTrouble, NotAsExpected } from '../../db/open.ts';
import { journal, signature } from '../../journal.ts';
import type { Services } from '../../services.ts';
import { familyChecker } from './families.ts';
import { familyMerge, stageFamilies } from './families-store.ts';
import { listKnownStays } from './known.ts';
import { type ImportContext, type Progress, withTable } from './received.ts';
import {
  counted,
  deleteImport,
  findDone,
  givenUp,
  insertImport,
  journalImport,
  updateImport,
} from './record.ts';
import { refusedLines } from './refusals.ts';
import { type StayLine, stayChecker } from './stays.ts';
import { mergeStays } from './stays-store.ts';
import { type Findings, reasonsOf, walk } from './walk.ts';

/** An import as a whole: every line of the file is written, or none. */

interface Work {
  id: number;
  progress: Progress;
}

export function importFamilies(services: Services, context: ImportContext) {
  const { database, clock } = services;
  return runImport(services, 'familles', context, async ({ id, progress }) => {
    const findings = await withTable(services, 'familles', context, progress, async (table) => {
      const checker = familyChecker(await listKnownStays(database.db));
      return walk(table, checker, async (slice, { erreurs }) => {
        if (erreurs > 0) return;
        const lines = slice.map((line) => line.value);
        await database.write(async (transaction) => {
          await stageFamilies(transaction, database.engine, id, lines);
          await updateImport(transaction, id, { avance: progress.percent }, clock());
        });
      });
    });
    const at = await endReading(services, 'familles', context, id, findings);
    await database.apart(familyMerge(id, findings.lignes, at));
    return findings;
  });
}

export function importStays(services: Services, context: ImportContext) {
  const { database, secrets, clock } = services;
  return runImport(services, 'sejours', context, async ({ id, progress }) => {
    const lines: StayLine[] = [];
    const findings = await withTable(services, 'sejours', context, progress, async (table) => {
      const checker = stayChecker(await listKnownStays(database.db), secrets);
      return walk(table, checker, async (slice) => {
        lines.push(...slice.map((line) => line.value));
        await database.write((transaction) =>
          updateImport(transaction, id, { avance: progress.percent }, clock()),
        );
      });
    });
    const at = await endReading(services, 'sejours', context, id, findings);
    await mergeStays(database, secrets, id, lines, at);
    return findings;
  });
}

/** Begins an import, and takes away what it wrote when it comes to nothing. */
async function runImport(
  services: Services,
  genre: ImportKind,
  context: ImportContext,
  work: (work: Work) => Promise<Findings>,
) {
  const { database, clock } = services;
  const { acteur } = signature(context);
  const { suivi } = context.body;
  const id = await insertImport(database, { genre, suivi, etape: 'lecture', acteur }, clock());
  try {
    const { lignes } = await work({ id, progress: { percent: 0 } });
    const done = await findDone(database.db, id);
    const { crees: creer = 0, modifies: modifier = 0 } = done ?? {};
    const action = `import de ${IMPORT_KINDS[genre]} ${counted(creer, modifier)}`;
    await journalImport(services, context, id, action);
    return {
      message: 'CSV chargé et traité avec succès',
      id,
      creer,
      modifier,
      inchangees: lignes - creer - modifier,
    };
  } catch (error) {
    await deleteImport(database, id);
    throw isOvertaken(error) ? givenUp() : error;
  }
}

/** Somebody added, changed or deleted meanwhile what the lines were compared with. */
function isOvertaken(error: unknown): boolean {
  const trouble = databaseTrouble(error);
  return error instanceof NotAsExpected || trouble === 'duplicate' || trouble === 'orphan';
}

/** Throws 422 for a file with faulty lines; else the writing begins, at the instant that is returned. */
async function endReading(
  { database, clock }: Services,
  genre: ImportKind,
  context: ImportContext,
  id: number,
  findings: Findings,
): Promise<string> {
  if (findings.erreurs > 0) throw refusedLines(findings.erreurs, reasonsOf(findings));
  const now = clock();
  await database.write(async (transaction) => {
    await updateImport(transaction, id, { etape: 'enregistrement', avance: 100 }, now);
    const about = { table: 'imports', id };
    await journal(transaction, context, now, `début d’un import de ${IMPORT_KINDS[genre]}`, about);
  });
  return now.toISOString();
}
