import { join } from 'node:path';
import { ConfigError, readConfig } from './config.ts';
import { DatabaseTooNew } from './db/migrate.ts';
import { DirectoryInUse, databaseTrouble } from './db/open.ts';
import { type RunningServer, startServer } from './start.ts';

const DIST = join(import.meta.dirname, '../dist');

/** Starts the site from the environment and keeps it until a signal; says where it is, once. */
export async function runServer(announce: (server: RunningServer) => Promise<void> = greet): Promise<void> {
  // Whatever the site writes is its own account's only, also in a folder that others may enter.
  process.umask(0o077);
  let server: RunningServer;
  try {
    server = await startServer(readConfig(), { dist: DIST });
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
  const stop = (signal: NodeJS.Signals) => {
    server.services.log.info({ signal }, 'stopping');
    server.stop().then(
      () => process.exit(0),
      (error) => {
        server.services.log.fatal({ err: error }, 'stopped badly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  // A bug must not take the site down with it, but it must be seen.
  process.on('unhandledRejection', (error) =>
    server.services.log.error({ err: error }, 'unhandled rejection'),
  );
  await announce(server);
}

/** PostgreSQL: wrong password, no such role, no such database. */
const REFUSED = new Set(['28P01', '28000', '3D000']);

/** What the operator can mend, as one line; anything else with its stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return `Configuration : ${error.message}`;
  if (error instanceof DirectoryInUse || error instanceof DatabaseTooNew) return error.message;
  const { code, stack } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return 'Ce port est déjà pris : arrêtez l’autre programme, ou choisissez un autre PORT.';
  if (databaseTrouble(error) === 'busy') return 'DATABASE_URL : la base de données ne répond pas.';
  if (code && REFUSED.has(code)) return 'DATABASE_URL : la base de données refuse ce compte ou n’existe pas.';
  if (code === 'EACCES') return `Accès refusé : ${(error as Error).message}`;
  return String(stack ?? error);
}

async function greet({ url, firstAdmin }: RunningServer): Promise<void> {
  const lines = [`Passerelle est ouverte : ${url}`];
  if (firstAdmin) {
    const { username, password } = firstAdmin;
    lines.push(`Portail : ${url}/connexion-portail — identifiant « ${username} »`);
    if (password) lines.push(`Mot de passe, affiché cette seule fois : ${password}`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}
