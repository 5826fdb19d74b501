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
import { ATTESTATION_FORM } from '#features/photos/shared/terms.ts';
import { SITE, signature } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/open.ts';
import type { OwnFile } from '#platform/server/http/forms.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import {
  benefits,
  booklets,
  directors,
  type ExampleBooklet,
  type ExampleDirector,
  type ExampleEvent,
  type ExamplePerson,
  type ExamplePhoto,
  type ExampleStay,
  events,
  featured,
  minutes,
  news,
  PHOTOGRAPHED,
  partners,
  people,
  photos,
  stays,
  words,
} from './fixtures.ts';
import { minutesPdf } from './minutesPdf.ts';
import { assignStays, childrenOf, insertChildren, insertReview } from './stayRows.ts';

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
  return { label: name, bytes: await readFile(join(import.meta.dirname, '../fixtures', folder, name)) };
}

function stay(item: ExampleStay, place: number): ExampleItem {
  return {
    cle: stayCle(item.cle),
    table: 'stages',
    texts: (now) => ({
      ...picked(item, ['nom_stage', 'adresse', 'horaires', 'telephone_urgence', 'consignes']),
      date_debut: dayIn(now, item.inDays),
      date_fin: dayIn(now, item.inDays + item.nights),
    }),
    files: async () => ({}),
    alongside: async (transaction, id, now) => {
      await insertChildren(transaction, id, childrenOf(place, item.children), now);
      await insertReview(transaction, id, item, dayIn(now, item.inDays + item.nights), now);
      await insertPhotoRows(transaction, id, item, now);
    },
  };
}

function director(item: ExampleDirector): ExampleItem {
  return {
    cle: `formateurs/${item.cle}`,
    table: 'formateurs',
    after: item.stays.map((one) => stayCle(one.stay)),
    texts: () => picked(item, ['nom', 'prenom', 'mail', 'telephone']),
    files: async () => ({}),
    alongside: (transaction, id, _now, places) =>
      assignStays(
        transaction,
        id,
        item.stays.map(({ stay, cat }) => ({ stageId: places.get(stayCle(stay)), cat })),
      ),
  };
}

function booklet(item: ExampleBooklet): ExampleItem {
  return {
    cle: `livrets/${item.cle}`,
    table: 'livrets',
    texts: () => ({}),
    files: async () => ({ livret: [{ label: item.nom, bytes: minutesPdf(item.title, item.paragraphs) }] }),
  };
}

function stayCle(cle: string): string {
  return `stages/${cle}`;
}

/** The photos of the stay that is under way, as items of the example. */

const STAY = `stages/${PHOTOGRAPHED}`;

const PHOTO_ITEMS: readonly ExampleItem[] = photos.map((item) => ({
  cle: `photos/${item.cle}`,
  table: 'photos',
  after: [STAY],
  texts: (now, places) => ({
    stageId: String(places.get(STAY) ?? ''),
    statut: item.statut,
    legende: item.legende,
    prise_le: `${dayIn(now, item.inDays)}T${item.time}:00.000Z`,
  }),
  files: async () => ({
    photo: [
      {
        label: `${item.cle}.jpg`,
        bytes: await readFile(join(import.meta.dirname, '../fixtures/pictures', `${item.cle}.jpg`)),
      },
    ],
  }),
  alongside: (transaction, id, now) => insertRemoval(transaction, id, item, now),
}));

async function insertRemoval(
  transaction: Access,
  photo_id: number,
  { removal }: ExamplePhoto,
  now: Date,
): Promise<void> {
  if (removal === undefined) return;
  // No sign-in has asked for it.
  const asked = { photo_id, session_id: 0, mot: removal, created_at: now.toISOString() };
  await transaction.insertInto('photos_retraits').values(asked).execute();
}

/** What the site has to be told before it shows photos of the stay, and what its directors wrote of its days. */
async function insertPhotoRows(
  transaction: Access,
  stage_id: number,
  { cle, nom_stage, inDays, nights }: ExampleStay,
  now: Date,
): Promise<void> {
  if (cle !== PHOTOGRAPHED) return;
  const at = now.toISOString();
  await transaction
    .insertInto('attestations')
    .values({
      stage_id,
      nom_stage,
      date_debut: dayIn(now, inDays),
      date_fin: dayIn(now, inDays + nights),
      formulaire: ATTESTATION_FORM,
      atteste_le: at,
      acteur: signature(SITE).acteur,
    })
    .execute();
  await transaction
    .insertInto('jours')
    .values(words.map(({ inDays: days, mot }) => ({ stage_id, jour: dayIn(now, days), mot, modifie_le: at })))
    .execute();
}

/** One item of the example: what staff would have typed and chosen for it. */

export interface ExampleItem {
  /** Stable, as it is what is remembered of an item that is in place: `actualites/teletravail`. */
  cle: string;
  /** Table of its row, by which its door is known. */
  table: string;
  /** The `cle` of what has to be in place before: the person above, the stays that somebody directs. */
  after?: readonly string[];
  /** The form's texts, their dates counted from `now`. */
  texts(now: Date, places: Places): Record<string, string | string[]>;
  /** Its files by field. */
  files(): Promise<Record<string, OwnFile[]>>;
  /** Writes what comes with it and has no form of its own, in its transaction. */
  alongside?(transaction: Access, id: number, now: Date, places: Places): Promise<void>;
}

/** Ids by `cle` of what is in place; that which the site does without is not among them. */
export type Places = ReadonlyMap<string, number>;

function picked<T extends object>(item: T, names: readonly (keyof T & string)[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, String(item[name])]));
}

function ago(now: Date, days: number): string {
  return new Date(now.getTime() - days * DAY_MS).toISOString();
}

function dayIn(now: Date, days: number): string {
  return ago(now, -days).slice(0, 10);
}

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
  ...stays.map(stay),
  ...directors.map(director),
  ...booklets.map(booklet),
  ...PHOTO_ITEMS,
];
