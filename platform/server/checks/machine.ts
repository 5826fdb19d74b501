import { existsSync } from 'node:fs';
import { readdir, readFile, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bucketOf, type Config, parseSender } from '#platform/server/config.ts';
import { refusedTo } from '#platform/server/confined/processes.ts';
import { countWaiting, findRelayTrouble } from '#platform/server/mail/outboxStore.ts';
import { openTransport } from '#platform/server/mail/transport.ts';
import type { Services } from '#platform/server/services.ts';
import { PROBE } from '#platform/server/storage/storage.ts';
import { weightOf } from '#platform/shared/bytes.ts';
import { isLoopback } from '#platform/shared/hosts.ts';
import { MAIL_TROUBLES } from '#platform/shared/mails.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { type Check, COMMANDS, type Finding, fail, fine, listed, warn } from './check.ts';
import { releaseChecks } from './releases.ts';

export function machineChecks(services: Services): Check[] {
  const { config } = services;
  return [
    { key: 'node', part: 'machine', isSchemaFree: true, operator: nodeVersion },
    { key: 'dossier', part: 'machine', isSchemaFree: true, operator: () => folder(config) },
    ...diskChecks(config),
    bucketCheck(services),
    decoderCheck(config),
    { key: 'adresses', part: 'machine', isSchemaFree: true, operator: () => addresses(config) },
    ...mailServerChecks(services),
    ...releaseChecks(config),
  ];
}

/** Lowest major version of Node, as in `engines` of package.json. */
const NODE = 24;

function nodeVersion(): Finding {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= NODE) return fine(`Node ${node}.`);
  return fail(`Node ${node} est trop ancien\u202f: lancez le site avec Node ${NODE} ou plus récent.`);
}

/** File mode bits of the group and of everybody else. */
const OTHERS = 0o077;

/** Checks that other accounts cannot read `DATA_DIR`. If the folder itself is closed, modes inside it do not matter. */
async function folder({ DATA_DIR }: Config): Promise<Finding> {
  if (((await stat(DATA_DIR)).mode & OTHERS) === 0) return fine('DATA_DIR n’est lisible que par son compte.');
  const open: string[] = [];
  for (const name of await readdir(DATA_DIR)) {
    if (((await stat(join(DATA_DIR, name))).mode & OTHERS) !== 0) open.push(name);
  }
  if (open.length === 0) return fine('Ce que contient DATA_DIR n’est lisible que par son compte.');
  return fail(
    `DATA_DIR\u202f: d’autres comptes de cette machine peuvent le lire ${listed(open)}. Faites\u202f: chmod -R go= ${DATA_DIR}`,
  );
}

/** Free parts of the disk: below the first the site refuses photos; the second is told while there is time to act. */
const FULL_DISK = 0.1;
const LOW_DISK = 0.15;

function diskChecks({ DATA_DIR }: Config): Check[] {
  async function measure() {
    const { bavail, blocks, bsize } = await statfs(DATA_DIR);
    const free = bavail / blocks;
    const percent = Math.floor(free * 100);
    return { isFull: free < FULL_DISK, isLow: free < LOW_DISK, percent, bytes: bavail * bsize };
  }
  return [
    {
      key: 'disque-plein',
      part: 'machine',
      label: 'disque presque plein',
      command: COMMANDS.disk,
      isUrgent: true,
      async staff() {
        const { isFull, percent } = await measure();
        if (!isFull) return undefined;
        return `Le disque du site est presque plein\u202f: il en reste ${percent}\u202f%. Prévenez la personne qui héberge le site.`;
      },
    },
    {
      key: 'disque',
      part: 'machine',
      label: 'disque qui se remplit',
      command: COMMANDS.disk,
      async staff() {
        const { isFull, isLow, percent } = await measure();
        if (isFull || !isLow) return undefined;
        return (
          `Le disque du site se remplit\u202f: il en reste ${percent}\u202f%, et sous 10\u202f% les photos ne sont plus reçues. ` +
          'Prévenez la personne qui héberge le site.'
        );
      },
      isSchemaFree: true,
      async operator() {
        const { isFull, isLow, percent, bytes } = await measure();
        const left = `Disque de DATA_DIR\u202f: il reste ${weightOf(bytes)} (${percent}\u202f%)`;
        if (isFull)
          return fail(
            `${left}. Faites de la place\u202f: le site n’accepte plus de photos, et bientôt plus rien.`,
          );
        if (isLow)
          return warn(`${left}. Faites de la place\u202f: sous 10\u202f%, le site refuse les photos.`);
        return fine(`${left}.`);
      },
    },
  ];
}

/** What the running site found that its decoders may reach: others, as the doctor, are confined by other rules than its unit's. */
const REACHED_FILE = 'decodeurs';

const tried = new Map<string, Promise<string>>();

/** What decoders started by this process may reach; blank: nothing. Tried out once, as it does not change. */
function reachIn(DATA_DIR: string): Promise<string> {
  const reach = tried.get(DATA_DIR) ?? tryReach(DATA_DIR);
  tried.set(DATA_DIR, reach);
  return reach;
}

async function tryReach(DATA_DIR: string): Promise<string> {
  const { files, sockets } = await refusedTo(DATA_DIR);
  const open = [!files && 'les fichiers du site', !sockets && 'le réseau'];
  return open.filter((one) => one !== false).join(' et ');
}

/** Writes down what decoders of the running site may reach. */
export async function noteReach({ DATA_DIR }: Config): Promise<void> {
  await writeFile(join(DATA_DIR, REACHED_FILE), await reachIn(DATA_DIR), { mode: 0o600 });
}

/** What the sites that run here wrote down, in `DATA_DIR` and in the folders of several processes beside it. */
async function listReached(DATA_DIR: string): Promise<string[]> {
  const above = dirname(DATA_DIR);
  const start = `${basename(DATA_DIR)}-`;
  // What lies above may be closed to this account.
  const names = await readdir(above).catch(() => [] as string[]);
  const beside = names.filter((one) => one.startsWith(start) && /^\d+$/.test(one.slice(start.length)));
  const paths = [basename(DATA_DIR), ...beside].map((one) => join(above, one, REACHED_FILE));
  return Promise.all(paths.filter((path) => existsSync(path)).map((path) => readFile(path, 'utf8')));
}

/** What the kernel refuses the processes that read pictures, PDFs and workbooks. */
export function decoderCheck({ DATA_DIR }: Config): Check {
  const needs =
    'Il y faut Linux 5.13 ou plus récent, /usr/bin/perl, et une unité qui laisse passer les appels de Landlock.';
  return {
    key: 'decodeurs',
    part: 'fichiers',
    label: 'lecture de fichiers sans protection',
    command: COMMANDS.doctor,
    // It may last as long as the machine: a mail a day would be too much.
    only: 'portal',
    async staff() {
      const open = await reachIn(DATA_DIR);
      if (open === '') return undefined;
      return (
        `Un fichier piégé pourrait atteindre ${open}\u202f: sur cette machine, rien n’enferme les processus qui lisent ` +
        `images, PDF et classeurs. Prévenez la personne qui héberge le site, à qui «\u00a0passerelle doctor\u00a0» le ` +
        `dit aussi. ${needs}`
      );
    },
    isSchemaFree: true,
    async operator() {
      const noted = await listReached(DATA_DIR);
      const open = noted.length > 0 ? noted.find((one) => one !== '') : await reachIn(DATA_DIR);
      const whose = 'Images, PDF et classeurs\u202f: leurs processus';
      if (!open) return fine(`${whose} n’atteignent ni les fichiers du site, ni le réseau.`);
      return warn(`${whose} peuvent atteindre ${open}. ${needs}`);
    },
  };
}

/** Time, in ms, within which a bucket has to answer whoever looks at the state of the site. */
const BUCKET_MS = 3_000;

function bucketCheck({ config, storage }: Services): Check {
  const answers = () =>
    Promise.race([
      storage.has(PROBE).then(
        () => true,
        () => false,
      ),
      pause(BUCKET_MS, false, { ref: false }),
    ]);
  return {
    key: 'bucket',
    part: 'machine',
    label: 'fichiers injoignables',
    command: COMMANDS.errors,
    isUrgent: true,
    async staff() {
      if (bucketOf(config) === undefined || (await answers())) return undefined;
      return (
        'Le serveur des fichiers (S3) ne répond pas\u202f: photos, images et documents ne s’affichent pas et ne s’enregistrent ' +
        'pas. Prévenez la personne qui héberge le site.'
      );
    },
    isSchemaFree: true,
    async operator() {
      if (bucketOf(config) === undefined) return [];
      if (await answers()) return fine('Bucket\u202f: il répond.');
      return fail('Bucket\u202f: il ne répond pas. Vérifiez S3_ENDPOINT, et que ce serveur tourne.');
    },
  };
}

/** Host names reachable only from this machine or its network. */
const NEAR =
  /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[?(::1|f[cd][\da-f]{2}:))|^localhost$|\.(local|lan|internal|home\.arpa)$/;

/** Checks variables that are each valid but contradict each other. */
function addresses({ PUBLIC_URL, HOST, TRUST_PROXY, X_ACCEL_PREFIX }: Config): Finding[] {
  const found: Finding[] = [];
  const url = PUBLIC_URL === undefined ? undefined : new URL(PUBLIC_URL);
  if (!url && !isLoopback(HOST))
    found.push(
      warn('PUBLIC_URL n’est pas réglée\u202f: donnez l’adresse du site telle que les gens la tapent.'),
    );
  if (url && url.protocol !== 'https:' && !isLoopback(url.hostname))
    found.push(
      (NEAR.test(url.hostname) ? warn : fail)(
        'PUBLIC_URL est en http\u202f: les mots de passe et les photos passent en clair, et les téléphones ' +
          'n’envoient pas de photos. Mettez devant le site un relais en https.',
      ),
    );
  if (url?.protocol === 'https:' && TRUST_PROXY === undefined)
    found.push(
      fail(
        'PUBLIC_URL est en https, donc derrière un relais, et TRUST_PROXY ne le dit pas\u202f: tous les visiteurs ont la ' +
          'même adresse. Réglez TRUST_PROXY (1 pour un relais).',
      ),
    );
  if (X_ACCEL_PREFIX !== undefined && (TRUST_PROXY === undefined || TRUST_PROXY === false))
    found.push(
      fail(
        'X_ACCEL_PREFIX laisse nginx envoyer les photos, et TRUST_PROXY dit qu’il n’y a pas de relais\u202f: réglez TRUST_PROXY, ' +
          'ou ôtez X_ACCEL_PREFIX.',
      ),
    );
  return found.length > 0 ? found : [fine('PUBLIC_URL, HOST et TRUST_PROXY vont ensemble.')];
}

/** Milliseconds that a trouble of the mail server lasts before staff are told: most pass by themselves. */
const TROUBLE_MS = HOUR_MS;

function mailServerChecks({ database, config, clock }: Services): Check[] {
  return [
    {
      key: 'relais',
      part: 'envois',
      label: 'aucun e-mail ne part',
      isUrgent: true,
      only: 'portal',
      panel: 'envois',
      async staff() {
        if (config.SMTP_URL === undefined) return undefined;
        const trouble = await findRelayTrouble(database.db);
        if (!trouble || Date.parse(trouble.depuis) + TROUBLE_MS > clock().getTime()) return undefined;
        return `Aucun e-mail ne part depuis plus d’une heure\u202f: ${MAIL_TROUBLES[trouble.erreur]}.`;
      },
      isSchemaFree: true,
      operator: () => tryRelay(config),
    },
    {
      key: 'sans-serveur',
      part: 'envois',
      label: 'pas de serveur d’envoi',
      isUrgent: true,
      only: 'portal',
      panel: 'envois',
      async staff() {
        if (config.SMTP_URL !== undefined) return undefined;
        const { count } = await countWaiting(database.db);
        if (count === 0) return undefined;
        const subject = count === 1 ? 'Un e-mail attend' : `${count} e-mails attendent`;
        return `${subject}, car le site n’a pas de serveur d’envoi. La personne qui héberge le site doit en régler un.`;
      },
    },
  ];
}

/** Checks that the mail server accepts the site's account; nothing is sent. */
async function tryRelay({ SMTP_URL, MAIL_FROM = '' }: Config): Promise<Finding> {
  const from = parseSender(MAIL_FROM);
  if (!SMTP_URL || !from)
    return warn('E-mails\u202f: SMTP_URL n’est pas réglée. Ils attendent, et se lisent dans le portail.');
  const transport = openTransport(SMTP_URL, from);
  const failure = await transport.verify();
  await transport.close();
  return failure
    ? fail(`E-mails\u202f: ${MAIL_TROUBLES[failure.trouble]}. Vérifiez SMTP_URL.`)
    : fine('E-mails\u202f: le serveur d’envoi accepte le compte du site.');
}
