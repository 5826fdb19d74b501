import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { API_PREFIX } from '../../../shared/route.ts';
import { benefits, events, featured, minutes, news, partners } from './content.ts';
import { minutesPdf } from './minutes-pdf.ts';

/*
 * Fills a running site with the example content, through the same calls as the portal: what the example shows
 * has gone through everything that staff's own content goes through.
 */

const DAY_MS = 24 * 3_600_000;
/** Forms under way at once: enough to keep the picture workers busy. */
const AT_ONCE = 4;

type Values = [name: string, value: string | File][];

interface Form {
  path: string;
  values: Values;
}

/** Sends every item; throws with the site's own sentence when one is refused. */
export async function fillWithExample(origin: string, token: string): Promise<number> {
  const forms = await Promise.all([
    ...news.map(async (item) => ({
      path: '/actualites',
      values: [...texts(item, ['titre', 'description']), ...(await cover('image', item))],
    })),
    ...featured.map(async (item) => ({
      path: '/alaune',
      values: [
        ...texts(item, ['titre', 'resume', 'description', 'lien_article']),
        ...(await cover('image_url', item)),
      ],
    })),
    ...benefits.map(async (item) => ({
      path: '/avantage',
      values: [
        ...texts(item, ['titre', 'resume', 'description', 'lien_article']),
        ...(await cover('image_url', item)),
      ],
    })),
    ...events.map(eventForm),
    ...partners.map(async (item) => ({
      path: '/logos',
      values: [
        ...texts(item, ['nom', 'url_site']),
        ['image', await file('logos', item.logo, 'image/png')],
      ] as Values,
    })),
    ...minutes.map(async (item) => ({
      path: '/documents',
      values: [
        ['nom', item.nom],
        ['date_ajout', ago(item.daysAgo).slice(0, 10)],
        ['url', new File([new Uint8Array(minutesPdf(item.nom, item.paragraphs))], 'compte-rendu.pdf')],
      ] as Values,
    })),
  ]);
  const waiting = [...forms];
  const sendAll = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await send(origin, token, next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendAll));
  return forms.length;
}

async function eventForm(item: (typeof events)[number]): Promise<Form> {
  const details = await Promise.all(
    item.images.map((image) => file('pictures', image.picture, 'image/jpeg')),
  );
  const date = `${new Date(Date.now() + item.inDays * DAY_MS).toISOString().slice(0, 10)}T${item.time}`;
  return {
    path: '/events',
    values: [
      ...texts({ ...item, daysAgo: Math.max(0, -item.inDays) + 20 }, [
        'title',
        'location',
        'summary',
        'article',
      ]),
      ['date', date],
      ...(await cover('image_url', item)),
      ...details.map((detail): Values[number] => ['images', detail]),
      ...item.images.map((image): Values[number] => ['textes_alternatifs', image.alt]),
    ],
  };
}

/** The named texts of an item; its age becomes the start of its publication. */
function texts<T extends object>(item: T, names: readonly (keyof T & string)[]): Values {
  const values: Values = names.map((name) => [name, String(item[name])]);
  if ('daysAgo' in item) values.push(['publie_du', ago(Number(item.daysAgo))]);
  return values;
}

function ago(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString();
}

async function cover(field: string, item: { picture: string | null; alt: string }): Promise<Values> {
  if (item.picture === null) return [];
  return [
    [field, await file('pictures', item.picture, 'image/jpeg')],
    ['texte_alternatif', item.alt],
  ];
}

async function file(folder: string, name: string, type: string): Promise<File> {
  return new File([await readFile(join(import.meta.dirname, folder, name))], name, { type });
}

async function send(origin: string, token: string, { path, values }: Form): Promise<void> {
  const body = new FormData();
  for (const [name, value] of values) body.append(name, value);
  const response = await fetch(`${origin}${API_PREFIX}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
}
