import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runServer } from '#app/server/run.ts';
import type { RunningServer } from '#app/server/start.ts';
import { generatePassword } from '#platform/server/secrets.ts';
import type { CallKey, ReplyOf } from '#platform/shared/call.ts';
import { API_PREFIX } from '#platform/shared/call.ts';

/* Runs a site in a temporary folder, filled with example content; everything is erased when it stops. */

const ADMIN = { username: 'admin', password: generatePassword() };
const MEETING_REPORTS_PASSWORD = generatePassword();
const directory = mkdtempSync(join(tmpdir(), 'passerelle-demo-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
Object.assign(process.env, {
  DATA_DIR: directory,
  // Cleared, so that a real database set in the shell is never used.
  DATABASE_URL: '',
  ADMIN_USERNAME: ADMIN.username,
  ADMIN_PASSWORD: ADMIN.password,
  MEETING_REPORTS_PASSWORD,
  HOST: process.env.HOST ?? '127.0.0.1',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
});

async function ask<K extends CallKey>(
  url: string,
  key: K,
  { token, id, body }: { token?: string; id?: number; body?: unknown },
): Promise<ReplyOf<K>> {
  const [method, path = ''] = key.split(' ');
  const headers = new Headers();
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (body) headers.set('content-type', 'application/json');
  const response = await fetch(`${url}${API_PREFIX}${path.replace(':id', String(id))}`, {
    method,
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${key}: ${await response.text()}`);
  return (await response.json()) as ReplyOf<K>;
}

/** Adds the example content, as the portal does. Returns the number of items, or undefined when told to stop. */
async function fill(url: string, token: string): Promise<number | undefined> {
  let isStopping = false;
  const noteStop = () => {
    isStopping = true;
  };
  process.once('SIGINT', noteStop).once('SIGTERM', noteStop);
  await ask(url, 'POST /exemple', { token });
  while (!isStopping) {
    const { etat, en_place, erreur } = await ask(url, 'GET /exemple', { token });
    if (etat === 'present') return en_place;
    if (erreur) throw new Error(erreur);
    await pause(200);
  }
  return undefined;
}

/** Reads how to sign in to a stay that is under way. */
async function readStay(url: string, token: string) {
  const today = new Date().toISOString().slice(0, 10);
  const stays = await ask(url, 'GET /stages', { token });
  const stay = stays.find(({ date_debut, date_fin }) => date_debut <= today && today <= date_fin);
  if (!stay) throw new Error('No stay of the example is under way');
  const [passwords] = await ask(url, 'GET /stage-passwords/:id', { token, id: stay.id });
  return { ...stay, ...passwords };
}

async function announce({ url }: RunningServer): Promise<void> {
  process.stdout.write(
    `Passerelle (démonstration) est ouverte\u202f: ${url}\nLe contenu d’exemple arrive…\n`,
  );
  const { tokenAdmin: token } = await ask(url, 'POST /loginAdmin', { body: ADMIN });
  const count = await fill(url, token);
  if (count === undefined) return;
  const stay = await readStay(url, token);
  process.stdout.write(
    [
      `${count} contenus d’exemple sont en place. Tout disparaît à l’arrêt (Ctrl+C).`,
      `Portail         : ${url}/connexion-portail — identifiant «\u00a0${ADMIN.username}\u00a0», mot de passe ${ADMIN.password}`,
      `Comptes rendus  : ${url}/compte-rendus — mot de passe ${MEETING_REPORTS_PASSWORD}`,
      `Famille         : ${url}/connexion — séjour numéro ${stay.id} (${stay.nom_stage}), mot de passe ${stay.mdp_stagiaire}`,
      `Directeur       : ${url}/connexion — séjour numéro ${stay.id}, mot de passe ${stay.mdp_formateur}`,
      '',
    ].join('\n'),
  );
}

await runServer(announce);
