import { readFile } from 'node:fs/promises';
import type { PdfResult, PdfTask } from './tasks.ts';

/* Runs in a process of its own, one PDF at a time: reading one takes a tenth of a second, and a hostile one for ever. */

// libpdf says there what it cannot decipher.
console.warn = () => {};

// The site has ended, perhaps killed: nobody waits for an answer, and nobody needs to know that it cannot be sent.
process.on('disconnect', () => process.exit());
process.on('message', async (task) => process.send?.(await run(task as PdfTask), () => {}));

async function run({ name, input }: PdfTask): Promise<PdfResult> {
  const bytes = new Uint8Array(await readFile(input));
  if (name === 'check') return (await import('./check.ts')).checked(bytes);
  try {
    return { ok: true, pages: await (await import('./text.ts')).textOf(bytes) };
  } catch (error) {
    return { ok: false, refused: 'ce PDF n’a pas pu être lu.', detail: String(error) };
  }
}
