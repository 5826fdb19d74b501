// What pages use of browsers, held against those that the site serves (tools/browsers.mjs) by MDN's data. What one of them
// lacks, scripts may use after a test; of styles it has to be named in DONE_WITHOUT.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import bcd from '@mdn/browser-compat-data' with { type: 'json' };
import postcss from 'postcss';
import { SERVED, target } from './browsers.mjs';
import { root } from './files.mjs';

/** @typedef {import('@mdn/browser-compat-data').Identifier} Node  @typedef {import('@mdn/browser-compat-data').CompatStatement} Compat */

/** What the list names, in MDN's words. @type {Record<string, import('@mdn/browser-compat-data').BrowserName[]>} */
const BROWSERS = {
  chrome: ['chrome', 'chrome_android'],
  edge: ['edge'],
  firefox: ['firefox', 'firefox_android'],
  ios_saf: ['safari_ios'],
  safari: ['safari'],
};

/** Of styles, what some browsers lack and a page does well without: properties, selectors, rules and their conditions. */
const DONE_WITHOUT = new Set([
  // What only a mouse has.
  ...['cursor', 'resize'],
  // Paper, and colours that the system forces.
  ...['@page', 'size', 'break-after', 'forced-color-adjust'],
  // Lines of titles, edges, one font of several.
  ...['text-wrap', 'text-decoration', 'scrollbar-width', 'overflow-clip-margin', 'font-family'],
  // Work that is saved, and what stays in sight or in order meanwhile.
  ...['content-visibility', 'contain-intrinsic-size', 'overflow-anchor', 'reading-flow'],
  // Movement from page to page.
  ...['group', 'image-pair', 'new', 'old'].map((name) => `:view-transition-${name}`),
  // Of a list of selectors for each of which there is another.
  ...[':open', ':popover-open', ':details-content'],
  // Browsers that run scripts and do not say so.
  '@media (scripting)',
]);

/** @param {string} version as 16.4, ≤79 or preview */
function numberOf(version) {
  const [, major = 'Infinity', minor = '0'] = /^≤?(\d+)(?:\.(\d+))?/.exec(version) ?? [];
  return 1_000 * Number(major) + Number(minor);
}

/**
 * The browsers, in the oldest version that counts, that lack something; none where MDN does not know it.
 * @param {Compat | undefined} compat @param {boolean} mayPrefix @param {Record<string, string>} [oldest] by name
 */
function browsersWithout(compat, mayPrefix, oldest = SERVED) {
  return Object.entries(oldest).flatMap(([name, version]) =>
    (BROWSERS[name] ?? []).filter((browser) => {
      const statements = [compat?.support[browser] ?? []].flat();
      const counts = numberOf(version);
      const has = statements.some(
        ({ version_added, version_removed, flags, prefix, alternative_name }) =>
          typeof version_added === 'string' &&
          numberOf(version_added) <= counts &&
          !(typeof version_removed === 'string' && numberOf(version_removed) <= counts) &&
          !flags &&
          (mayPrefix || !(prefix || alternative_name)),
      );
      return statements.length > 0 && !has;
    }),
  );
}

/** Whether some browser lacks it. @param {Compat | undefined} compat @param {{ mayPrefix?: boolean }} [options] for styles, which are built with prefixes */
const isLacking = (compat, { mayPrefix = false } = {}) => browsersWithout(compat, mayPrefix).length > 0;

/* Names of scripts, by the declarations that TypeScript has of them. */

const LIBRARIES = join(root, `node_modules/@typescript/typescript-${process.platform}-${process.arch}/lib`);

/** The files of declarations that one asks for, with those that they refer to. @param {string[]} names as es2024, dom */
function librariesOf(names) {
  const found = new Set(names);
  /** @type {Map<string, string>} */
  const texts = new Map();
  for (const name of found) {
    const text = readFileSync(join(LIBRARIES, `lib.${name}.d.ts`), 'utf8');
    texts.set(name, text);
    for (const [, other = ''] of text.matchAll(/^\/\/\/ <reference lib="([\w.]+)"/gm)) found.add(other);
  }
  return texts;
}

/** What a browser has by itself. @type {(name: string) => Node | undefined} */
const ownNode = (name) => {
  const { api, javascript } = bcd;
  const { builtins } = /** @type {Record<string, any>} */ (javascript);
  return api[name] ?? builtins[name] ?? builtins[name.replace(/Constructor$/, '')] ?? builtins.Intl[name];
};

/** Interfaces by one that they extend: of several, MDN knows only what has them. @param {Iterable<string>} texts */
function heirsOf(texts) {
  /** @type {Map<string, string[]>} */
  const heirs = new Map();
  for (const text of texts)
    for (const [, name = '', parents = ''] of text.matchAll(/^interface (\w+)(?:<.*>)? extends (.+) \{$/gm))
      for (const [parent] of parents.matchAll(/\w+/g))
        heirs.set(parent, [...(heirs.get(parent) ?? []), name]);
  return heirs;
}

/**
 * Declarations in which may be missing what one of the browsers lacks: the compiler then asks for a test before its use.
 * @param {string} text @param {Map<string, string[]>} heirs
 */
function withGaps(text, heirs) {
  /** @type {(name: string) => Node[]} */
  const nodesOf = (name) => {
    const own = ownNode(name);
    return own ? [own] : (heirs.get(name) ?? []).flatMap(nodesOf);
  };
  /** @param {Node[]} nodes @param {string} name */
  const isGap = (nodes, name) => {
    const found = nodes
      .filter(({ __compat }) => !isLacking(__compat))
      .map((node) => node[name] ?? node[`${name}_static`] ?? node[name.replace(/^on(\w+)$/, '$1_event')])
      .flatMap((node) => node?.__compat ?? []);
    return found.length > 0 && found.every((compat) => isLacking(compat));
  };
  const globals = nodesOf('Window').concat(bcd.api);
  /** @type {{ end: RegExp, indent: string, nodes: Node[], isMissing: boolean } | undefined} */
  let owner;
  const lines = text.split('\n').map((line) => {
    const [, indent = '', , word = '', name] =
      /^(\s*)(declare )?(interface|var) (\w+)(?:<.*>)?(?: extends .+)?:? \{$/.exec(line) ?? [];
    if (name) {
      const nodes = nodesOf(name);
      const isMissing = word === 'var' && nodes.some(({ __compat }) => isLacking(__compat));
      owner = { end: new RegExp(`^${indent}\\};?$`), indent: `${indent}    `, nodes, isMissing };
      return line;
    }
    if (owner?.end.test(line)) {
      const { isMissing } = owner;
      owner = undefined;
      return isMissing ? line.replace('}', '} | undefined') : line;
    }
    if (owner) {
      const [start = '', member = ''] = /^\s+(?:readonly )?(\w+)(?=[(<:])/.exec(line) ?? [];
      const isMember = start.startsWith(owner.indent) && start[owner.indent.length] !== ' ';
      return isMember && isGap(owner.nodes, member) ? `${start}?${line.slice(start.length)}` : line;
    }
    const [, called, type = ''] = /^declare function (\w+)(.*);$/.exec(line) ?? [];
    if (called && isGap(globals, called))
      return `declare var ${called}: (${type.replace(/\): (?=[^)]*$)/, ') => ')}) | undefined;`;
    return line;
  });
  return lines.filter((line) => !line.startsWith('/// <reference')).join('\n');
}

/**
 * Writes them to a folder, with the settings by which the compiler reads what browsers run against them.
 * @param {string} folder below the repository @returns {string} the settings
 */
export function writeTypes(folder) {
  mkdirSync(join(root, folder), { recursive: true });
  const [, asked = ''] = /"lib": \[(.*)\]/.exec(readFileSync(join(root, 'tsconfig.web.json'), 'utf8')) ?? [];
  const texts = librariesOf(asked.match(/[\w.]+/g) ?? []);
  const heirs = heirsOf(texts.values());
  const files = [...texts].map(([name, text]) => {
    const file = `lib.${name}.d.ts`;
    writeFileSync(join(root, folder, file), withGaps(text, heirs));
    return file;
  });
  const settings = `${folder}/tsconfig.json`;
  const base = relative(join(root, folder), join(root, 'tsconfig.web.json'));
  writeFileSync(
    join(root, settings),
    JSON.stringify({ extends: base, compilerOptions: { lib: null, noLib: true }, files }),
  );
  return settings;
}

/** A script that takes from its page what Safari has had only since a version, so that a later one plays it. @param {string} version */
export function scriptBefore(version) {
  const { builtins } = /** @type {Record<string, any>} */ (bcd.javascript);
  /** @param {Compat | undefined} compat @param {string} safari */
  const isIn = (compat, safari) => browsersWithout(compat, false, { safari }).length === 0;
  const owners = Object.entries({ ...bcd.api, ...builtins, globalThis: { ...bcd.api, ...builtins } });
  const gone = owners.flatMap(([owner, members]) =>
    Object.entries(members)
      .filter(([, { __compat }]) => isIn(__compat, '999') && !isIn(__compat, version))
      .map(([member]) => [owner, member.replace(/_static$/, '')]),
  );
  return `for (const [owner, member] of ${JSON.stringify(gone)}) {
    const { [owner]: it } = globalThis;
    for (const has of [it, it?.prototype]) if (has) Reflect.deleteProperty(has, member);
  }`;
}

/* Names of events. */

/** Of one browser, on a computer and on a phone: no computer tells of touches, no phone of a wheel. @type {string[][]} */
const ALIKE = [
  ['chrome', 'chrome_android'],
  ['edge'],
  ['firefox', 'firefox_android'],
  ['safari', 'safari_ios'],
];

/** Those that some browser never tells. @returns {string[]} */
function missingEvents() {
  /** @type {Map<string, Compat[]>} */
  const events = new Map();
  for (const members of Object.values(bcd.api))
    for (const [member, { __compat }] of Object.entries(members)) {
      const [, event] = /^(\w+)_event$/.exec(member) ?? [];
      if (event && __compat?.status?.standard_track)
        events.set(event, [...(events.get(event) ?? []), __compat]);
    }
  /** @param {Compat} compat */
  const isUnknown = (compat) => {
    /** @type {string[]} */
    const without = browsersWithout(compat, false);
    return ALIKE.some((browsers) => browsers.every((browser) => without.includes(browser)));
  };
  return [...events].flatMap(([event, compats]) => (compats.every(isUnknown) ? event : []));
}

/**
 * Events that are awaited and that some browser never tells, where the file does not ask for them: `'onscrollend' in window`.
 * @param {Record<string, string>} texts of scripts, by file @returns {string[]} their places
 */
export function eventsIn(texts) {
  const names = missingEvents().join('|');
  const awaited = new RegExp(`\\bon(${names})\\b|EventListener\\(\\s*'(${names})'`, 'gi');
  return Object.entries(texts).flatMap(([file, text]) =>
    [...text.matchAll(awaited)].flatMap(({ index, 1: one, 2: other = one ?? '' }) => {
      const event = other.toLowerCase();
      return text.includes(`'on${event}' in`)
        ? []
        : `${file}:${text.slice(0, index).split('\n').length}: ${event}`;
    }),
  );
}

/* Styles, as they are built. */

async function builtStyles() {
  // What the check for words has no need of.
  const [{ build }, { default: tailwind }] = await Promise.all([import('vite'), import('@tailwindcss/vite')]);
  const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (
    await build({
      root,
      configFile: false,
      publicDir: false,
      logLevel: 'error',
      plugins: [tailwind()],
      build: { target, write: false, assetsInlineLimit: 0, rolldownOptions: { input: 'app/web/styles.css' } },
    })
  );
  const file = output.find(({ fileName }) => fileName.endsWith('.css'));
  if (file?.type !== 'asset') throw new Error('no styles came of app/web/styles.css');
  return String(file.source);
}

/** Functions of values, by name; MDN has them by type. @param {Node} node @param {Map<string, Compat[]>} found */
function functionsBelow(node, found = new Map()) {
  for (const [name, below] of Object.entries(node)) {
    if (name === '__compat') continue;
    if (below.__compat) found.set(name, [...(found.get(name) ?? []), below.__compat]);
    functionsBelow(below, found);
  }
  return found;
}

/** What styles use that some browser lacks and DONE_WITHOUT does not name. @param {string} text @returns {string[]} */
export function gapsOfStyles(text) {
  const { properties, selectors, types, 'at-rules': rules } = bcd.css;
  const functions = functionsBelow(/** @type {Node} */ (types));
  /** @type {Set<string>} */
  const found = new Set();
  /** @param {string} name @param {Compat[]} compats @param {string} [of] */
  const note = (name, compats, of = name) => {
    const isGap = compats.length > 0 && compats.every((compat) => isLacking(compat, { mayPrefix: true }));
    if (isGap && !DONE_WITHOUT.has(of)) found.add(name);
  };
  /** @param {(Node | undefined)[]} nodes */
  const compats = (...nodes) => nodes.flatMap((node) => node?.__compat ?? []);
  postcss.parse(text).walk((node) => {
    if (node.type === 'rule')
      for (const [, name = ''] of node.selector.matchAll(/::?([a-z][-a-z]*)/g))
        note(`:${name}`, compats(selectors?.[name]));
    if (node.type === 'atrule') {
      const rule = rules?.[node.name];
      note(`@${node.name}`, compats(rule));
      for (const [, name = ''] of node.params.matchAll(/\(([-a-z]+)/g))
        note(`@${node.name} (${name})`, compats(rule?.[name]));
    }
    if (node.type !== 'decl' || node.prop.startsWith('-')) return;
    const property = properties?.[node.prop];
    note(node.prop, compats(property));
    const value = node.value.replaceAll(/"[^"]*"|url\([^)]*\)/g, '');
    for (const [, word = '', call] of value.matchAll(/(?<![-\w])([a-z][-a-z]*)(\(?)/g))
      if (call) note(`${word}()`, functions.get(word) ?? []);
      else note(`${node.prop}: ${word}`, compats(property?.[word]), node.prop);
  });
  return [...found].sort();
}

/**
 * @param {string[]} files of scripts and styles
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export async function checkUse(files) {
  const scripts = Object.fromEntries(
    files
      .filter((file) => /\/web\/.*\.tsx?$/.test(file))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );
  const styles = gapsOfStyles(await builtStyles()).map((name) => `app/web/styles.css: ${name}`);
  const found = [...eventsIn(scripts), ...styles];
  return { ok: found.length === 0, output: found.map((one) => `${one}: some browser lacks it`).join('\n') };
}
