import { accessSync, constants, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { isPassing } from './database.ts';
import { reserveIn } from './reserve.ts';

/* Who may use the folder of a site: one server at a time, and nobody once the site has moved elsewhere. */

/**
 * Reserves `directory` for one server and returns the function that frees it. Throws `DirectoryInUse` for a second
 * server until the first ends, however it ends.
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // Checked first, as SQLite would take the lock even in a folder that it cannot write to.
  accessSync(directory, constants.W_OK);
  reserveIn(directory).letGo();
  const lock = new SQLite(join(directory, 'verrou.db'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!isPassing(error)) throw error;
    throw new DirectoryInUse(directory);
  }
  return () => lock.close();
}

export class DirectoryInUse extends Error {
  constructor(directory: string) {
    super(
      `Un autre serveur utilise déjà le dossier ${directory}\u202f: arrêtez-le, ou choisissez un autre DATA_DIR.`,
    );
  }
}

/** File that announces a move: locked while the move is under way; once it has ended, holds the site's new place. */
const MOVE_FILE = 'demenagement.db';

/** The site is being moved, or has been: nothing is written here any longer. The message is for people. */
export class SiteMoving extends Error {}

const UNDER_WAY =
  'Le site déménage\u202f: pendant quelques minutes, rien ne peut être enregistré. Réessayez ensuite.';

/** Blocks all other writes to the database of a directory; `end` allows them again, and so does a crash. */
export function holdForMove(directory: string): { leave(to: string): void; end(): void } {
  const path = join(directory, MOVE_FILE);
  const file = new SQLite(path, { timeout: 0 });
  try {
    file.exec('begin exclusive');
  } catch (error) {
    file.close();
    throw isPassing(error) ? new SiteMoving(UNDER_WAY) : error;
  }
  let hasLeft = false;
  return {
    /** Records for good where the site has moved, for anyone who tries to write here. */
    leave(to) {
      file.exec('create table depart (vers text not null)');
      file.prepare('insert into depart values (?)').run(to);
      file.exec('commit');
      hasLeft = true;
    },
    end() {
      file.close();
      if (!hasLeft) rmSync(path);
    },
  };
}

/** Throws `SiteMoving` when the site is moving or has moved. A file left by a move that crashed is ignored. */
export function requireHere(directory: string): void {
  const path = join(directory, MOVE_FILE);
  if (!existsSync(path)) return;
  const file = new SQLite(path, { timeout: 0 });
  try {
    const hasLeft = file.prepare("select 1 from sqlite_schema where name = 'depart'").get() !== undefined;
    if (!hasLeft) return;
    const to = file.prepare<[], string>('select vers from depart').pluck().get();
    throw new SiteMoving(
      `Ce site a déménagé vers ${to}\u202f: rien n’est plus enregistré ici. Lancez-le avec les variables que le déménagement a données, ou supprimez ${path} pour revenir ici.`,
    );
  } catch (error) {
    throw isPassing(error) ? new SiteMoving(UNDER_WAY) : error;
  } finally {
    file.close();
  }
}
