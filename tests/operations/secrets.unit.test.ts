import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'passerelle-check-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('secrets', () => {
  const script = fileURLToPath(import.meta.resolve('#tools/secrets.mjs'));
  async function secretsIn(text: string) {
    writeFileSync(join(folder, 'file.txt'), text);
    const run = promisify(execFile)(process.execPath, [script, join(folder, 'file.txt')]);
    return run.then(
      () => '',
      ({ code, stdout }) => {
        expect(code).toBe(1);
        return String(stdout);
      },
    );
  }
  // Made here, so that this file holds none.
  const characters = (alphabet: string, length: number) =>
    Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');
  const PEM = { type: 'pkcs8', format: 'pem' } as const;
  const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const ANY = `${LETTERS}${LETTERS.toLowerCase()}0123456789`;

  it.each([
    ['AWS', () => `aws_secret_access_key = ${characters(ANY, 40)}`],
    ['private key', () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(PEM)],
    ['private key', () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(PEM)],
    [
      'Slack',
      () => `xoxb-${characters('123456789', 12)}-${characters('123456789', 12)}-${characters(ANY, 24)}`,
    ],
    ['PostgreSQL', () => `postgres://site:${characters(ANY, 16)}@database/site`],
  ])('a file with one is refused, without saying it: %s', async (kind, make) => {
    const secret = String(make());
    const found = await secretsIn(`first line\n${secret}\n`);
    expect(found).toMatch(new RegExp(`file\\.txt:2: .*${kind}`, 'i'));
    expect(found).not.toContain(secret);
  });

  it('passwords that say they are one are left alone', async () => {
    expect(await secretsIn('postgres://u:motsecret@base.invalid/passerelle')).toBe('');
  });
});
