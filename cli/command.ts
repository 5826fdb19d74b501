import { ConfigError } from '../server/config.ts';
import { asHttpError } from '../server/http/errors.ts';

/** Runs a command of whoever has the machine: prints what it answers, or in one line what it refuses. */
export async function runCommand(work: (words: string[]) => Promise<string>): Promise<void> {
  // As the server: whatever is written is its own account's only.
  process.umask(0o077);
  try {
    process.stdout.write(`${await work(process.argv.slice(2))}\n`);
  } catch (error) {
    const refusal = error instanceof ConfigError ? error : asHttpError(error);
    if (!refusal) throw error;
    process.stderr.write(`${refusal.message}\n`);
    process.exitCode = 1;
  }
}
