// deploy/passerelle.env.example, the one list of variables for units and containers: names and their order as
// platform/server/config.ts reads them, defaults and meanings as docs/reference.md tells them. `npm run fix` writes it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './files.mjs';

const EXAMPLE = join(root, 'deploy/passerelle.env.example');

const HEAD = `# The variables of a site, written from platform/server/config.ts and docs/reference.md by « npm run fix ». A blank one counts as
# absent. « ./install » makes /etc/passerelle.env of this file; for containers: cp passerelle.env.example .env && chmod 600 .env
`;

const OF_CONTAINERS = `
# Of the compose files alone: the image, with its version; the password of the database of compose.scale.yml
# PASSERELLE_IMAGE=
# DATABASE_PASSWORD=
`;

/** The names of all variables that the site reads. */
export const VARIABLES = [
  ...readFileSync(join(root, 'platform/server/config.ts'), 'utf8').matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm),
].map(([, name = '']) => name);

/** The rows of the table of variables: names (\`A_ONE\`, \`_TWO\` is A_ONE and A_TWO), default, meaning. */
function rows() {
  const [, table = ''] =
    /^\| variable \|.*\n\|---.*\n((?:\|.*\n)+)/m.exec(
      readFileSync(join(root, 'docs/reference.md'), 'utf8'),
    ) ?? [];
  return table
    .trimEnd()
    .split('\n')
    .map((row) => {
      const [, names = '', byDefault = '', meaning = ''] = row.split(/ ?\| ?/);
      const spans = [...names.matchAll(/`(\w+)`/g)].map(([, span = '']) => span);
      const start = spans[0]?.split('_')[0] ?? '';
      return { names: spans.map((span) => (span.startsWith('_') ? start + span : span)), byDefault, meaning };
    });
}

/** The text of the example; throws where the table lacks a variable, or has one that the site does not read. */
export function exampleOfVariables() {
  const table = rows();
  const told = table.flatMap(({ names }) => names);
  const wrong = [
    ...VARIABLES.filter((name) => !told.includes(name)),
    ...told.filter((name) => !VARIABLES.includes(name)),
  ];
  if (wrong.length > 0) throw new Error(`docs/reference.md and config.ts differ: ${wrong.join(', ')}`);
  const order = (/** @type {{ names: string[] }} */ { names }) => VARIABLES.indexOf(names[0] ?? '');
  const parts = table
    .sort((one, other) => order(one) - order(other))
    .map(({ names, byDefault, meaning }) => {
      const plain = (/** @type {string} */ text) => text.replaceAll('`', '');
      return `\n# ${plain(meaning)}\n# (by default: ${plain(byDefault)})\n${names.map((name) => `# ${name}=\n`).join('')}`;
    });
  return HEAD + parts.join('') + OF_CONTAINERS;
}

/** Is it current. */
export const checkExample = () => {
  const ok = readFileSync(EXAMPLE, 'utf8') === exampleOfVariables();
  return { ok, output: ok ? '' : 'deploy/passerelle.env.example is not current: npm run fix' };
};

export const writeExample = () => writeFileSync(EXAMPLE, exampleOfVariables());
