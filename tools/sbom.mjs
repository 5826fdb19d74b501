// npm run sbom: what a site is made of and built by, as sbom/passerelle.cdx.json (CycloneDX) and sbom/licences.txt.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockedPackages, manifestsFor } from './dependencies.mjs';
import { root } from './files.mjs';
import { npm } from './install.mjs';
import { main } from './process.mjs';

/** npm's list of a lockfile, without the name of the folder that it happens to lie in, the moment and the number of the list. */
function bill() {
  const { manifest, lock } = manifestsFor('site');
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-sbom-'));
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    const [file = 'npm', ...args] = npm();
    const options = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--loglevel=error'];
    const command = [...args, ...options];
    const text = execFileSync(file, command, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    const { serialNumber: _serial, ...list } = JSON.parse(text);
    delete list.metadata.timestamp;
    list.metadata.component.name = manifest.name;
    return `${JSON.stringify(list, null, 2)}\n`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function licences() {
  const { lock } = manifestsFor('site');
  const lines = lockedPackages()
    .filter(({ path }) => path in lock.packages)
    .map(
      ({ name, version, licence, dev }) =>
        `${name}\t${version}\t${licence}\t${dev ? 'construction' : 'site'}`,
    );
  return `${['paquet\tversion\tlicence\tsert à', ...new Set(lines)].join('\n')}\n`;
}

await main(async () => {
  const directory = join(root, 'sbom');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'passerelle.cdx.json'), bill());
  writeFileSync(join(directory, 'licences.txt'), licences());
  process.stdout.write('Écrits\u202f: sbom/passerelle.cdx.json et sbom/licences.txt\n');
});
