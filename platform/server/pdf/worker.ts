import { whyPdfRefused } from './check.ts';

/** Runs in a worker thread: a hostile file may inflate to megabytes, and no visitor should wait for that. */
export async function run(path: string): Promise<string | undefined> {
  return whyPdfRefused(path);
}
