// npm run sbom: what the product is made of, as sbom/passerelle.cdx.json (CycloneDX) and sbom/licences.txt.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockedPackages } from './dependencies.mjs';
import { root } from './files.mjs';
import { npm } from './install.mjs';
import { main } from './process.mjs';

/** The list of npm, of the lockfile alone; without the name of the folder that the sources happen to lie in. */
function bill() {
  const [file = 'npm', ...args] = npm();
  const options = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--loglevel=error'];
  const bill = JSON.parse(
    execFileSync(file, [...args, ...options], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
  );
  bill.metadata.component.name = 'passerelle';
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function licences() {
  const lines = lockedPackages().map(
    ({ name, version, licence, dev }) => `${name}\t${version}\t${licence}\t${dev ? 'construction' : 'site'}`,
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
