// node tools/secrets.mjs FILE…: no key, token or password that opens something lies in these files.
import { readFileSync } from 'node:fs';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';

/** Addresses of databases in tests and examples, whose password says that it is one. */
const SAID_TO_BE_PASSWORDS = ['/:(motsecret|motdepasse)@/'];

const config = {
  rules: [
    {
      id: '@secretlint/secretlint-rule-preset-recommend',
      rule: creator,
      rules: [
        {
          id: '@secretlint/secretlint-rule-database-connection-string',
          options: { allows: SAID_TO_BE_PASSWORDS },
        },
      ],
    },
  ],
};

/** Those of elliptic curves are too short for the rules above. */
const PRIVATE_KEY = /-----BEGIN (\w+ )?PRIVATE KEY-----\s+([\w+/=]+\s+)+-----END/g;

for (const file of process.argv.slice(2)) {
  const bytes = readFileSync(file);
  if (bytes.includes(0)) continue; // A picture or the like.
  const content = bytes.toString();
  const contentType = /** @type {const} */ ('text');
  const source = { filePath: file, content, ext: '', contentType };
  const { messages } = await lintSource({ source, options: { config, maskSecrets: true } });
  /** @type {Map<number, string>} what was found, by line */
  const found = new Map();
  for (const { index } of content.matchAll(PRIVATE_KEY))
    found.set(content.slice(0, index).split('\n').length, 'found private key');
  for (const { loc, message } of messages) found.set(loc.start.line, message.replaceAll(/\*{4,}/g, '***'));
  for (const [line, message] of found) process.stdout.write(`${file}:${line}: ${message}\n`);
  if (found.size > 0) process.exitCode = 1;
}
