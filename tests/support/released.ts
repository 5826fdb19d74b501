import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/* Other versions than this one, as their operators run them. */

const ROOT = join(import.meta.dirname, '../..');

export interface Release {
  directory: string;
  remove(): void;
}

/** The commit that released the newest version of the changelog; undefined where this copy has no history that reaches it. */
export function findRelease(): string | undefined {
  const [, version] = /^## (\d+\.\d+\.\d+) — /m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? [];
  if (!version) throw new Error('The changelog names no released version.');
  try {
    const args = ['log', '--format=%H', '--reverse', `-S"version": "${version}"`, '--', 'package.json'];
    const [commit] = git(args).toString().split('\n');
    return commit || undefined;
  } catch {
    return undefined;
  }
}

/** Builds that version in a folder of its own, on the packages of its lockfile. */
export function buildRelease(commit: string): Release {
  return build((run) => run('tar', ['-x'], git(['archive', commit])));
}

/** Builds likewise what is here, committed or not, after a patch: as a next version would be. */
export function buildPatched(patch: string): Release {
  return build((run, directory) => {
    const names = git(['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
      .toString()
      .split('\0');
    for (const name of names.filter((one) => one && existsSync(join(ROOT, one))))
      cpSync(join(ROOT, name), join(directory, name));
    run('git', ['apply'], readFileSync(patch));
  });
}

type Run = (command: string, args: readonly string[], input?: Buffer) => void;

/** Builds what `fill` puts into a folder. */
function build(fill: (run: Run, directory: string) => void): Release {
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-release-'));
  const run: Run = (command, args, input) =>
    execFileSync(command, args, { cwd: directory, input, stdio: ['pipe', 'ignore', 'pipe'] });
  try {
    fill(run, directory);
    if (packagesOf(directory) === packagesOf(ROOT))
      symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
    else
      run('npm', [
        'ci',
        '--include=dev',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--workspaces=false',
      ]);
    const build = "const { ensureBuilt } = await import('./tools/build.mjs'); await ensureBuilt();";
    run(process.execPath, ['--input-type=module', '-e', build]);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

function git(args: readonly string[]): Buffer {
  return execFileSync('git', args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 256 * 1024 * 1024,
  });
}

/** What is installed for a version: folders of packages, and their hashes. */
function packagesOf(directory: string): string {
  const { packages } = JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8'));
  const locked = Object.entries(packages as Record<string, { integrity?: string }>);
  return JSON.stringify(locked.map(([path, { integrity }]) => [path, integrity]));
}
