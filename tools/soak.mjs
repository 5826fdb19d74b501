// npm run soak [-- --minutes N] [part…]: what the tests do for seconds, for as long as asked, one part after another.
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, node24 } from './install.mjs';
import { main, run, Stop } from './process.mjs';

/** Tests that SOAK_MINUTES makes last, by the name of their part. @type {Record<string, string>} */
const PARTS = {
  appels: 'tests/app/fuzz.test.ts',
  ecritures: 'tests/app/crash.test.ts',
  photos: 'tests/photos/photos-crash.test.ts',
  envois: 'tests/mails/mail-crash.test.ts',
};

await main(async () => {
  const options = { minutes: { type: /** @type {const} */ ('string'), default: '60' } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Stop('--minutes attend un nombre de minutes.');
  const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
  const unknown = names.find((name) => !PARTS[name]);
  if (unknown)
    throw new Stop(`${unknown}\u202f: cette partie n’existe pas (${Object.keys(PARTS).join(', ')}).`);
  await ensureInstalled('testing');
  await ensureBuilt();
  const env = { ...process.env, SOAK_MINUTES: String(minutes / names.length) };
  for (const name of names) {
    process.stdout.write(`\n── ${name}, ${minutes / names.length} min\n`);
    const code = await run(node24(), ['node_modules/vitest/vitest.mjs', 'run', PARTS[name] ?? ''], { env });
    if (code !== 0) process.exitCode = 1;
  }
});
