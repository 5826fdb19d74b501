import { fileURLToPath } from 'node:url';
import { readConfig } from '#platform/server/config.ts';
import { refusalOf } from './refusals.ts';
import { type RunningServer, startServer } from './start.ts';

const DIST = fileURLToPath(new URL('dist', import.meta.resolve('#package.json')));

/** For how long, in ms, one of several processes has the proxy ask another one once it is told to stop. */
const LEAVING_MS = 1_000;

/** Starts the site from the environment and runs it until a signal; `announce` is called once it listens. */
export async function runServer(announce: (server: RunningServer) => Promise<void> = greet): Promise<void> {
  // Files that the site writes are readable only by its own account, also in a folder that others may enter.
  process.umask(0o077);
  let server: RunningServer;
  try {
    server = await startServer(readConfig(), { dist: DIST });
  } catch (error) {
    const { stack } = error as Error;
    process.stderr.write(`${refusalOf(error) ?? stack ?? error}\n`);
    process.exit(1);
  }
  const stop = (signal: NodeJS.Signals) => {
    const { log, database } = server.services;
    log.info({ signal }, 'stopping');
    // Other processes of the site answer meanwhile; alone, it is better back soon.
    server.stop(database.engine === 'postgres' ? LEAVING_MS : 0).then(
      () => process.exit(0),
      (error) => {
        log.fatal({ err: error }, 'stopped badly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  // A bug must not take the site down with it, but it must be seen.
  process.on('unhandledRejection', (error) =>
    server.services.log.error({ err: error }, 'unhandled rejection'),
  );
  // After this one the process ends, as its state is unknown; whoever started it starts it again.
  process.on('uncaughtExceptionMonitor', (error) =>
    server.services.log.fatal({ err: error }, 'uncaught exception'),
  );
  await announce(server);
}

async function greet({ url, firstAdmin }: RunningServer): Promise<void> {
  const lines = [`Passerelle est ouverte\u202f: ${url}`];
  if (firstAdmin) {
    const { username, password } = firstAdmin;
    lines.push(`Portail\u202f: ${url}/connexion-portail — identifiant «\u00a0${username}\u00a0»`);
    if (password) lines.push(`Mot de passe, affiché cette seule fois\u202f: ${password}`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}
