import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#platform/server/config.ts';
import { isLoopback } from '#platform/server/mail/transport.ts';
import { weightOf } from '#platform/shared/bytes.ts';
import { type Examined, type Finding, fine, listed, treat, watch } from './finding.ts';

/** The machine, and what the environment says of it. */

/** As `engines` of package.json says. */
const NODE = 24;

export function nodeVersion(): Finding {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= NODE) return fine(`Node ${node}.`);
  return treat(`Node ${node} est trop ancien\u202f: lancez le site avec Node ${NODE} ou plus récent.`);
}

/** Access of the group and of everybody. */
const OTHERS = 0o077;

/** Whoever may not enter the folder reads nothing in it, whatever the files say. */
export async function folder({ services: { config } }: Examined): Promise<Finding> {
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

/** Part of the disk that is free, below which no photo is taken any more, and some time before. */
const LOW_DISK = 0.1;
const SOON_LOW_DISK = 0.15;

export async function disk({ services: { config } }: Examined): Promise<Finding> {
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

/** Variables that each are good, and together are not. */
export function proxy({ services: { config } }: Examined): Finding[] {
  const found = [...aboutAddress(config), ...aboutProxy(config)];
  return found.length > 0 ? found : [fine('PUBLIC_URL, HOST et TRUST_PROXY vont ensemble.')];
}

/** Addresses that only this machine, or only its network, reaches. */
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
