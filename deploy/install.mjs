// Puts an unpacked archive into service: looks at the machine, says what it will do, asks, does it, and looks again. What
// is done already is left alone. Run by the Node of the archive, through deploy/install.
import { execFileSync, spawnSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { createServer, isIP } from 'node:net';
import { hostname, networkInterfaces, totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';

const USAGE = `Usage : sudo ./install [options] [PUBLIC_URL=https://… et d’autres variables]
  Met cette version en service sur cette machine Debian, ou à la place de celle qui l’est.
  PUBLIC_URL=…      et les autres variables de /etc/passerelle.env ; aussi par l’environnement : PUBLIC_URL, SMTP_URL,
                    MAIL_FROM
  --oui             ne pose pas de question
  --essai           dit ce qui serait fait, et ne fait rien
  --sans-nginx      un autre relais est devant le site
  --root DOSSIER    écrit les fichiers sous ce dossier, et ne lance rien
  --remove          retire ce que l’installation a mis ; les données, les sauvegardes et les réglages restent`;

const GB = 1024 ** 3;
const UNITS = [
  'passerelle.service',
  'passerelle@.service',
  'passerelle-backup.service',
  'passerelle-backup.timer',
];

/** An end that the person reading understands by its sentence alone. */
class Stop extends Error {}

const here = realpathSync(join(import.meta.dirname, '..'));
const given = process.argv.slice(2);
const take = (/** @type {string} */ option) => {
  const at = given.indexOf(option);
  if (at >= 0) given.splice(at, 1);
  return at >= 0;
};
const isRoot = given.indexOf('--root');
const prefix = isRoot < 0 ? '' : realpathSync(given.splice(isRoot, 2)[1] ?? '');
const [isHelp, isYes, isTrial, isRemoval, hasOtherProxy] = [
  '--help',
  '--oui',
  '--essai',
  '--remove',
  '--sans-nginx',
].map(take);

/** Where a file of the machine is. @param {string} path */
const at = (path) => prefix + path;
/** @param {string} path */
const textOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
/** @param {string} line */
const say = (line) => void process.stdout.write(`${line}\n`);

/** What a command says; undefined where it fails or is not there. @param {string[]} command */
function asked([file = '', ...args]) {
  const { status, stdout } = spawnSync(file, args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** Runs a command of the machine; with --root none is. @param {string[]} command */
function run([file = '', ...args]) {
  if (prefix !== '') return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', env });
  if (status !== 0)
    throw new Stop(`${[file, ...args].join(' ')}\u202f:\n${stdout ?? ''}${stderr ?? ''}`.trimEnd());
}

/* The version. */

const [version = '', machine = ''] = textOf(join(here, 'RELEASE')).trim().split(' ');
// Unreleased ones of one name may differ.
const mark = version.includes('-') ? `-${textOf(join(here, 'dist/.stamp')).slice(0, 8)}` : '';
const place = `/opt/passerelle-${version}${mark}`;
const link = '/opt/passerelle';
const inService = () => (existsSync(at(link)) ? realpathSync(at(link)) : undefined);
const active = () =>
  prefix === ''
    ? (asked([
        'systemctl',
        'list-units',
        '--plain',
        '--no-legend',
        '--state=active',
        'passerelle.service',
        'passerelle@*.service',
      ]) ?? '')
    : '';
/** What the version in service brought as one of its files. @param {string} name */
const formerly = (name) => textOf(join(inService() ?? '/nonexistent', 'deploy', name));

/* The variables. */

const ENV = '/etc/passerelle.env';
/** @param {string} text @param {string} name */
const valueIn = (text, name) =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1]?.replace(/^(["'])(.*)\1$/, '$2') ?? '';
const written = textOf(at(ENV));
/** @type {Record<string, string>} */
const values = {};
for (const name of ['PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM']) {
  const value = process.env[name];
  if (value) values[name] = value;
}
for (const word of given) {
  const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/s.exec(word) ?? [];
  if (name !== undefined && value !== undefined) values[name] = value;
  else if (!isHelp) throw new Error(`${word}\n${USAGE}`);
}
/** @param {string} name */
const setting = (name) => values[name] ?? valueIn(written, name);

/** The example with the values in their lines; a line of its own for one that is not there. @param {string} text */
function withValues(text) {
  return Object.entries(values).reduce((done, [name, value]) => {
    const line = `${name}=${value}`;
    const lines = new RegExp(`^#? ?${name}=.*$`, 'm');
    return lines.test(done) ? done.replace(lines, () => line) : `${done.trimEnd()}\n${line}\n`;
  }, text);
}

/** Where people may reach this machine without anything being set up. */
async function likelyAddress() {
  const own = ownAddresses();
  const name = hostname();
  const leads = name.includes('.') && (await addressesOf(name)).some((one) => own.includes(one));
  return leads ? `https://${name}` : `http://${own.find((one) => isIP(one) === 4) ?? 'localhost'}`;
}
const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).flatMap(({ internal, address }) => (internal ? [] : [address])),
  );
/** @param {string} name @returns {Promise<string[]>} */
const addressesOf = (name) =>
  lookup(name, { all: true }).then(
    (all) => all.map(({ address }) => address),
    () => [],
  );

/** @param {string} question @param {string} byDefault */
async function ask(question, byDefault) {
  if (isYes || !process.stdin.isTTY) return byDefault;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question(`${question}${byDefault === '' ? '' : ` [${byDefault}]`}\u00a0`);
  lines.close();
  return answer.trim() || byDefault;
}

/* nginx. */

const SITE = '/etc/nginx/conf.d/passerelle.conf';

/** The file for an address: the certificate of its name for https, all in plain text for http. @param {string} text @param {string} address @param {string} port */
function forAddress(text, address, port) {
  const { hostname: name, protocol } = new URL(address);
  let site = text
    .replaceAll('cse.example', name)
    .replace(/^ +server 127\.0\.0\.1:3001 .*\n/m, '')
    .replace(':3000 ', `:${port || 3000} `);
  if (protocol === 'http:')
    site = site
      .replace(/^server \{\n {2}listen 80;[\s\S]*?^\}\n\n/m, '')
      .replace(/443 ssl http2;/g, '80;')
      .replace(/^(?: +# Of TLS 1\.2.*| +ssl_.*)\n/gm, '');
  return existsSync('/proc/net/if_inet6') ? site : site.replace(/^ +listen \[::\].*\n/gm, '');
}

/* What is looked at before anything is done. */

/** @param {number} port @param {string} [host] */
const isFree = (port, host) =>
  new Promise((done) => {
    const server = createServer().once('error', () => done(false));
    server.listen(port, host, () => server.close(() => done(true)));
  });

/** @param {string} path the nearest folder of it that there is */
function freeOf(path) {
  let folder = at(path);
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Sentences by how serious they are. */
async function look() {
  /** @type {string[]} */ const refused = [];
  /** @type {string[]} */ const told = [];
  const url = new URL(setting('PUBLIC_URL'));
  if (prefix === '') {
    if (process.getuid?.() !== 0) refused.push('tapez cette commande avec sudo');
    const systemd = Number(/^systemd (\d+)/.exec(asked(['systemctl', '--version']) ?? '')?.[1] ?? 0);
    if (systemd < 247)
      refused.push(`systemd 247 ou plus récent est nécessaire (ici\u202f: ${systemd || 'aucun'})`);
    else if (!existsSync('/run/systemd/system')) refused.push('systemd n’a pas démarré cette machine');
    const port = Number(setting('PORT') || 3000);
    if (active() === '' && !(await isFree(port, '127.0.0.1')))
      refused.push(
        `le port ${port} est pris par un autre programme\u202f: arrêtez-le, ou ajoutez PORT=3010 à cette commande`,
      );
    const nginx = asked(['sh', '-c', 'nginx -v 2>&1']);
    if (!hasOtherProxy && nginx === undefined)
      for (const one of [80, 443])
        if (!(await isFree(one)))
          refused.push(
            `le port ${one} est pris par un autre relais que nginx\u202f: arrêtez-le, ou --sans-nginx`,
          );
    if (!hasOtherProxy && nginx !== undefined && asked(['nginx', '-t']) === undefined)
      refused.push('les réglages que nginx a déjà sont faux\u202f: « nginx -t » dit lesquels');
  }
  const memory = totalmem() / GB;
  if (memory < 0.9) refused.push(`1 Go de mémoire au moins est nécessaire (ici\u202f: ${memory.toFixed(1)})`);
  else if (memory < 3.5)
    told.push(`${memory.toFixed(1)} Go de mémoire\u202f: il en faut 4 pour les photos d’un été`);
  for (const [path, least, good] of /** @type {const} */ ([
    ['/opt', 1, 1],
    ['/var/lib/passerelle', 1, 10],
  ])) {
    const free = freeOf(path) / GB;
    if (free < least)
      refused.push(`${path}\u202f: il faut ${least} Go libre au moins (ici\u202f: ${free.toFixed(1)})`);
    else if (free < good)
      told.push(`${path}\u202f: ${free.toFixed(1)} Go libres\u202f; comptez 10 Go pour 3\u202f000 photos`);
  }
  if (isIP(url.hostname) === 0 && url.hostname !== 'localhost') {
    const leads = await addressesOf(url.hostname);
    if (leads.length === 0)
      told.push(`le nom ${url.hostname} ne mène encore nulle part\u202f: faites-le mener ici (DNS)`);
    else if (!leads.some((one) => ownAddresses().includes(one)))
      told.push(
        `le nom ${url.hostname} mène à ${leads.join(', ')}, qui n’est pas une adresse de cette machine`,
      );
  }
  if (url.protocol === 'http:')
    told.push(
      `${url.origin} est en clair\u202f: pour regarder. Pour servir, donnez un nom\u202f: ./install PUBLIC_URL=https://…`,
    );
  return { refused, told };
}

/* What is done: a sentence, whether it is done already, and how. */

/** @typedef {{ say: string, isDone?: () => boolean, run: () => unknown }} Step */

/** Files whose place holds something else than this or the former version would have put there. @type {string[]} */
const aside = [];

/** A file of deploy/ in its place; one that somebody changed stays, and the new one is laid beside it. @param {string} path @param {string} text @param {string} former @param {number} mode @returns {Step} */
function file(path, text, former, mode = 0o644) {
  const found = textOf(at(path));
  const isChanged = found !== '' && found !== former && found !== text;
  const to = isChanged ? `${path}.nouveau` : path;
  if (isChanged) aside.push(path);
  return {
    say: `écrit ${to}`,
    isDone: () => textOf(at(to)) === text,
    run() {
      mkdirSync(dirname(at(to)), { recursive: true });
      writeFileSync(at(to), text, { mode });
    },
  };
}

/** @param {string} path @param {number} mode @param {boolean} isOwn of the account @returns {Step} */
const folder = (path, mode, isOwn) => ({
  say: `crée ${path}`,
  isDone: () => existsSync(at(path)),
  run() {
    mkdirSync(at(path), { recursive: true, mode });
    if (isOwn) run(['chown', 'passerelle:passerelle', path]);
  },
});

/** @returns {Step[]} */
function installation() {
  const url = new URL(setting('PUBLIC_URL'));
  const certificate = `/etc/letsencrypt/live/${url.hostname}/fullchain.pem`;
  const wantsCertificate = !hasOtherProxy && url.protocol === 'https:' && !existsSync(at(certificate));
  const packages = [
    'curl',
    ...(hasOtherProxy ? [] : ['nginx']),
    ...(wantsCertificate ? ['certbot', 'python3-certbot-nginx'] : []),
  ];
  const programs = ['curl', ...(hasOtherProxy ? [] : ['nginx']), ...(wantsCertificate ? ['certbot'] : [])];
  const former = inService();
  const env = withValues(written || readFileSync(join(here, 'deploy/passerelle.env.example'), 'utf8'));
  const isUpgrade = active() !== '' && former !== at(place);
  const isNew = active() === '';
  const isSet = written === '' || written === env;
  const units = UNITS.map((name) =>
    file(`/etc/systemd/system/${name}`, readFileSync(join(here, 'deploy', name), 'utf8'), formerly(name)),
  );
  const areUnitsNew = units.some(({ isDone }) => !isDone?.());
  const site = file(
    SITE,
    forAddress(readFileSync(join(here, 'deploy/nginx.conf'), 'utf8'), url.href, setting('PORT')),
    forAddress(formerly('nginx.conf'), valueIn(written, 'PUBLIC_URL') || url.href, valueIn(written, 'PORT')),
  );
  return [
    {
      say: `installe de Debian\u202f: ${packages.join(', ')}`,
      isDone: () =>
        prefix !== '' || programs.every((name) => asked(['sh', '-c', `command -v ${name}`]) !== undefined),
      run() {
        run(['apt-get', 'update', '-qq']);
        run(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages]);
      },
    },
    {
      say: 'crée le compte passerelle, qui ne peut pas ouvrir de session',
      isDone: () => prefix !== '' || asked(['id', 'passerelle']) !== undefined,
      run: () =>
        run([
          'useradd',
          '--system',
          '--user-group',
          '--no-create-home',
          '--shell',
          '/usr/sbin/nologin',
          'passerelle',
        ]),
    },
    {
      say: `copie cette version dans ${place}`,
      isDone: () => existsSync(at(place)),
      run() {
        mkdirSync(at('/opt'), { recursive: true });
        const part = `${at(place)}.part`;
        rmSync(part, { recursive: true, force: true });
        execFileSync('cp', ['-r', '--preserve=mode,timestamps,links', here, part]);
        renameSync(part, at(place));
      },
    },
    {
      ...file(ENV, env, written, 0o600),
      say: `${written === '' ? 'écrit' : 'change'} ${ENV}${written === '' ? ` (${Object.keys(values).join(', ')})` : ''}`,
    },
    folder('/srv/sauvegardes', 0o700, true),
    ...units,
    file(
      '/usr/local/bin/passerelle',
      readFileSync(join(here, 'deploy/passerelle'), 'utf8'),
      formerly('passerelle'),
      0o755,
    ),
    {
      say: 'fait relire ses unités à systemd',
      isDone: () => !areUnitsNew,
      run: () => run(['systemctl', 'daemon-reload']),
    },
    {
      say: 'sauvegarde le site',
      isDone: () => !isUpgrade,
      run: () => run(['systemctl', 'start', 'passerelle-backup']),
    },
    {
      say: `met ${version} à la place de ${former ? basename(former) : ''}, et revient à l’ancienne si elle ne démarre pas`,
      isDone: () => !isUpgrade,
      run: () => run([join(place, 'deploy/upgrade'), place]),
    },
    {
      say: `fait mener ${link} à cette version, met en marche passerelle et la sauvegarde de chaque nuit`,
      isDone: () => !isNew || (prefix !== '' && former === at(place)),
      async run() {
        rmSync(at(link), { force: true });
        symlinkSync(basename(place), at(link));
        run(['systemctl', 'enable', '--now', 'passerelle-backup.timer']);
        run(['systemctl', 'enable', 'passerelle']);
        run(['systemctl', 'restart', 'passerelle']);
      },
    },
    {
      say: 'redémarre le site, dont les réglages ont changé',
      isDone: () => isNew || isUpgrade || isSet,
      run: () =>
        run([
          'systemctl',
          'restart',
          ...active()
            .split('\n')
            .map((line) => line.split(' ')[0] ?? ''),
        ]),
    },
    {
      say: 'attend que le site soit prêt',
      isDone: () => prefix !== '' || (!isNew && !isUpgrade && isSet),
      run: () => ready(),
    },
    {
      say: 'fait une première sauvegarde',
      isDone: () => prefix !== '' || !isNew,
      run: () => run(['systemctl', 'start', 'passerelle-backup']),
    },
    {
      say: `demande un certificat pour ${url.hostname} à Let’s Encrypt, ce qui en accepte les conditions (certbot)`,
      isDone: () => prefix !== '' || !wantsCertificate,
      run() {
        const options = ['--nginx', '-n', '--agree-tos', '--register-unsafely-without-email'];
        const hook = ['--deploy-hook', 'systemctl reload nginx'];
        try {
          run(['certbot', 'certonly', ...options, '-d', url.hostname, ...hook]);
        } catch (error) {
          const next =
            'Le site tourne\u202f; il lui manque ce certificat. Faites mener le nom ici, puis retapez ./install.';
          throw new Stop(`${/** @type {Error} */ (error).message}\n${next}`);
        }
      },
    },
    ...(hasOtherProxy
      ? []
      : [
          {
            ...site,
            say: `${site.say} et recharge nginx`,
            async run() {
              await site.run();
              try {
                run(['nginx', '-t']);
              } catch (error) {
                rmSync(at(SITE));
                throw error;
              }
              run(['systemctl', 'enable', 'nginx']);
              run(['systemctl', 'reload-or-restart', 'nginx']);
            },
          },
        ]),
  ];
}

/** @returns {Step[]} */
function removal() {
  const running = active()
    .split('\n')
    .flatMap((line) => line.split(' ')[0] || []);
  const folders = (existsSync(at('/opt')) ? readdirSync(at('/opt')) : [])
    .filter((name) => name.startsWith('passerelle-') && existsSync(join(at('/opt'), name, 'RELEASE')))
    .map((name) => `/opt/${name}`);
  const files = [...UNITS.map((name) => `/etc/systemd/system/${name}`), '/usr/local/bin/passerelle'];
  const gone = (/** @type {string} */ path) => !existsSync(at(path));
  return [
    {
      say: 'arrête le site et sa sauvegarde de chaque nuit',
      isDone: () => prefix !== '' || gone(files[0] ?? ''),
      run: () =>
        run([
          'systemctl',
          'disable',
          '--now',
          ...new Set(['passerelle.service', 'passerelle-backup.timer', ...running]),
        ]),
    },
    {
      say: `retire ses unités et la commande passerelle`,
      isDone: () => files.every(gone),
      run() {
        for (const path of files) rmSync(at(path), { force: true });
        run(['systemctl', 'daemon-reload']);
      },
    },
    {
      say: `met ${SITE} de côté (passerelle.conf.avant) et recharge nginx`,
      isDone: () => gone(SITE),
      run() {
        renameSync(at(SITE), at(`${SITE}.avant`));
        run(['systemctl', 'reload', 'nginx']);
      },
    },
    {
      say: `retire ${[link, ...folders, '/var/cache/passerelle'].join(', ')}`,
      isDone: () => [link, ...folders, '/var/cache/passerelle'].every(gone),
      run() {
        for (const path of [link, ...folders, '/var/cache/passerelle'])
          rmSync(at(path), { recursive: true, force: true });
      },
    },
  ];
}

async function ready() {
  const url = `http://${setting('HOST') || '127.0.0.1'}:${setting('PORT') || 3000}/readyz`;
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(url).then(
      (got) => got.text(),
      () => '',
    );
    if (answer === 'ok') return;
    await pause(200);
  }
  throw new Stop(
    `Le site n’est pas devenu prêt\u202f:\n${asked(['journalctl', '-u', 'passerelle', '-n', '10', '-o', 'cat']) ?? ''}`,
  );
}

/** The status of the first page as a visitor of this machine gets it. @param {URL} url */
const firstPage = (url) =>
  new Promise((done) => {
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const options = {
      host: '127.0.0.1',
      port: url.port || undefined,
      servername: url.hostname,
      headers: { host: url.host },
    };
    // Whether its certificate is trusted, browsers say.
    Object.assign(options, { rejectUnauthorized: false });
    request({ ...options, path: '/', timeout: 10_000 }, (answer) => {
      done(answer.statusCode);
      answer.destroy();
    })
      .once('error', (error) => done(error.message))
      .end();
  });

/** Says what will be done, asks, and does it; false where there is nothing to do. @param {Step[]} steps @param {string} title */
async function go(steps, title) {
  const todo = steps.filter(({ isDone }) => !isDone?.());
  if (todo.length === 0) return false;
  say(title);
  for (const { say: what } of todo) say(`  - ${what}`);
  if (isTrial) return false;
  if (!/^o/i.test(await ask('On y va\u202f? (oui ou non)', 'oui'))) throw new Stop('Rien n’a été fait.');
  for (const { say: what, run: work } of todo) {
    const start = performance.now();
    await work();
    say(`fait  ${what} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  }
  return true;
}

async function install() {
  if (version === '')
    throw new Stop('Ce dossier n’est pas une archive du site\u202f: « npm run release » en fait une.');
  say(`Passerelle ${version} (${machine})`);
  const isFirst = written === '';
  if (isFirst && values.PUBLIC_URL === undefined)
    values.PUBLIC_URL = (
      await ask('À quelle adresse les gens ouvrent-ils le site\u202f?', await likelyAddress())
    ).replace(/\/+$/, '');
  if (!URL.canParse(setting('PUBLIC_URL')) || !/^https?:$/.test(new URL(setting('PUBLIC_URL')).protocol))
    throw new Stop(`« ${setting('PUBLIC_URL')} » n’est pas une adresse complète (https://…).`);
  if (isFirst && values.SMTP_URL === undefined)
    values.SMTP_URL = await ask(
      'Serveur d’e-mail (smtps://compte:motdepasse@serveur:465\u202f; rien\u202f: plus tard)\u202f?',
      '',
    );
  if (isFirst && values.SMTP_URL !== '' && values.MAIL_FROM === undefined)
    values.MAIL_FROM = await ask(
      'Quelle adresse écrit\u202f?',
      `ne-pas-repondre@${new URL(setting('PUBLIC_URL')).hostname}`,
    );
  if (values.SMTP_URL === '') delete values.SMTP_URL;
  const { refused, told } = await look();
  for (const one of told) say(`à savoir\u202f: ${one}`);
  if (refused.length > 0)
    throw new Stop(['Rien n’a été fait\u202f:', ...refused.map((one) => `  - ${one}`)].join('\n'));
  const hasWorked = await go(installation(), 'Ce qui va être fait\u202f:');
  if (isTrial) return;
  if (!hasWorked) say('Tout est déjà en place.');
  for (const path of aside)
    say(
      `à comparer\u202f: ${path} a été changé à la main et reste\u202f; ce que cette version apporte est à côté (.nouveau)`,
    );
  if (prefix !== '') return;
  const found = spawnSync('/usr/local/bin/passerelle', ['doctor'], { encoding: 'utf8' });
  say(
    `${found.stdout}${found.stderr}`
      .split('\n')
      .filter((line) => !line.startsWith('ok '))
      .join('\n')
      .trimEnd(),
  );
  const url = new URL(setting('PUBLIC_URL'));
  const page = hasOtherProxy ? 200 : await firstPage(url);
  if (page !== 200) throw new Stop(`La première page ne répond pas comme elle doit (${page}).`);
  say(`Le site est ouvert\u202f: ${url.origin}/`);
  const said = isFirst ? (asked(['journalctl', '-u', 'passerelle', '-o', 'cat']) ?? '') : '';
  for (const line of said
    .split('\n')
    .filter((one) => /^(Portail|Mot de passe)/.test(one))
    .slice(-2))
    say(line);
}

async function remove() {
  if (prefix === '' && process.getuid?.() !== 0) throw new Stop('Tapez cette commande avec sudo.');
  if (!(await go(removal(), 'Ce qui va être retiré\u202f:')) && !isTrial) say('Rien n’est installé.');
  say(
    [
      'Restent les données (/var/lib/passerelle), les sauvegardes (/srv/sauvegardes), les réglages (/etc/passerelle.env),',
      'le compte passerelle et les paquets de Debian. Un nouveau ./install les reprend.',
    ].join('\n'),
  );
}

try {
  if (isHelp) say(USAGE);
  else await (isRemoval ? remove() : install());
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
