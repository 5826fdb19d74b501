import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { refusalOf } from '#app/server/refusals.ts';
import { openSecret } from '#features/accounts/server/secondFactor.ts';
import { listSealedFactors } from '#features/accounts/server/secondFactorStore.ts';
import { hasMeetingPassword, readMeetingPassword, WRONG_KEY } from '#features/site/server/settingsStore.ts';
import { openStayPassword } from '#features/stays/server/staysStore.ts';
import type { Config } from '#platform/server/config.ts';
import { openTexts } from '#platform/server/mail/outbox.ts';
import { readFailure } from '#platform/server/mail/reasons.ts';
import { isLoopback, openTransport, parseSender } from '#platform/server/mail/transport.ts';
import { weightOf } from '#platform/shared/bytes.ts';
import { MAIL_TROUBLES } from '#platform/shared/mails.ts';
import { PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import {
  backup,
  clock,
  content,
  type Examined,
  erasures,
  type Finding,
  fine,
  integrity,
  jobs,
  journal,
  lastWrites,
  listed,
  owners,
  photos,
  register,
  treat,
  version,
  watch,
  works,
} from './data.ts';

/*
 * Inspects a site, running or stopped, and changes nothing. The checks are independent: one that fails to run is
 * reported, and the others still run.
 */

type Check = (examined: Examined) => Finding | Finding[] | Promise<Finding | Finding[]>;

const OF_THE_MACHINE: readonly Check[] = [nodeVersion, folder, disk, proxy, mail];
/** Checks that need the schema of this version; skipped when migrations are pending. */
const OF_THE_TABLES: readonly Check[] = [
  integrity,
  lastWrites,
  journal,
  clock,
  sealed,
  erasures,
  register,
  content,
  owners,
  photos,
  jobs,
  works,
  backup,
];

export async function examine(examined: Examined): Promise<Finding[]> {
  const found = [fine('Réglages\u202f: ils se lisent.')];
  for (const check of OF_THE_MACHINE) found.push(...(await made(check, examined)));
  const known = await made(version, examined);
  found.push(...known);
  if (known.some(({ state }) => state !== 'ok')) return found;
  for (const check of OF_THE_TABLES) found.push(...(await made(check, examined)));
  return found;
}

async function made(check: Check, examined: Examined): Promise<Finding[]> {
  try {
    return [await check(examined)].flat();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return [
      treat(
        refusalOf(error) ?? `Une vérification n’a pas pu se faire (${check.name}\u202f: ${code ?? message}).`,
      ),
    ];
  }
}

/** Formats the findings, the worst at the end, where a terminal shows them. */
export function printed(found: readonly Finding[]): string {
  const states = ['ok', 'à surveiller', 'à traiter'] as const;
  const lines = states.flatMap((state) =>
    found.flatMap((one) => (one.state === state ? `${state.padEnd(12)}  ${one.texte}` : [])),
  );
  const count = (wanted: Finding['state']) => found.filter(({ state }) => state === wanted).length;
  const sum = `${found.length} vérifications\u202f: ${count('à traiter')} à traiter, ${count('à surveiller')} à surveiller.`;
  return [...lines, sum].join('\n');
}

/* Checks of the machine and of the environment variables. */

/** Lowest major version of Node, as in `engines` of package.json. */
const NODE = 24;

function nodeVersion(): Finding {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= NODE) return fine(`Node ${node}.`);
  return treat(`Node ${node} est trop ancien\u202f: lancez le site avec Node ${NODE} ou plus récent.`);
}

/** File mode bits of the group and of everybody else. */
const OTHERS = 0o077;

/** Checks that other accounts cannot read `DATA_DIR`. If the folder itself is closed, modes inside it do not matter. */
async function folder({ services: { config } }: Examined): Promise<Finding> {
  const { DATA_DIR } = config;
  if (((await stat(DATA_DIR)).mode & OTHERS) === 0) return fine('DATA_DIR n’est lisible que par son compte.');
  const open: string[] = [];
  for (const name of await readdir(DATA_DIR)) {
    if (((await stat(join(DATA_DIR, name))).mode & OTHERS) !== 0) open.push(name);
  }
  if (open.length === 0) return fine('Ce que contient DATA_DIR n’est lisible que par son compte.');
  return treat(
    `DATA_DIR\u202f: d’autres comptes de cette machine peuvent le lire ${listed(open)}. Faites\u202f: chmod -R go= ${DATA_DIR}`,
  );
}

/** Free part of the disk below which the site refuses photos, and the higher one that gives an early warning. */
const LOW_DISK = 0.1;
const SOON_LOW_DISK = 0.15;

async function disk({ services: { config } }: Examined): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(config.DATA_DIR);
  const free = bavail / blocks;
  const left = `il reste ${weightOf(bavail * bsize)} (${Math.floor(free * 100)}\u202f%)`;
  if (free < LOW_DISK)
    return treat(
      `Disque de DATA_DIR\u202f: ${left}. Faites de la place\u202f: le site n’accepte plus de photos, et bientôt plus rien.`,
    );
  if (free < SOON_LOW_DISK)
    return watch(
      `Disque de DATA_DIR\u202f: ${left}. Faites de la place\u202f: sous 10\u202f%, le site refuse les photos.`,
    );
  return fine(`Disque de DATA_DIR\u202f: ${left}.`);
}

/** Checks variables that are each valid but contradict each other. */
function proxy({ services: { config } }: Examined): Finding[] {
  const found = [...aboutAddress(config), ...aboutProxy(config)];
  return found.length > 0 ? found : [fine('PUBLIC_URL, HOST et TRUST_PROXY vont ensemble.')];
}

/** Host names reachable only from this machine or its network. */
const NEAR =
  /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[?(::1|f[cd][\da-f]{2}:))|^localhost$|\.(local|lan|internal|home\.arpa)$/;

function aboutAddress({ PUBLIC_URL, HOST }: Config): Finding[] {
  if (PUBLIC_URL === undefined) {
    if (isLoopback(HOST)) return [];
    return [
      watch('PUBLIC_URL n’est pas réglée\u202f: donnez l’adresse du site telle que les gens la tapent.'),
    ];
  }
  const { protocol, hostname } = new URL(PUBLIC_URL);
  if (protocol === 'https:' || isLoopback(hostname)) return [];
  const why =
    'PUBLIC_URL est en http\u202f: les mots de passe et les photos passent en clair, et les téléphones';
  const what = 'n’envoient pas de photos. Mettez devant le site un relais en https.';
  return [(NEAR.test(hostname) ? watch : treat)(`${why} ${what}`)];
}

function aboutProxy({ PUBLIC_URL, TRUST_PROXY, X_ACCEL_PREFIX }: Config): Finding[] {
  const found: Finding[] = [];
  const isUnset = TRUST_PROXY === undefined;
  if (isUnset && PUBLIC_URL?.startsWith('https:'))
    found.push(
      treat(
        'PUBLIC_URL est en https, donc derrière un relais, et TRUST_PROXY ne le dit pas\u202f: tous les visiteurs ont la ' +
          'même adresse. Réglez TRUST_PROXY (1 pour un relais).',
      ),
    );
  if (X_ACCEL_PREFIX !== undefined && (isUnset || TRUST_PROXY === false))
    found.push(
      treat(
        'X_ACCEL_PREFIX laisse nginx envoyer les photos, et TRUST_PROXY dit qu’il n’y a pas de relais\u202f: réglez TRUST_PROXY, ' +
          'ou ôtez X_ACCEL_PREFIX.',
      ),
    );
  return found;
}

/** Checks that the mail server accepts the site's account; nothing is sent. */
async function mail({ services: { config } }: Examined): Promise<Finding> {
  const { SMTP_URL, MAIL_FROM = '' } = config;
  const from = parseSender(MAIL_FROM);
  if (!SMTP_URL || !from)
    return watch('E-mails\u202f: SMTP_URL n’est pas réglée. Ils attendent, et se lisent dans le portail.');
  const transport = openTransport(SMTP_URL, from);
  try {
    await transport.verify();
    return fine('E-mails\u202f: le serveur d’envoi accepte le compte du site.');
  } catch (error) {
    return treat(`E-mails\u202f: ${MAIL_TROUBLES[readFailure(error).trouble]}. Vérifiez SMTP_URL.`);
  } finally {
    await transport.close();
  }
}

const TYPES = Object.keys(PASSWORD_TYPES) as PasswordType[];

/** Checks that the secret key opens everything that is sealed. */
async function sealed({ services: { database, secrets } }: Examined): Promise<Finding> {
  const { db } = database;
  const stays = await db
    .selectFrom('stages')
    .select(['id', 'mdp_formateur', 'mdp_stagiaire'])
    .where('mdp_formateur', '!=', '')
    .execute();
  const mailings = await db
    .selectFrom('envois')
    .select(['cle', 'contenu'])
    .where('contenu', '!=', '')
    .execute();
  const closed = {
    minutes: (await hasMeetingPassword(db)) && !(await opens(() => readMeetingPassword(db, secrets))) ? 1 : 0,
    stays: 0,
    mailings: 0,
    factors: 0,
  };
  for (const stay of stays) {
    const isOpen = await opens(() => TYPES.map((type) => openStayPassword(secrets, stay, type)));
    if (!isOpen) closed.stays++;
  }
  for (const mailing of mailings) if (!(await opens(() => openTexts(secrets, mailing)))) closed.mailings++;
  for (const factor of await listSealedFactors(db))
    if (!(await opens(() => openSecret(secrets, factor)))) closed.factors++;
  const count = closed.minutes + closed.stays + closed.mailings + closed.factors;
  if (count === 0) return fine('Clé secrète\u202f: elle ouvre tout ce qui est scellé.');
  return treat(
    `${WRONG_KEY} Elle n’ouvre pas\u202f: mot de passe des comptes rendus ${closed.minutes}, séjours ${closed.stays}, envois ${closed.mailings}, secondes étapes ${closed.factors}.`,
  );
}

async function opens(open: () => unknown): Promise<boolean> {
  try {
    await open();
    return true;
  } catch {
    return false;
  }
}
