import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canRunImages } from '#tests/support/image.ts';

/*
 * A day of who looks after a site, typed as the handbook has it: on a machine of its own in bubblewrap, as root, without a
 * network. Its Debian is this machine's, with folders of its own where the commands write; systemd and sudo are stand-ins, what is
 * unpacked are these sources, already built, and nginx is left out, as it has no certificate there.
 */

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8');

/** The blocks of commands of a page, each with the words before it. */
function blocksOf(page: string): { title: string; commands: string }[] {
  const parts = read(page).split(/^```sh\n/m);
  return parts.slice(1).map((part, index) => {
    const before = parts[index]?.split(/^```$/m).at(-1) ?? '';
    const titles = [...before.matchAll(/^(?:##? (.+)|\*\*(.+?)\*\*)/gm)].map(
      ([, title, bold]) => title ?? bold ?? '',
    );
    return { title: titles.at(-1) ?? '', commands: part.split(/^```$/m)[0] ?? '' };
  });
}

/** What other tests run, as it needs another site or several machines. */
const ELSEWHERE = {
  'Taking over the original site': 'tests/takeover/takeover.test.ts',
  'Moving to several servers': 'tests/operations/move.test.ts',
};

/** As a person types a block: names in the place of placeholders; a search in a log may find nothing. */
function typed(commands: string, names: Record<string, string>): string {
  return Object.entries(names)
    .reduce((text, [placeholder, name]) => text.replaceAll(placeholder, name), commands)
    .replace(/^(.*\| grep .*)$/gm, '$1 || [ $? = 1 ]');
}

/** Where the packages stand there: the folder of the sources may be closed to the account of the service. */
const PACKAGES = '/srv/node_modules';
const PICTURE = join(ROOT, 'docs/screenshots/accueil.jpg');

const NAMES = {
  NOM: 'admin',
  'install PUBLIC_URL': 'install --sans-nginx PUBLIC_URL',
  '/install\n': '/install --sans-nginx\n',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'passerelle-handbook-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script as root on a new machine; its code and all that it printed. */
function onMachine(script: string): Promise<{ code: number | null; said: string }> {
  const places = [
    '/opt',
    '/etc',
    '/var/lib',
    '/var/log',
    '/var/cache',
    '/srv',
    '/root',
    '/usr/local/bin',
    '/run',
  ];
  const at = (place: string) => join(folder, place.slice(1).replaceAll('/', '-'));
  for (const place of places) {
    mkdirSync(at(place));
    chmodSync(at(place), 0o755);
  }
  cpSync('/etc', at('/etc'), { recursive: true, verbatimSymlinks: true });
  const program = (name: string, text: string) => {
    writeFileSync(join(at('/usr/local/bin'), name), text);
    chmodSync(join(at('/usr/local/bin'), name), 0o755);
  };
  program('sudo', '#!/bin/sh\nexec "$@"\n');
  // Of the sources as they are here, as an archive of the version that is named.
  program('sha256sum', '#!/bin/sh\n');
  program(
    'tar',
    `#!/bin/sh\nto=$(basename "$2" .tar.gz)\nmkdir "$to"\ncd ${ROOT}\n/usr/bin/tar -c --exclude=./node_modules --exclude=./.git --exclude=./test-results . | /usr/bin/tar -x --no-same-owner -C "$OLDPWD/$to"\ncd "$OLDPWD/$to"\nchmod -R a+rX .\nln -s deploy/install install\nln -s ${PACKAGES} node_modules\nname=\${to#passerelle-}\necho "\${name%%-*} linux" > RELEASE\n`,
  );
  for (const name of ['systemctl', 'journalctl'])
    program(name, `#!/bin/sh\nexec ${process.execPath} ${ROOT}/tests/support/service.mjs ${name} "$@"\n`);
  const machine = [
    ...['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...places.flatMap((place) => ['--bind', at(place), place]),
    ...['--ro-bind', ROOT, ROOT],
    ...['--ro-bind', join(ROOT, 'node_modules'), PACKAGES],
    ...[
      '--unshare-pid',
      '--unshare-net',
      '--unshare-ipc',
      '--unshare-uts',
      '--die-with-parent',
      '--cap-add',
      'ALL',
    ],
    ...['--chdir', '/root', '--clearenv', '--setenv', 'PATH', '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
  ];
  const child = spawn('bwrap', [...machine, '/bin/sh', '-eu'], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(script);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, said })));
}

/** Waits until the site is ready, as the person does who looks at it. */
const READY = 'until [ "$(curl -s http://127.0.0.1:3000/readyz)" = ok ]; do sleep 0.1; done';
const heading = (text: string) => `echo '=== ${text}'`;

describe.runIf(canRunImages())('Each command of the handbook, typed as it stands', () => {
  const pages = ['install.md', 'upgrade.md', 'operations.md', 'incidents.md', 'reference.md'].flatMap(
    blocksOf,
  );
  const typedTitles = new Set<string>(Object.keys(ELSEWHERE));
  /** What is typed for the block under a title; the exact title, or how it begins. */
  const block = (title: string, names: Record<string, string> = {}) => {
    const found =
      pages.find((one) => one.title === title) ?? pages.find((one) => one.title.startsWith(title));
    if (!found) throw new Error(`The pages have no commands under « ${title} ».`);
    typedTitles.add(found.title);
    return `${heading(found.title)}\n${typed(found.commands, { ...NAMES, ...names })}`;
  };
  let said: string;

  beforeAll(async () => {
    const machine = await onMachine(`
exec 2>&1
mkdir -p /run/systemd/system
${block('Three commands', { VERSION: 'premiere' })}
${block('Commands')}
# Something to lose: a stay, a news with its picture, and a second account.
site=http://127.0.0.1:3000
password=$(journalctl -u passerelle | sed -n 's/^Mot de passe.*: //p')
field() { grep -o '"'"$1"'":"[^"]*"' | head -1 | cut -d '"' -f 4; }
json='content-type: application/json'
token=$(curl -s $site/api/api/loginAdmin -H "$json" -d '{"username":"admin","password":"'"$password"'"}' | field tokenAdmin)
as="authorization: Bearer $token"
curl -sf $site/api/api/stages -H "$as" -H "$json" -d '{"nom_stage":"La mer","date_debut":"2026-07-01","date_fin":"2026-07-14"}' > /dev/null
curl -sf $site/api/api/contact -H "$json" -d '{"nom":"Zoé","email":"zoe@exemple.fr","message":"Bonjour"}' > /dev/null
curl -sf $site/api/api/actualites -H "$as" -F titre=Bonjour -F description=Texte -F date=2026-06-20 -F image=@${PICTURE} > /dev/null
picture() { curl -sf "$site/api/images_stages/$(curl -sf $site/api/api/actualites | field image_url)" -o "$1"; }
picture /root/picture
sudo passerelle admin create Zoé
${block('Upgrade', { VERSION: 'deuxieme' })}
readlink /opt/passerelle
${block('Back to an earlier version', { BEFORE: 'premiere' })}
${block('Take it away')}
sudo passerelle-deuxieme-linux-x64/install --sans-nginx
picture /tmp/picture && cmp /tmp/picture /root/picture
systemctl start passerelle-backup
${block('Backups')}
${block('Incidents')}
${block('The disk is full')}
${block('The bucket does not answer')}
${READY}
${block('The site does not start')}
${block('The last backup is too old')}
# Of the picture of the news only the beginning is left.
truncate -s 20k "$(find /var/lib/passerelle/files/images_stages -type f ! -name '*-*')"
${block('Files are damaged or lost')}
picture /tmp/picture && cmp /tmp/picture /root/picture
# All is lost, but for what lies in other places.
cp /var/lib/passerelle/secret.key /var/lib/passerelle/effacements.jsonl /root/
rm -r /var/lib/passerelle/passerelle.db* /var/lib/passerelle/files
${block('All is lost')}
${READY}
picture /tmp/picture && cmp /tmp/picture /root/picture
${block('Nobody gets into the portal')}
${block('A telephone or a computer is stolen', { ' 12': ' 1' })}
noted=$(sudo passerelle journal verifier | sed -n 's/.* n° \\([0-9]*\\), maillon /\\1 /p')
${block('Accounts and the journal', { 'NUMÉRO MAILLON': '$noted' })}
${block('Personal data', { 'effacer ADRESSE': 'effacer ADRESSE --oui', ADRESSE: 'zoe@exemple.fr' })}
cat /root/donnees.json
${block('Leaving, with everything')}
${block('The secret key')}
${READY}
sudo passerelle doctor
${heading('Fin')}
`);
    expect(machine.code, machine.said).toBe(0);
    said = machine.said;
  });

  /** What was printed under a heading. */
  const under = (title: string) =>
    said.split(heading('').slice(6, -1)).find((part) => part.startsWith(title)) ?? '';

  test('is one that this test types, or another one', () => {
    expect(pages.map(({ title }) => title).filter((title) => !typedTitles.has(title))).toEqual([]);
    for (const file of Object.values(ELSEWHERE)) expect(existsSync(join(ROOT, file))).toBe(true);
  });

  test('leads from an empty machine to a site, to a newer version of it, and back from a lost disk', () => {
    expect(under('Three commands')).toMatch(/\nMot de passe, affiché cette seule fois\u202f: \S+\n$/);
    expect(under('Commands')).toContain('admin\tjamais connecté');
    expect(under('Upgrade')).toMatch(/Le site est ouvert.*\n\/opt\/passerelle-deuxieme\n$/);
    expect(under('Back to an')).toContain('en service sur /opt/passerelle-premiere\n');
    expect(under('Take it away')).toContain('Restent les données');
    expect(under('Backups').match(/: intacte\./g)).toHaveLength(5);
    expect(under('Incidents')).toMatch(/^.*\nok/);
    expect(under('Incidents')).toMatch(/ 0 à traiter/);
    expect(under('Files are damaged')).toContain('Fichiers remis\u202f: 1.');
    expect(under('All is lost')).toContain('est restaurée');
    expect(under('Nobody gets into')).toContain('Zoé');
    expect(under('Nobody gets into')).toContain('affiché cette seule fois');
    expect(under('Accounts').match(/^Lignes intactes/gm)).toHaveLength(2);
    expect(under('Personal data')).toContain('Bonjour');
    expect(under('Personal data')).toContain('C’est effacé définitivement.');
    expect(under('Leaving')).toContain('/srv/export/site\u202f: ');
    expect(under('The secret key')).toContain('secret.key est la nouvelle');
    expect(under('The secret key')).toMatch(/ 0 à traiter/);
  });
});
