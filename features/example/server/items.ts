import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentKind, ItemKind } from '#features/content/shared/kind.ts';
import {
  benefits as benefitKind,
  employees,
  events as eventKind,
  featured as featuredKind,
  genreOf,
  minutes as minutesKind,
  news as newsKind,
  partners as partnerKind,
} from '#features/content/shared/kinds.ts';
import type { OwnFile } from '#platform/server/http/forms.ts';
import { benefits, type ExampleEvent, events, featured, minutes, news, partners } from './content.ts';
import { ago, dayIn, type ExampleItem, picked } from './item.ts';
import { minutesPdf } from './minutes-pdf.ts';
import { type ExamplePerson, people } from './people.ts';
import { STAY_ITEMS } from './stay-items.ts';

/** The example as forms: what staff would have typed and chosen for each item. */

export const EXAMPLE: readonly ExampleItem[] = [
  ...news.map((item) => article(newsKind, item, ['titre', 'description'])),
  ...featured.map((item) => article(featuredKind, item, ['titre', 'resume', 'description', 'lien_article'])),
  ...benefits.map((item) => article(benefitKind, item, ['titre', 'resume', 'description', 'lien_article'])),
  ...events.map(event),
  ...partners.map((item) => ({
    cle: keyOf(partnerKind, item),
    table: partnerKind.table,
    texts: () => picked(item, ['nom', 'url_site']),
    files: async () => ({ image: [await fileOf('logos', item.logo)] }),
  })),
  ...minutes.map((item) => ({
    cle: keyOf(minutesKind, item),
    table: minutesKind.table,
    texts: (now: Date) => ({ nom: item.nom, date_ajout: ago(now, item.daysAgo).slice(0, 10) }),
    files: async () => ({
      url: [{ label: 'compte-rendu.pdf', bytes: minutesPdf(item.nom, item.paragraphs) }],
    }),
  })),
  ...people.map(person),
  ...STAY_ITEMS,
];

interface Covered {
  cle: string;
  picture: string | null;
  alt: string;
}

/** An item with a cover picture, published since `daysAgo`. */
function article<T extends Covered & { daysAgo: number }>(
  kind: ContentKind,
  item: T,
  names: readonly (keyof T & string)[],
): ExampleItem {
  return {
    cle: keyOf(kind, item),
    table: kind.table,
    texts: (now) => ({
      ...picked(item, names),
      ...alternativeText(item),
      publie_du: ago(now, item.daysAgo),
    }),
    files: () => pictureAs('image_url', item.picture),
  };
}

function event(item: ExampleEvent): ExampleItem {
  return {
    cle: keyOf(eventKind, item),
    table: eventKind.table,
    texts: (now) => ({
      ...picked(item, ['title', 'location', 'summary', 'article']),
      ...alternativeText(item),
      date: `${dayIn(now, item.inDays)}T${item.time}`,
      // Announced before it took place.
      publie_du: ago(now, Math.max(0, -item.inDays) + 20),
      textes_alternatifs: item.images.map((image) => image.alt),
    }),
    files: async () => ({
      ...(await pictureAs('image_url', item.picture)),
      images: await Promise.all(item.images.map((image) => fileOf('pictures', image.picture))),
    }),
  };
}

function person(item: ExamplePerson): ExampleItem {
  const { photo, manager, hides = [] } = item;
  const above = manager === undefined ? [] : [keyOf(employees, { cle: manager })];
  return {
    cle: keyOf(employees, item),
    table: employees.table,
    after: above,
    texts: (_now, places) => ({
      ...picked(item, ['prenom', 'nom', 'poste', 'role', 'email', 'telephone']),
      email_public: hides.includes('email') ? '0' : '1',
      telephone_public: hides.includes('telephone') ? '0' : '1',
      manager_id: above.map((cle) => String(places.get(cle) ?? '')).join(''),
      ...(photo ? { texte_alternatif: photo.alt, cadrage_x: String(photo.left) } : {}),
    }),
    files: () => pictureAs('photo', photo?.picture ?? null),
  };
}

function keyOf(kind: ItemKind, item: { cle: string }): string {
  return `${genreOf(kind)}/${item.cle}`;
}

function alternativeText(item: Covered): Record<string, string> {
  return item.picture === null ? {} : { texte_alternatif: item.alt };
}

async function pictureAs(field: string, name: string | null): Promise<Record<string, OwnFile[]>> {
  return name === null ? {} : { [field]: [await fileOf('pictures', name)] };
}

async function fileOf(folder: 'pictures' | 'logos', name: string): Promise<OwnFile> {
  return { label: name, bytes: await readFile(join(import.meta.dirname, folder, name)) };
}
