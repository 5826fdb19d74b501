import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillWithExample } from '../server/features/example/fill.ts';
import { runServer } from '../server/run.ts';
import { generatePassword } from '../server/secrets.ts';
import type { RunningServer } from '../server/start.ts';
import { API_PREFIX } from '../shared/route.ts';

/** A site on a throwaway folder, filled with example content: everything is gone when it stops. */

const ADMIN = { username: 'admin', password: generatePassword() };
const MEETING_REPORTS_PASSWORD = generatePassword();
const directory = mkdtempSync(join(tmpdir(), 'passerelle-demo-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
Object.assign(process.env, {
  DATA_DIR: directory,
  // Never somebody's real database, whatever the shell has set.
  DATABASE_URL: '',
  ADMIN_USERNAME: ADMIN.username,
  ADMIN_PASSWORD: ADMIN.password,
  MEETING_REPORTS_PASSWORD,
  HOST: process.env.HOST ?? '127.0.0.1',
  ORGANISATION_NAME: process.env.ORGANISATION_NAME ?? 'CSE Les Grands Pins',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
});

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}${API_PREFIX}/loginAdmin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  const { tokenAdmin } = (await response.json()) as { tokenAdmin: string };
  return tokenAdmin;
}

async function announce({ url }: RunningServer): Promise<void> {
  process.stdout.write(`Passerelle (démonstration) est ouverte : ${url}\nLe contenu d’exemple arrive…\n`);
  const count = await fillWithExample(url, await signIn(url));
  process.stdout.write(
    [
      `${count} contenus d’exemple sont en place. Tout disparaît à l’arrêt (Ctrl+C).`,
      `Portail         : ${url}/connexion-portail — identifiant « ${ADMIN.username} », mot de passe ${ADMIN.password}`,
      `Comptes rendus  : ${url}/compte-rendus — mot de passe ${MEETING_REPORTS_PASSWORD}`,
      '',
    ].join('\n'),
  );
}

await runServer(announce);
