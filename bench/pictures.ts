import { median } from './support/numbers.ts';
import { openCamera } from './support/photos.ts';
import { startSite } from './support/process.ts';
import { tell } from './support/result.ts';

/*
 * News with a photograph of 12 million points, which is decoded and made safe before the answer: how long whoever
 * publishes it waits, and how many a second one after another, and two at once.
 *
 *   node bench/pictures.ts [news]
 */

const NEWS = Number(process.argv[2] ?? 20);

const site = await startSite();
const photograph = await openCamera();

/** Milliseconds until the answer. */
async function publish(): Promise<number> {
  const body = new FormData();
  body.set('titre', 'La veillée');
  body.set('description', 'Autour du feu.');
  body.set('image', new Blob([new Uint8Array(photograph())], { type: 'image/jpeg' }), 'IMG_1.JPG');
  const start = performance.now();
  const response = await fetch(`${site.base}/actualites`, { method: 'POST', headers: site.bearer, body });
  if (!response.ok) throw new Error(`POST /actualites: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  return performance.now() - start;
}

async function series(): Promise<number[]> {
  const times: number[] = [];
  while (times.length < NEWS) times.push(await publish());
  return times;
}

async function perSecond(writers: number): Promise<{ rate: number; times: number[] }> {
  const start = performance.now();
  const times = (await Promise.all(Array.from({ length: writers }, series))).flat();
  return { rate: (1000 * times.length) / (performance.now() - start), times };
}

// The first one starts what the others find.
const first = await publish();
const one = await perSecond(1);
const two = await perSecond(2);
await site.close();

tell({
  title: 'Publishing a photograph',
  text: [
    `${NEWS} news items, each with another photograph of 12 million points, one after another; then two writers at once.`,
    'The smaller sizes are made meanwhile, as on a site that is used.',
  ],
  rows: [
    {
      ...{ work: 'news with a photograph, median', unit: 'ms', measured: median(one.times) },
      aim: { of: 'measured', atMost: 700 },
    },
    { work: 'the first one, which starts what decodes', unit: 'ms', measured: first },
    { work: 'news with a photograph, one after another', unit: 'a second', measured: one.rate },
    {
      ...{ work: 'the same by two at once', unit: 'a second', measured: two.rate },
      aim: { of: 'measured', atLeast: 3 },
    },
  ],
});
