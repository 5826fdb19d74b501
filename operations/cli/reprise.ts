import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Origin, OriginError, openOrigin } from '#features/takeover/server/origin.ts';
import { type Candidate, GENRES, type Genre } from '#features/takeover/server/reading.ts';
import { bringIn, type Plan, planTakeover } from '#features/takeover/server/takeover.ts';
import { ConfigError } from '#platform/server/config.ts';
import { conflict } from '#platform/server/errors.ts';
import { askLine, runCommand, withSite } from './command.ts';

/* Takes over what the original site has, also while this one runs: shows what would come, asks, then brings it in. */

const USAGE = `Usage :
  passerelle reprise https://ancien-site --token-file FICHIER [--memes-numeros] [--oui]
      reprend ce que l’ancien site contient et que celui-ci n’a pas encore ; montre d’abord ce qui viendra ;
      FICHIER contient le jeton d’un administrateur de l’ancien site (tokenAdmin) ;
      --memes-numeros garde les numéros des contenus et des séjours, sur un site qui n’en a pas encore ;
      --oui reprend sans poser de question`;

/** What has come, when the original site stops answering. */
const NOTHING_YET = 'Rien n’est repris cette fois\u202f: la même commande recommencera.';
const A_PART = 'Ce qui est repris l’est\u202f; la même commande reprendra le reste.';
/** What calls of the original site do not give. */
const NOT_GIVEN =
  'L’ancien site ne donne ni les droits à l’image, ni les photos des séjours, ni les avis sur eux.';

function read(words: string[]) {
  try {
    const options = {
      'token-file': { type: 'string' },
      'memes-numeros': { type: 'boolean' },
      oui: { type: 'boolean' },
    } as const;
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    const [address, ...others] = positionals;
    const path = values['token-file'];
    if (address && path && others.length === 0)
      return {
        origin: openOrigin(address, tokenIn(path)),
        keepsNumbers: values['memes-numeros'] === true,
        isSure: values.oui === true,
      };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    // An unknown option, or an address that is none.
  }
  throw new ConfigError(USAGE);
}

function tokenIn(path: string): string {
  let token: string;
  try {
    token = readFileSync(path, 'utf8').trim();
  } catch {
    throw new ConfigError(`${path} ne se lit pas\u202f: il doit être là, et au compte du site.`);
  }
  // What may stand in a header.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new ConfigError(`${path} ne contient pas un jeton, seul sur sa ligne.`);
  return token;
}

await runCommand(async (words) => {
  const { origin, keepsNumbers, isSure } = read(words);
  return withSite(async (services) => {
    const plan = await toldOf(origin, NOTHING_YET, async () => {
      await origin.ask('/verifyToken');
      return planTakeover(services, origin, (what) => tell(`Lecture\u202f: ${what}…`));
    });
    process.stdout.write(`${preview(origin, plan)}\n`);
    if (plan.coming.length === 0) return 'Rien à reprendre.';
    if (!isSure && (await askLine('Pour reprendre, tapez oui\u202f: ')).trim() !== 'oui')
      throw conflict('Rien n’est repris.');
    const { taken, left } = await toldOf(origin, A_PART, () =>
      bringIn(services, origin, plan, {
        keepsNumbers,
        tell: (done) => tell(`Reprise\u202f: ${done} sur ${plan.coming.length}`),
      }),
    );
    const told = [...left.map(problemOf), ...remarksOf(taken)].map((line) => `  ${line}`);
    return [`${counted(taken)}\u202f: repris.`, ...told].join('\n');
  }, 'warn');
});

/** Runs `work`; says in one line when the original site does not answer, and what is `done` by then. */
async function toldOf<T>(origin: Origin, done: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OriginError)) throw error;
    const isRefused = error.status !== undefined;
    const next = isRefused ? '' : ` ${done}`;
    throw conflict(`${origin.host} ${error.message}.${next}`);
  }
}

function preview(origin: Origin, plan: Plan): string {
  const problems = plan.candidates.filter(({ problem }) => problem);
  const remarks = remarksOf(plan.coming);
  const lines = (Object.keys(GENRES) as Genre[]).map((genre) => {
    const of = (all: readonly Candidate[]) => all.filter((one) => one.genre === genre).length;
    const count = (number: number, word: string) => (number > 0 ? [`${number} ${word}`] : []);
    const parts = [
      ...count(of(plan.coming), 'à reprendre'),
      ...count(plan.present.get(genre) ?? 0, 'déjà repris'),
      ...count(of(problems), 'laissés'),
    ];
    return `  ${GENRES[genre].padEnd(28)}${parts.join(', ') || 'aucun'}`;
  });
  const part = (title: string, all: readonly string[]) =>
    all.length > 0 ? ['', title, ...all.map((line) => `  ${line}`)] : [];
  return [
    `${origin.host}\u202f:`,
    ...lines,
    ...part('Ne peut pas être repris\u202f:', [...plan.left, ...problems.map(problemOf)]),
    ...part('Sera repris, mais\u202f:', remarks),
    '',
    NOT_GIVEN,
    ...plan.others.map(
      (host) =>
        `Ce site a déjà repris ${host}\u202f: si c’est le même sous un autre nom, tapez celui-là, ou tout viendra deux fois.`,
    ),
    ...(origin.isPlain
      ? ['Son adresse est en http\u202f: sur le réseau, d’autres peuvent lire ce qui passe, jeton compris.']
      : []),
  ].join('\n');
}

function problemOf({ name, problem }: Candidate): string {
  return `${name}\u202f: ${problem}`;
}

function remarksOf(candidates: readonly Candidate[]): string[] {
  return candidates.flatMap(({ name, remarks }) => remarks.map((remark) => `${name}\u202f: ${remark}`));
}

function counted(taken: readonly Candidate[]): string {
  const parts = (Object.keys(GENRES) as Genre[]).flatMap((genre) => {
    const count = taken.filter((one) => one.genre === genre).length;
    return count > 0 ? [`${count} ${GENRES[genre]}`] : [];
  });
  return parts.join(', ') || 'Rien';
}

/** Shows in one line that is written over, on a terminal; nowhere else. */
function tell(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
