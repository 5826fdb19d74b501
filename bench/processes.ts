import { readdirSync, readFileSync } from 'node:fs';
import { PHOTO_FOLDER, photoFiles } from '#features/photos/shared/terms.ts';
import { startPostgres } from '#tests/support/postgres.ts';
import { startBuckets } from '#tests/support/s3.ts';
import { openLines } from './support/line.ts';
import { addPhotos, addStay, ofBytes } from './support/photos.ts';
import { startSite } from './support/process.ts';
import { tell } from './support/result.ts';
import { openSite } from './support/site.ts';

/*
 * What a site of several processes does, on PostgreSQL and a bucket from which browsers fetch (S3_DIRECT): a family's small
 * photos, of which the site checks each one and says where it lies. By one process, then by two; and what of the machine's
 * processor each part takes for it, which says what is used up first where there are more cores than here.
 *
 *   node bench/processes.ts [seconds of each]
 */

const SECONDS = Number(process.argv[2] ?? 10);
const CONNECTIONS = 32;
const PHOTOS = 120;
const TICKS = 100;

const postgres = await startPostgres();
const buckets = await startBuckets();
const bucket = { ...(await buckets.newBucket('bench')), S3_DIRECT: '1', DATABASE_URL: postgres.url };
const filled = await openSite(bucket);
const stageId = await addStay(filled.services, 'Une soirée de juillet');
const names = await addPhotos(
  filled.services,
  stageId,
  PHOTOS,
  ofBytes({ w320: 1, w480: 1, w960: 1, w1920: 1, jpeg: 1 }),
);
// As an image of a page is asked for.
const headers = { ...(await filled.bearerOf('family', stageId)), 'sec-fetch-dest': 'image' };
await filled.close();
const sites = [await startSite(bucket), await startSite(bucket)];

/** Seconds of processor that PostgreSQL has taken so far. */
function cpuOfPostgres(): number {
  const ticks = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        const [head = '', fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
        return head.endsWith('(postgres') ? Number(fields.split(' ')[11]) + Number(fields.split(' ')[12]) : 0;
      } catch {
        // It ended meanwhile.
        return 0;
      }
    });
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS;
}

interface Peak {
  perSecond: number;
  /** Processor time for a request, in ms. */
  site: number;
  database: number;
}

/** As many requests as these processes do, each connection asking again as soon as it was answered. */
async function peakOf(asked: typeof sites): Promise<Peak> {
  const lines = asked.flatMap(({ base }) => openLines(base, CONNECTIONS / asked.length));
  const spent = () => ({ site: asked.reduce((sum, { cpu }) => sum + cpu(), 0), database: cpuOfPostgres() });
  const before = spent();
  const end = performance.now() + SECONDS * 1000;
  let count = 0;
  await Promise.all(
    lines.map(async (line) => {
      while (performance.now() < end) {
        const name = names[count % names.length] ?? '';
        const { status } = await line.ask({ path: `${PHOTO_FOLDER}${photoFiles(name, true).w320}`, headers });
        if (status !== 302) throw new Error(`A photo was answered ${status}`);
        count++;
      }
      line.close();
    }),
  );
  const after = spent();
  return {
    perSecond: count / SECONDS,
    site: (1000 * (after.site - before.site)) / count,
    database: (1000 * (after.database - before.database)) / count,
  };
}

async function measure(): Promise<[Peak, Peak]> {
  try {
    // Once for what is made at the first request.
    await peakOf(sites);
    return [await peakOf(sites.slice(0, 1)), await peakOf(sites)];
  } finally {
    for (const site of sites) await site.close();
    await buckets.stop();
    postgres.stop();
  }
}

const [one, two] = await measure();
tell({
  title: 'Several processes',
  text: [
    `Small photos of a family for ${SECONDS} s by one process, then by two, on ${CONNECTIONS} connections; PostgreSQL, files in a`,
    'bucket from which browsers fetch them. PostgreSQL and whoever asks run on this machine too, so that two processes share',
    'what one leaves of it; with cores of their own each does what one does.',
  ],
  rows: [
    { work: 'photos that one process lets through', unit: 'req/s', measured: one.perSecond },
    {
      ...{ work: 'photos that two processes let through', unit: 'req/s', measured: two.perSecond },
      beside: { name: 'one', measured: one.perSecond },
    },
    { work: 'processor of a process for one of them', unit: 'ms', measured: one.site },
    { work: 'processor of PostgreSQL for one of them', unit: 'ms', measured: one.database },
  ],
});
