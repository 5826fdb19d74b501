import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashesBelow, only, openSuccesses } from '#tools/unchanged.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'passerelle-check-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
};

describe('what has not changed since a check succeeded', () => {
  const kept = () => join(folder, 'cache/successes.json');
  const open = (circumstances = 'these tools') => openSuccesses(kept(), circumstances);

  it('is not looked at again; what is changed, new or gone is', () => {
    write('src/a.ts', 'a');
    write('src/b.ts', 'b');
    const before = only(hashesBelow(folder), /^src\//);
    expect(open().changed('lint', before)).toEqual(['src/a.ts', 'src/b.ts']);
    open().keep('lint', before);
    expect(open().changed('lint', before)).toEqual([]);
    expect(open().changed('types', before)).toEqual(['src/a.ts', 'src/b.ts']);

    write('src/b.ts', 'different');
    write('src/c.ts', 'c');
    rmSync(join(folder, 'src/a.ts'));
    expect(
      open()
        .changed('lint', only(hashesBelow(folder), /^src\//))
        .sort(),
    ).toEqual(['src/a.ts', 'src/b.ts', 'src/c.ts']);
  });

  it('is looked at again until it succeeds, and under other tools or settings', () => {
    write('src/a.ts', 'a');
    const files = only(hashesBelow(folder), /^src\//);
    expect(open().changed('lint', files)).toEqual(['src/a.ts']);
    // It failed: nothing is kept.
    expect(open().changed('lint', files)).toEqual(['src/a.ts']);
    open().keep('lint', files);
    expect(open('other tools').changed('lint', files)).toEqual(['src/a.ts']);
  });

  it('does not count what .gitignore names', () => {
    write('.gitignore', 'data/\n/report/\n*.log\ndeploy/.env\n');
    for (const path of ['data/x', 'a/data/x', 'report/x', 'x.log', 'deploy/.env', '.git/x']) write(path, '');
    for (const path of ['a/report/x', 'deploy/.environment', 'x.logs']) write(path, '');
    expect(Object.keys(hashesBelow(folder)).sort()).toEqual([
      '.gitignore',
      'a/report/x',
      'deploy/.environment',
      'x.logs',
    ]);
  });
});
