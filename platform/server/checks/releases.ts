import { type Config, VERSION } from '#platform/server/config.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { type Check, fine, warn } from './check.ts';

/*
 * Whether a newer version exists: read once a day in the changelog at UPDATES_URL, of which nothing is asked but to be read.
 */

interface Release {
  version: string;
  isSecurity: boolean;
  /** What it changes, as the changelog has it. */
  lines: string[];
}

const ANSWER_MS = 5_000;
/** As in CHANGELOG.md: « ## 1.2.0 — 2026-12-01 », with « — security » behind for one that mends a weakness. */
const TITLE = /^(\d+\.\d+\.\d+) — \d{4}-\d{2}-\d{2}( — security)?$/;

function isNewer(version: string): boolean {
  const parts = (text: string) => text.split(/[.-]/, 3).map(Number);
  const own = parts(VERSION);
  const difference = parts(version).map((part, index) => part - (own[index] ?? 0));
  // What is not released yet comes before the release of its name.
  return (difference.find((part) => part !== 0) ?? (VERSION.includes('-') ? 1 : 0)) > 0;
}

/** The newer versions of a changelog, the newest first. */
function newerIn(changelog: string): Release[] {
  return changelog.split(/^## /m).flatMap((section) => {
    const [title = '', ...lines] = section.split(/\r?\n/);
    const [, version = '', security] = TITLE.exec(title.trim()) ?? [];
    if (version === '' || !isNewer(version)) return [];
    const told = lines.map((line) => line.replaceAll(/\p{Cc}/gu, '').trim()).filter((line) => line !== '');
    return [{ version, isSecurity: security !== undefined, lines: told }];
  });
}

let last: { url: string; at: number; newer: Promise<Release[] | undefined> } | undefined;

/** The newer versions that the address knows of; undefined where it does not answer as it should. */
function listNewer(url: string): Promise<Release[] | undefined> {
  if (last?.url !== url || Date.now() - last.at > DAY_MS) last = { url, at: Date.now(), newer: read(url) };
  return last.newer;
}

async function read(url: string): Promise<Release[] | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    return answer.ok ? newerIn(await answer.text()) : undefined;
  } catch {
    // Whatever the reason, the site does without.
    return undefined;
  }
}

/** Lines of the changelog that the doctor prints. */
const LINES = 12;

export function releaseChecks({ UPDATES_URL: url }: Config): Check[] {
  if (url === undefined) return [];
  const toStaff = (isSecurity: boolean) => async () => {
    const [newest, ...others] = (await listNewer(url)) ?? [];
    if (!newest || [newest, ...others].some((one) => one.isSecurity) !== isSecurity) return undefined;
    const why = isSecurity ? ', qui répare une faille de sécurité' : '';
    return `Une version plus récente du site existe (${newest.version}${why})\u202f: la personne qui héberge le site l’installe.`;
  };
  return [
    {
      key: 'version-securite',
      part: 'travaux',
      label: 'mise à jour de sécurité',
      isUrgent: true,
      staff: toStaff(true),
    },
    {
      key: 'version-nouvelle',
      part: 'travaux',
      label: 'mise à jour',
      only: 'portal',
      staff: toStaff(false),
      isSchemaFree: true,
      async operator() {
        const newer = await listNewer(url);
        if (!newer)
          return warn(
            'UPDATES_URL\u202f: cette adresse ne répond pas, ou n’est pas celle d’un CHANGELOG.md.',
          );
        const [newest] = newer;
        if (!newest) return fine(`Version ${VERSION}\u202f: aucune n’est plus récente.`);
        const security = newer.some(({ isSecurity }) => isSecurity)
          ? ' Elle répare une faille de sécurité.'
          : '';
        const lines = newer.flatMap((one) => [one.version, ...one.lines]).slice(0, LINES);
        return warn(
          [`Version ${newest.version}\u202f: elle existe (ici\u202f: ${VERSION}).${security}`, ...lines].join(
            '\n    ',
          ),
        );
      },
    },
  ];
}
