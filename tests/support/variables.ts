import { readFileSync } from 'node:fs';

const source = readFileSync(new URL('../../platform/server/config.ts', import.meta.url), 'utf8');

/** The names of all variables that the site reads. */
export const VARIABLES = [...source.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name = '']) => name);
