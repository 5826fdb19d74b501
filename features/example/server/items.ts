import { readFile } from 'node:fs/promises';
import {
  benefits as benefitKind,
  employees,
  events as eventKind,
  featured as featuredKind,
  genreOf,
  type ItemKind,
  minutes as minutesKind,
  news as newsKind,
  partners as partnerKind,
} from '#features/content/shared/kinds.ts';
import { insertAttestation } from '#features/photos/server/attestationsStore.ts';
import { putWord } from '#features/photos/server/store.ts';
import { ATTESTATION_FORM } from '#features/photos/shared/terms.ts';
import { putAssignments } from '#features/stays/server/directorsStore.ts';
import { insertChild } from '#features/stays/server/familiesStore.ts';
import { insertEvaluation, writeReview } from '#features/stays/server/reviewsStore.ts';
import { holdStays } from '#features/stays/server/staysStore.ts';
import { SITE, signature } from '#platform/server/actor.ts';
import type { Access, Database } from '#platform/server/db/database.ts';
import type { OwnFile } from '#platform/server/http/forms.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import {
  benefits,
  booklets,
  childrenOf,
  directors,
  type ExampleBooklet,
  type ExampleDirector,
  type ExampleEvent,
  type ExamplePerson,
  type ExampleStay,
  events,
  featured,
  minutes,
  news,
  PHOTOGRAPHED,
  partners,
  people,
  photos,
  settings,
  stays,
  words,
} from './fixtures.ts';

interface Shown {
  cle: string;
  picture?: string | null;
  alt?: string;
  daysAgo?: number;
}

/** An item of a kind: its fields by their own names, its picture, and since when it is published; and what differs. */
function itemOf(
  kind: ItemKind,
  item: Shown,
  { texts, files, after }: Partial<ExampleItem> = {},
): ExampleItem {
  const { picture, alt, daysAgo } = item;
  return {
    ...{ cle: keyOf(kind, item), table: kind.table, after: after ?? [] },
    texts: (now, places) => ({
      ...picked(item, Object.keys(kind.fields)),
      texte_alternatif: picture ? alt : undefined,
      publie_du: daysAgo === undefined ? undefined : ago(now, daysAgo),
      ...texts?.(now, places),
    }),
    files: async () => ({ ...(await pictureAs('image_url', picture)), ...(await files?.()) }),
  };
}

function event(item: ExampleEvent): ExampleItem {
  return itemOf(eventKind, item, {
    texts: (now) => ({
      date: `${startOf(item, now)}T${item.time}`,
      fin: `${startOf(item, now, item.nights)}T${item.ends}`,
      // Announced before it took place.
      publie_du: ago(now, Math.max(0, -item.inDays) + 20),
      textes_alternatifs: item.images.map((image) => image.alt),
    }),
    files: async () => ({
      images: await Promise.all(item.images.map((image) => pictureFile(image.picture))),
    }),
  });
}

/** The day of an event, or that many nights later. */
function startOf({ inDays, weekday }: ExampleEvent, now: Date, nights = 0): string {
  const wait = (weekday - new Date(dayIn(now, inDays)).getUTCDay() + 7) % 7;
  return dayIn(now, inDays + wait + nights);
}

function person(item: ExamplePerson): ExampleItem {
  const { photo, manager, hides = [] } = item;
  const after = manager === undefined ? [] : [keyOf(employees, { cle: manager })];
  return itemOf(employees, item, {
    after,
    texts: (_now, places) => ({
      email_public: hides.includes('email') ? '0' : '1',
      telephone_public: hides.includes('telephone') ? '0' : '1',
      manager_id: after.map((cle) => String(places.get(cle) ?? '')).join(''),
      texte_alternatif: photo?.alt,
      cadrage_x: photo && String(photo.left),
    }),
    files: () => pictureAs('photo', photo?.picture),
  });
}

function keyOf(kind: ItemKind, item: { cle: string }): string {
  return `${genreOf(kind)}/${item.cle}`;
}

async function pictureAs(field: string, name: string | null | undefined): Promise<Record<string, OwnFile[]>> {
  return name ? { [field]: [await pictureFile(name)] } : {};
}

function pictureFile(name: string): Promise<OwnFile> {
  return fileOf(name.endsWith('.webp') ? 'drawings' : 'pictures', name);
}

async function fileOf(folder: 'pictures' | 'drawings' | 'logos' | 'pdfs', name: string): Promise<OwnFile> {
  return {
    label: name,
    bytes: await readFile(new URL(import.meta.resolve(`#features/example/fixtures/${folder}/${name}`))),
  };
}

/** Its PDF, made of its texts by `fixtures/make-pdfs.mjs`. */
async function pdfOf({ cle }: { cle: string }, label: string): Promise<OwnFile> {
  return { ...(await fileOf('pdfs', `${cle}.pdf`)), label };
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
    alongside: (added) => addPeopleAndWords(added, item, place),
  };
}

async function addPeopleAndWords(
  { database, transaction, id, now }: Added,
  { cle, nom_stage, inDays, nights, children, review = [], evaluations = [] }: ExampleStay,
  place: number,
): Promise<void> {
  const [date_debut, date_fin] = [dayIn(now, inDays), dayIn(now, inDays + nights)];
  for (const child of childrenOf(place, children))
    await insertChild(database, transaction, { ...child, stageId: id }, now);
  await writeReview(transaction, id, review, now);
  for (const { notes, recommande, texte } of evaluations) {
    await insertEvaluation(transaction, {
      stage_id: id,
      notes: JSON.stringify(notes),
      recommande: recommande === null ? null : Number(recommande),
      texte,
      jour: date_fin,
    });
  }
  if (cle !== PHOTOGRAPHED) return;
  const { acteur } = signature(SITE);
  const attestation = { formulaire: ATTESTATION_FORM, atteste_le: now.toISOString(), acteur };
  await insertAttestation(transaction, { id, nom_stage, date_debut, date_fin }, attestation);
  for (const { inDays, mot } of words) await putWord(transaction, id, dayIn(now, inDays), mot, now);
}

function director(item: ExampleDirector): ExampleItem {
  return {
    cle: `formateurs/${item.cle}`,
    table: 'formateurs',
    after: item.stays.map((one) => stayCle(one.stay)),
    texts: () => picked(item, ['nom', 'prenom', 'mail', 'telephone']),
    async alongside({ database, transaction, id, places }) {
      const assignments = item.stays.map(({ stay, cat }) => ({
        stageId: places.get(stayCle(stay)) ?? 0,
        cat,
      }));
      // Without the stays that somebody has deleted since.
      const present = await holdStays(
        database,
        transaction,
        assignments.map(({ stageId }) => stageId),
      );
      for (const { stageId, cat } of assignments)
        if (present.has(stageId)) await putAssignments(transaction, id, [stageId], cat);
    },
  };
}

function booklet(item: ExampleBooklet): ExampleItem {
  return {
    cle: `livrets/${item.cle}`,
    table: 'livrets',
    texts: () => ({}),
    files: async () => ({ livret: [await pdfOf(item, item.nom)] }),
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
    decision: item.decision,
    legende: item.legende,
    prise_le: `${dayIn(now, item.inDays)}T${item.time}:00.000Z`,
    retrait: item.removal ?? '',
  }),
  files: async () => ({
    photo: [await fileOf('pictures', `${item.cle}.jpg`)],
  }),
}));

/** One item of the example: what staff would have typed and chosen for it. */

export interface ExampleItem {
  /** Stable, as it is what is remembered of an item that is in place: `actualites/teletravail`. */
  cle: string;
  /** Table of its row, by which its adapter is known. */
  table: string;
  /** The `cle` of what has to be in place before: the person above, the stays that somebody directs. */
  after?: readonly string[];
  /** The form's texts, their dates counted from `now`. */
  texts(now: Date, places: Places): Record<string, string | string[] | undefined>;
  files?(): Promise<Record<string, OwnFile[]>>;
  /** Writes what comes with it and has no form of its own, in its transaction. */
  alongside?(added: Added): Promise<void>;
}

/** An item that has just been added, by a transaction that is not over. */
interface Added {
  database: Database;
  transaction: Access;
  id: number;
  now: Date;
  places: Places;
}

/** Ids by `cle` of what is in place; that which the site does without is not among them. */
export type Places = ReadonlyMap<string, number>;

/** Those of these texts that an item has. */
function picked(item: object, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

function ago(now: Date, days: number): string {
  return new Date(now.getTime() - days * DAY_MS).toISOString();
}

function dayIn(now: Date, days: number): string {
  return ago(now, -days).slice(0, 10);
}

/** The example as forms: what staff would have typed and chosen for each item. */

export const EXAMPLE: readonly ExampleItem[] = [
  { cle: 'reglages/identite', table: 'reglages', texts: () => settings },
  ...news.map((item) => itemOf(newsKind, item)),
  ...featured.map((item) => itemOf(featuredKind, item)),
  ...benefits.map((item) => itemOf(benefitKind, item)),
  ...events.map(event),
  ...partners.map((item) =>
    itemOf(partnerKind, item, { files: async () => ({ image: [await fileOf('logos', item.logo)] }) }),
  ),
  ...minutes.map(({ daysAgo, ...item }) =>
    itemOf(minutesKind, item, {
      texts: (now) => ({ date_ajout: ago(now, daysAgo).slice(0, 10) }),
      files: async () => ({ url: [await pdfOf(item, 'compte-rendu.pdf')] }),
    }),
  ),
  ...people.map(person),
  ...stays.map(stay),
  ...directors.map(director),
  ...booklets.map(booklet),
  ...PHOTO_ITEMS,
];
