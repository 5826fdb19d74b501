import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { refusalOf } from '#app/server/refusals.ts';
import { openSiteDatabase, type SiteDatabase } from '#app/server/siteDatabase.ts';
import { closeServices, openServices } from '#app/server/start.ts';
import { type Config, ConfigError, readConfig } from '#platform/server/config.ts';
import { isDatabaseThere } from '#platform/server/db/open.ts';
import { asHttpError, HttpError } from '#platform/server/errors.ts';
import { openLog } from '#platform/server/log.ts';
import type { Services } from '#platform/server/services.ts';

/** Runs a command of the command line: prints its result, or why it refuses, in one line. */
export async function runCommand(work: (words: string[]) => Promise<string>): Promise<void> {
  // As for the server: files it writes are readable only by its own account.
  process.umask(0o077);
  try {
    process.stdout.write(`${await work(process.argv.slice(2))}\n`);
  } catch (error) {
    const refusal =
      error instanceof ConfigError ? error.message : (refusalOf(error) ?? asHttpError(error)?.message);
    if (refusal === undefined) throw error;
    process.stderr.write(`${refusal}\n`);
    process.exitCode = 1;
  }
}

/** Throws `ConfigError` where there is no site: opening would create an empty one. */
export function requireSite({ DATABASE_URL: url, DATA_DIR: directory }: Config): void {
  if (!isDatabaseThere({ url, directory }))
    throw new ConfigError(
      `Aucun site dans ${resolve(directory)}\u202f: vérifiez DATA_DIR, ou remettez une sauvegarde.`,
    );
}

/** Runs `work` on the site of the environment; logged is what it says of `level` and above. */
export async function withSite<T>(
  work: (services: Services) => Promise<T>,
  level?: Config['LOG_LEVEL'],
): Promise<T> {
  const config = readConfig();
  requireSite(config);
  const services = await openServices(config, { log: openLog(level ?? config.LOG_LEVEL, process.stderr) });
  try {
    return await work(services);
  } finally {
    await closeServices(services);
  }
}

export async function withDatabase<T>(work: (opened: SiteDatabase) => Promise<T>): Promise<T> {
  const config = readConfig();
  requireSite(config);
  const opened = await openSiteDatabase(config);
  try {
    return await work(opened);
  } finally {
    await opened.database.close();
  }
}

/** Reads a line from standard input; blank when the input has ended. */
export async function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.setPrompt(question);
  lines.prompt();
  for await (const line of lines) return line;
  return '';
}

/** Why nothing can be written, by system error code. */
const WRITE_TROUBLES: Record<string, string> = {
  ENOSPC: 'le disque est plein',
  EDQUOT: 'le disque est plein',
  SQLITE_FULL: 'le disque est plein',
  EACCES: 'ce compte n’a pas le droit d’y écrire',
  EPERM: 'ce compte n’a pas le droit d’y écrire',
  EROFS: 'ce disque ne peut qu’être lu',
  SQLITE_CANTOPEN: 'on ne peut pas y écrire',
  ENOTDIR: 'ce n’est pas un dossier',
  EEXIST: 'ce n’est pas un dossier',
  EIO: 'le disque ne répond pas bien',
};

/** Runs `work`, which writes to a folder that is not the site's own; says in a sentence why it cannot, and what follows. */
export async function writingTo<T>(folder: string, sequel: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const why = WRITE_TROUBLES[(error as NodeJS.ErrnoException).code ?? ''];
    if (why === undefined) throw error;
    throw new HttpError(507, `${folder}\u202f: ${why}. ${sequel}`);
  }
}
