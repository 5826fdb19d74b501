import { rm, stat } from 'node:fs/promises';
import type { RawBuilder } from 'kysely';
import { journal } from '#features/audit/server/journal.ts';
import { IMPORT_KINDS, type ImportKind } from '#features/stays/shared/terms.ts';
import { type Actor, signature } from '#platform/server/actor.ts';
import { databaseTrouble, NotAsExpected } from '#platform/server/db/open.ts';
import { requireFile } from '#platform/server/http/forms.ts';
import type { Context } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { FileRefused } from '#platform/server/workers.ts';
import { familyChecker } from './familyLines.ts';
import { addLines, familyMerge, lineTable } from './familyLinesStore.ts';
import {
  deleteUnderWay,
  findDone,
  givenUp,
  insertImport,
  listKnownStays,
  updateImport,
} from './importsStore.ts';
import { readRecords, refusedFile, refusedLines } from './read.ts';
import { type StayLine, stayChecker } from './stayLines.ts';
import { mergeStays } from './stayLinesStore.ts';
import { type Findings, openTable, readCorrections, reasonsOf, type Table, walk } from './table.ts';

/** Running an import: either every line of the file is written, or none. */

interface Work {
  id: number;
  progress: Progress;
  onSlice: () => Promise<void>;
}

export function importFamilies(
  services: Pick<Services, 'database' | 'clock' | 'sheets' | 'staging'>,
  context: ImportContext,
) {
  const { database } = services;
  const { engine } = database;
  return runImport(services, 'familles', context, async ({ id, progress, onSlice }) => {
    let count = 0;
    await database.apartAfter(async (run) => {
      // One slice is written to the temporary table while the next one is read.
      let isThere = Promise.resolve();
      const put = async (query: RawBuilder<unknown>) => {
        await isThere;
        isThere = run(query);
        // Its error is thrown at the next slice or at the end; should the file be refused before, it is dropped here.
        isThere.catch(() => {});
      };
      await put(lineTable(engine));
      const findings = await withTable(services, 'familles', context, progress, async (table) => {
        const checker = familyChecker(await listKnownStays(database.db));
        return walk(table, checker, async (slice, { erreurs }) => {
          await onSlice();
          if (erreurs > 0) return;
          const lines = slice.map((line) => line.value);
          await put(addLines(engine, lines, count));
          count += lines.length;
        });
      });
      await isThere;
      return familyMerge(id, await endReading(services, 'familles', context, id, findings));
    });
    return count;
  });
}

export function importStays(services: Services, context: ImportContext) {
  const { database, secrets } = services;
  return runImport(services, 'sejours', context, async ({ id, progress, onSlice }) => {
    const lines: StayLine[] = [];
    const findings = await withTable(services, 'sejours', context, progress, async (table) => {
      const checker = stayChecker(await listKnownStays(database.db), secrets);
      return walk(table, checker, async (slice) => {
        lines.push(...slice.map((line) => line.value));
        await onSlice();
      });
    });
    const at = await endReading(services, 'sejours', context, id, findings);
    await mergeStays(database, secrets, id, lines, at);
    return lines.length;
  });
}

/**
 * Records an import and runs `work`, which imports the file and returns its number of lines. Deletes the record when
 * the import fails.
 */
async function runImport(
  services: Pick<Services, 'database' | 'clock'>,
  genre: ImportKind,
  context: ImportContext,
  work: (work: Work) => Promise<number>,
) {
  const { database, clock } = services;
  const { acteur } = signature(context);
  const { suivi } = context.body;
  const id = await insertImport(database, { genre, suivi, etape: 'lecture', acteur }, clock());
  try {
    const progress = { percent: 0 };
    const lignes = await work({ id, progress, onSlice: sayProgress(services, id, progress) });
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
    await deleteUnderWay(database, id);
    throw isOvertaken(error) ? givenUp() : error;
  }
}

/** Whether an import failed because rows that its lines refer to were added, changed or deleted meanwhile. */
function isOvertaken(error: unknown): boolean {
  const trouble = databaseTrouble(error);
  return error instanceof NotAsExpected || trouble === 'duplicate' || trouble === 'orphan';
}

/** Throws 422 for a file with faulty lines; else records that writing begins and returns the instant, as ISO text. */
async function endReading(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
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

/** Request context of all calls that receive a file. */
export type ImportContext = Context<
  'POST /uploadSejour' | 'POST /upload' | 'POST /uploadSejour/apercu' | 'POST /upload/apercu'
>;

/** Progress of reading, in percent of the file. */
export interface Progress {
  percent: number;
}

/** Opens the received file, CSV or workbook, and runs `work` on its table. */
export async function withTable<R>(
  { sheets, staging }: Pick<Services, 'sheets' | 'staging'>,
  kind: ImportKind,
  { body, files }: ImportContext,
  progress: Progress,
  work: (table: Table) => Promise<R>,
): Promise<R> {
  const corrections = readCorrections(body.corrections);
  const file = requireFile({ files }, 'file', 'Fichier');
  const path = file.type === 'zip' ? staging.newPath() : file.path;
  let records: ReturnType<typeof readRecords> | undefined;
  try {
    if (file.type === 'zip') await sheets.toCsv(file.path, path);
    const { size } = await stat(path);
    const onRead = (bytes: number) => {
      progress.percent = Math.round((100 * bytes) / size);
    };
    records = readRecords(path, onRead);
    return await work(await openTable(records, kind, corrections));
  } catch (error) {
    throw error instanceof FileRefused ? refusedFile(error.reason) : error;
  } finally {
    // Closes the file when it is refused before its end.
    await records?.return(undefined);
    if (path !== file.path) await rm(path, { force: true });
  }
}

/** Percent of the file between two updates. */
const STEP = 5;

/** Returns a function to call as often as one likes; it records the progress only every `STEP` percent. */
export function sayProgress(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  id: number,
  progress: { percent: number },
): () => Promise<void> {
  let said = 0;
  return async () => {
    const { percent } = progress;
    if (percent < said + STEP) return;
    said = percent;
    await database.write((transaction) => updateImport(transaction, id, { avance: percent }, clock()));
  };
}

/**
 * Writes a journal line about an import, in a write of its own: the statements that change families and stays run
 * without logic in between, so they cannot compute its chain hash. One line before them records that they begin,
 * another one after them how they ended.
 */
export async function journalImport(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  actor: Actor,
  id: number,
  action: string,
): Promise<void> {
  await database.write((transaction) =>
    journal(transaction, actor, clock(), action, { table: 'imports', id }),
  );
}

/** The counts of an import, as written in the journal. */
export function counted(crees: number, modifies: number): string {
  return `(créations\u202f: ${crees}, modifications\u202f: ${modifies})`;
}
