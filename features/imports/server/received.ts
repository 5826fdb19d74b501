import { rm, stat } from 'node:fs/promises';
import type { ImportKind } from '#features/stays/shared/terms.ts';
import { requireFile } from '#platform/server/http/forms.ts';
import type { Context } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { FileRefused } from '#platform/server/workers.ts';
import { readRecords } from './read.ts';
import { refusedFile } from './refusals.ts';
import { openTable, readCorrections, type Table } from './table.ts';

/** What all calls with a file are given. */
export type ImportContext = Context<
  'POST /uploadSejour' | 'POST /upload' | 'POST /uploadSejour/apercu' | 'POST /upload/apercu'
>;

/** Percent of the file that is read. */
export interface Progress {
  percent: number;
}

/** Opens the received file, whichever program saved it, and runs `work` on its table. */
export async function withTable<R>(
  { sheets, staging }: Services,
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
    // A file that is refused before its end would stay open.
    await records?.return(undefined);
    if (path !== file.path) await rm(path, { force: true });
  }
}
