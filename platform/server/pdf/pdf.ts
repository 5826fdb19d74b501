import { taken } from '#platform/server/confined/answers.ts';
import { openProcesses } from '#platform/server/confined/processes.ts';
import type { Log } from '#platform/server/log.ts';
import { openWriter } from '#platform/server/threads.ts';
import type { PageText, PdfResult, PdfTask } from './text.ts';

/** PDFs that may wait. */
const WAITING_MAX = 20;
/** PDFs read at once: texts are one at a time, so that no check waits for one. */
const AT_ONCE = 2;
/** Processor time, in ms, and memory, in bytes: most of that for 20 MB full of small objects. */
const CPU_MS = 30_000;
const MEMORY_MAX = 768 * 1024 * 1024;

const TO_TAG =
  'Donnez un titre au document (Fichier, Propriétés), puis refaites le PDF\u202f: dans Word, «\u00a0Enregistrer sous\u00a0», PDF, ' +
  'Options, «\u00a0Balises de structure\u00a0»\u202f; dans LibreOffice, «\u00a0Exporter au format PDF\u00a0», «\u00a0PDF balisé\u00a0».';

/** A document to be written, in French, tagged for who hears it. */
export interface Printed {
  title: string;
  /** At the foot of each page. */
  about: string;
  blocks: readonly PrintedBlock[];
}

/** A heading, a paragraph, a value beside its label, or a picture with its text for who does not see it. */
export interface PrintedBlock {
  tag: 'H1' | 'H2' | 'P' | 'Figure';
  text: string;
  label?: string;
  jpeg?: Uint8Array;
}

export interface Pdfs {
  /**
   * Throws `FileRefused` when the file at `path` is no PDF that can be shown, or acts. Returns what to do for who hears it,
   * where screen readers read it badly: it lacks a title, or the tags that tell headings and lists.
   */
  check(path: string): Promise<string | undefined>;
  /** The pages of a PDF that was checked, in order; throws `FileRefused` when they cannot be read. */
  read(path: string): Promise<PageText[]>;
  write(printed: Printed): Promise<Buffer>;
  close(): void;
}

/** Opens processes for PDFs, each in a folder of its own in `directory`. */
export function openPdfs(directory: string, log?: Log): Pdfs {
  const { run, close } = openProcesses<PdfTask, PdfResult>({
    module: new URL(import.meta.resolve('#platform/server/pdf/worker.ts')),
    directory,
    count: AT_ONCE,
    waitingMax: WAITING_MAX,
    nodeFlags: [],
    cpuMs: CPU_MS,
    memoryMax: MEMORY_MAX,
    lost: 'ce PDF n’a pas pu être lu\u202f: envoyez-le de nouveau.',
    tooMuch:
      'ce PDF demande trop de mémoire ou de calcul\u202f: imprimez-le en PDF, puis envoyez cette copie.',
    log,
  });
  const ask = async (path: string, name: PdfTask['name']) =>
    taken(await run(path, ({ input }) => ({ name, input })));
  return {
    async check(path) {
      const { lacks = [] } = await ask(path, 'check');
      return lacks.length === 0
        ? undefined
        : `Ce PDF n’a pas de ${lacks.join(' ni de ')}\u202f: qui l’écoute avec un lecteur d’écran s’y perd. ${TO_TAG}`;
    },
    read: async (path) => (await ask(path, 'read')).pages,
    write: openWriter(new URL(import.meta.resolve('#platform/server/pdf/writer.ts'))),
    close,
  };
}
