import { readFile } from 'node:fs/promises';
import { answerTasks } from '#platform/server/confined/answers.ts';
import type { PdfResult, PdfTask } from './text.ts';

/* Runs in a process of its own, one PDF at a time: reading one takes a tenth of a second, and a hostile one for ever. */

// libpdf says there what it cannot decipher.
console.warn = () => {};

answerTasks(run);

async function run({ name, input }: PdfTask): Promise<PdfResult> {
  const bytes = new Uint8Array(await readFile(input));
  if (name === 'check') return (await import('./check.ts')).checked(bytes);
  try {
    return { ok: true, pages: await (await import('./text.ts')).textOf(bytes) };
  } catch (error) {
    return { ok: false, refused: 'ce PDF n’a pas pu être lu.', detail: String(error) };
  }
}
