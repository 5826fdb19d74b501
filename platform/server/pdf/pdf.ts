import { openProcesses } from '#platform/server/confined/processes.ts';
import type { Log } from '#platform/server/log.ts';
import { FileRefused } from '#platform/server/workers.ts';
import { type PageText, type PdfResult, type PdfTask, PRINT } from './tasks.ts';

/** PDFs that may wait. */
const WAITING_MAX = 20;
/** Processor time, in ms, past which a PDF is refused: for checks and for reading. */
const CHECK_MS = 20_000;
const READ_MS = 60_000;
/** Memory, in bytes, that either may take: most of it for a PDF of 20 MB full of small objects. */
const MEMORY_MAX = 768 * 1024 * 1024;

export interface Pdfs {
  /** Throws `FileRefused` when the file at `path` is no PDF that can be shown, or has active content. */
  check(path: string): Promise<void>;
  /** The pages of a PDF that was checked, in order; throws `FileRefused` when they cannot be read. */
  read(path: string): Promise<PageText[]>;
  close(): void;
}

interface PdfsOptions {
  /** Folder in which each process has a folder of its own. */
  directory: string;
  log?: Log | undefined;
}

/** Opens processes of their own for checks and reading, so that the check of a PDF does not wait for the text of another. */
export function openPdfs({ directory, log }: PdfsOptions): Pdfs {
  const openSome = (cpuMs: number) =>
    openProcesses<PdfTask, PdfResult>({
      module: new URL(import.meta.resolve('#platform/server/pdf/worker.ts')),
      directory,
      count: 1,
      waitingMax: WAITING_MAX,
      nodeFlags: [],
      cpuMs,
      memoryMax: MEMORY_MAX,
      lost: 'ce PDF n’a pas pu être lu\u202f: envoyez-le de nouveau.',
      tooMuch: `ce PDF demande trop de mémoire ou de calcul\u202f: ${PRINT}`,
      log,
    });
  const checks = openSome(CHECK_MS);
  const readings = openSome(READ_MS);
  async function run(processes: typeof checks, name: PdfTask['name'], path: string): Promise<PageText[]> {
    const result = await processes.run(path, ({ input }) => ({ name, input }));
    if (result.ok) return result.pages;
    throw new FileRefused(result.refused, { cause: result.detail });
  }
  return {
    check: async (path) => void (await run(checks, 'check', path)),
    read: (path) => run(readings, 'read', path),
    close() {
      checks.close();
      readings.close();
    },
  };
}
