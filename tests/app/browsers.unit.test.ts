import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isOlder } from '#platform/shared/served.ts';
import { SERVED, target } from '#tools/browsers.mjs';
import { eventsIn, gapsOfStyles, writeTypes } from '#tools/compat.mjs';

/* One list says which browsers are served: of package.json. */

const { browserslist } = JSON.parse(readFileSync('package.json', 'utf8')) as { browserslist: string[] };

test('the build aims at the browsers of the list', () => {
  expect(SERVED).toMatchObject({ safari: '16.4', ios_saf: '16.4' });
  expect(target).toContain('ios16.4');
  expect(target).toHaveLength(browserslist.length);
});

describe('what says that it is older than the list', () => {
  const IPHONE =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
  const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)';
  const older = (userAgent: string) => isOlder(userAgent, browserslist);
  test.each([
    ['Safari on an iPhone', `${IPHONE} Version/16.4 Mobile/15E148 Safari/604.1`, '16_4', '16_3'],
    ['Chrome on an iPhone', `${IPHONE} CriOS/145.0.7632.0 Mobile/15E148 Safari/604.1`, '16_4', '15_8'],
    ['the browser in another app', `${IPHONE} Mobile/15E148 [FBAN/FBIOS]`, '16_4', '12_5'],
    ['Safari on a Mac', `${MAC} Version/16.4 Safari/605.1.15`, '16.4', '16.3'],
    ['Safari on an iPad', `${MAC} Version/17.0 Safari/605.1.15`, '17.0', '15.6'],
    ['Chrome', `${WINDOWS} Chrome/131.0.0.0 Safari/537.36`, '131', '130'],
    ['Chrome on Android', `${ANDROID} Chrome/140.0.0.0 Mobile Safari/537.36`, '140', '99'],
    ['Edge', `${WINDOWS} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`, 'Edg/131', 'Edg/130'],
    ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', '140.0', '128.0'],
  ])('%s', (_, userAgent, served, before) => {
    expect(older(userAgent)).toBe(false);
    expect(older(userAgent.replaceAll(served, before))).toBe(true);
  });

  test('is not what has another name', () => {
    for (const userAgent of ['', 'curl/8.5.0', 'Mozilla/5.0 (compatible; Googlebot/2.1)'])
      expect(older(userAgent)).toBe(false);
  });
});

test('what tells them is written as they can read it', () => {
  for (const file of ['app/web/boot.ts', 'platform/shared/served.ts']) {
    const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    expect(code, file).not.toMatch(/\?\.|\?\?/);
  }
});

describe('what some browser of the list lacks is found', () => {
  test('among names of scripts, which may then be missing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'passerelle-types-'));
    try {
      writeTypes(relative('.', folder));
      const text = (name: string) => readFileSync(join(folder, `lib.${name}.d.ts`), 'utf8');
      expect(text('es2024.collection')).toContain('groupBy?<K, T>(');
      expect(text('es2024.promise')).toContain('withResolvers?<T>(');
      expect(text('es2023.array')).toContain('toSorted(');
      for (const member of ['canParse?(', 'estimate?(', 'share?(', 'requestIdleCallback?(', 'onscrollend?:'])
        expect(text('dom')).toContain(`    ${member}`);
      expect(text('dom')).toContain('declare var requestIdleCallback: ((callback');
      expect(text('dom')).toMatch(/declare function fetch\(/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('among events, unless a file asks for them', () => {
    const awaits = "list.addEventListener('scrollend', settle);";
    expect(eventsIn({ 'a.tsx': `<ul onScrollEnd={settle}>`, 'b.ts': `\n${awaits}` })).toEqual([
      'a.tsx:1: scrollend',
      'b.ts:2: scrollend',
    ]);
    expect(
      eventsIn({ 'a.ts': `if ('onscrollend' in window) ${awaits}`, 'b.tsx': '<p onWheel={go}>' }),
    ).toEqual([]);
  });

  test('among styles', () => {
    expect(gapsOfStyles('a { anchor-name: --b; color: red; cursor: grab }')).toEqual(['anchor-name']);
    expect(gapsOfStyles('@starting-style { a { opacity: 0 } }')).toEqual(['@starting-style']);
    expect(gapsOfStyles('a:has(b)::details-content { display: grid }')).toEqual([]);
  });
});
