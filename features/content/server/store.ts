import { type RawBuilder, sql } from 'kysely';
import { FOLDED_TITLE, hasWord, hasWords } from '#platform/server/db/conditions.ts';
import type { Access, Database } from '#platform/server/db/database.ts';
import { type JsonColumn, jsonList } from '#platform/server/db/json.ts';
import type { PageText } from '#platform/server/pdf/text.ts';
import type { MatchingRow, SearchRow } from '#platform/server/search.ts';
import { dayAt, wallClock } from '#platform/shared/time.ts';
import { SHORT_TEXT } from '../calls.ts';
import type { ContentKind, Item, ItemKind } from '../shared/kinds.ts';
import { type ItemRow, illustrationsOf } from './files.ts';

/* The rows of content kinds. Each query is written once and serves the six tables. */

/** A row as stored: the kind's own columns beside the envelope. */
export type ContentRow = ItemRow &
  Published & { id: number; version: number; created_at: string; modifie_le: string };

/** More rows than any table holds. */
const ALL = 1_000_000_000;

/** The start of today at the site: an event of today counts as upcoming until midnight there. */
function today(now: Date, timeZone: string): string {
  return `${dayAt(now, timeZone)}T00:00:00.000Z`;
}

function orderOf(kind: ContentKind, now: Date, timeZone: string): RawBuilder<unknown> {
  const newest = kind.newestBy === 'date_publication' ? sql.raw(PUBLISHED_SINCE) : sql.ref(kind.newestBy);
  if (!kind.upcomingBy) return sql`${newest} desc, id desc`;
  const date = sql.ref(kind.upcomingBy);
  return sql`case when ${isAhead(kind, now, timeZone)} then ${date} end asc nulls last, ${date} desc, id desc`;
}

/** SQL condition: items that are still to come or go on; true of all for a kind whose items never are over. */
function isAhead(kind: ContentKind, now: Date, timeZone: string): RawBuilder<boolean> {
  if (!kind.upcomingBy) return sql`1 = 1`;
  const date = sql.ref(kind.upcomingBy);
  const last = kind.endsBy ? sql`coalesce(nullif(${sql.ref(kind.endsBy)}, ''), ${date})` : date;
  return sql`${last} >= ${today(now, timeZone)}`;
}

function columnsOf(kind: ContentKind, isShort: boolean): JsonColumn[] {
  const fields = Object.entries(kind.fields).filter(([, field]) => field.inList);
  const files = [kind.picture?.column, kind.gallery?.column, kind.pdf?.column];
  return [
    { name: 'id' },
    ...fields.map(([name, field]) =>
      isShort && field.type === 'paragraphs'
        ? { name, value: `substr("${name}", 1, ${SHORT_TEXT})` }
        : { name },
    ),
    ...files.flatMap((name) => (name ? [{ name }] : [])),
    ...(kind.pdf ? [] : [{ name: 'illustrations', json: true }]),
    { name: 'created_at' },
    { name: 'date_publication', value: PUBLISHED_SINCE },
    { name: 'publie_du' },
    { name: 'publie_au' },
    { name: 'brouillon' },
    { name: 'version' },
  ];
}

export interface ListOptions {
  now: Date;
  timeZone: string;
  everything: boolean;
  skip: number;
  limit?: number | undefined;
  isShort: boolean;
}

/**
 * The list as JSON bytes: published items, or with `everything` all that are not in the bin. `isShort`: only the
 * beginnings of long texts, cut by the database so that the rest never leaves it.
 */
export function listItems(database: Database, kind: ContentKind, options: ListOptions): Promise<Buffer> {
  const where = options.everything ? sql`supprime_le is null` : publishedAt(options.now);
  const { skip, limit } = options;
  const order = orderOf(kind, options.now, options.timeZone);
  // SQLite needs a limit in order to skip, and takes twice as long with a limit that it does not know beforehand.
  const part = skip === 0 && limit === undefined ? sql`` : sql`limit ${limit ?? ALL} offset ${skip}`;
  const from = sql`from ${sql.table(kind.table)} where ${where} order by ${order} ${part}`;
  return jsonList(database.db, database.engine, columnsOf(kind, options.isShort), from);
}

/**
 * The published items before and after one in the order of its list; null where there is none, and both where the one is
 * not published itself.
 */
export async function findNeighbours(
  db: Access,
  kind: ContentKind,
  id: number,
  { now, timeZone }: Pick<ListOptions, 'now' | 'timeZone'>,
): Promise<Record<'precedent' | 'suivant', { id: number; titre: string } | null>> {
  const title = sql.ref(kind.titledBy);
  const { rows } = await sql<
    Record<'avant' | 'apres', number | null> & Record<'titre_avant' | 'titre_apres', string>
  >`
    select avant, titre_avant, apres, titre_apres from (
      select id, lag(id) over rang as avant, lag(${title}) over rang as titre_avant,
        lead(id) over rang as apres, lead(${title}) over rang as titre_apres
      from ${sql.table(kind.table)} where ${publishedAt(now)}
      window rang as (order by ${orderOf(kind, now, timeZone)})
    ) as rangees where id = ${id}`.execute(db);
  const { avant = null, titre_avant = '', apres = null, titre_apres = '' } = rows[0] ?? {};
  return {
    precedent: avant === null ? null : { id: avant, titre: titre_avant },
    suivant: apres === null ? null : { id: apres, titre: titre_apres },
  };
}

/** The next instant at which the published list changes without a write; undefined when there is none. */
export async function nextChange(
  db: Access,
  kind: ContentKind,
  now: Date,
  timeZone: string,
): Promise<Date | undefined> {
  const at = now.toISOString();
  const result = await sql<{ debut: string | null; fin: string | null }>`
    select min(case when publie_du > ${at} then publie_du end) as debut,
           min(case when publie_au > ${at} then publie_au end) as fin
    from ${sql.table(kind.table)} where supprime_le is null and brouillon = 0`.execute(db);
  const { debut = null, fin = null } = result.rows[0] ?? {};
  const edges = [debut, fin].flatMap((edge) => (edge ? [Date.parse(edge)] : []));
  if (kind.upcomingBy) edges.push(now.getTime() + millisecondsToMidnight(now, timeZone));
  return edges.length > 0 ? new Date(Math.min(...edges)) : undefined;
}

/** Milliseconds until midnight at the site; one hour when its clocks change before then. */
function millisecondsToMidnight(now: Date, timeZone: string): number {
  const wall = wallClock(now, timeZone);
  const day = 24 * 3_600_000;
  // `wallClock` drops milliseconds; the instant has them.
  const left = day - (Date.parse(wall) % day) - (now.getTime() % 1000);
  const lands = wallClock(new Date(now.getTime() + left), timeZone);
  // On a day of 23 or 25 hours the caller asks again after an hour, until the result is exact.
  return lands.endsWith('T00:00:00.000Z') ? left : 3_600_000;
}

export async function listPublished(
  db: Access,
  kind: ContentKind,
  now: Date,
  limit: number,
): Promise<{ id: number; modifie_le: string }[]> {
  const { rows } = await sql<{ id: number; modifie_le: string }>`
    select id, modifie_le from ${sql.table(kind.table)} where ${publishedAt(now)}
    order by id desc limit ${limit}`.execute(db);
  return rows;
}

export async function hasPublished(db: Access, kind: ContentKind, now: Date): Promise<boolean> {
  const { rows } =
    await sql`select 1 from ${sql.table(kind.table)} where ${publishedAt(now)} limit 1`.execute(db);
  return rows.length > 0;
}

export function findRow(db: Access, kind: ContentKind, id: number): Promise<ContentRow | undefined> {
  return db.selectFrom(kind.table).selectAll().where('id', '=', id).executeTakeFirst();
}

/** Like `findRow`, but locks the row until the end of the transaction. */
export function findRowToChange(
  database: Database,
  transaction: Access,
  kind: ContentKind,
  id: number,
): Promise<ContentRow | undefined> {
  return transaction
    .selectFrom(kind.table)
    .selectAll()
    .where('id', '=', id)
    .modifyEnd(database.rowLock)
    .executeTakeFirst();
}

/** Column values of a kind, which are its data: their names are checked where they are read from a form. */
type Values = Record<string, string | number | null>;

export function insertRow(db: Access, kind: ContentKind, values: Values, now: Date): Promise<ContentRow> {
  const at = now.toISOString();
  return db
    .insertInto(kind.table)
    .values({ ...values, created_at: at, modifie_le: at, version: 1 })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes a row and raises its version, so that a form drawn from the old one is recognised as stale. */
export function updateRow(
  db: Access,
  kind: ContentKind,
  id: number,
  values: Values,
  now: Date,
): Promise<ContentRow> {
  return db
    .updateTable(kind.table)
    .set({ ...values, modifie_le: now.toISOString() })
    .set((expression) => ({ version: expression('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function listDeleted(db: Access, kind: ItemKind) {
  return db.selectFrom(kind.table).selectAll().where('supprime_le', 'is not', null).execute();
}

export async function deleteRow(transaction: Access, kind: ItemKind, id: number): Promise<void> {
  await transaction.deleteFrom(kind.table).where('id', '=', id).execute();
}

/** A row as answered by id. Its columns are the kind's data, which types cannot follow: hence the cast. */
export function itemOf<K extends ContentKind>(kind: K, row: ContentRow): Item<K> {
  const { supprime_le: _deleted, modifie_le: _changed, plie: _folded, ...columns } = row;
  const item: object = {
    ...columns,
    illustrations: kind.pdf ? undefined : illustrationsOf(row),
    date_publication: row.publie_du ?? row.created_at,
  };
  return item as Item<K>;
}

/* When a content row is public: once as SQL for queries, once for rows already read. */

interface Published {
  publie_du: string | null;
  publie_au: string | null;
  supprime_le: string | null;
  brouillon: number;
}

/** SQL: since when a row of a content table is, or would be, public. Its indexes use the same expression. */
const PUBLISHED_SINCE = 'coalesce(publie_du, created_at)';

function publishedAt(now: Date): RawBuilder<boolean> {
  const at = now.toISOString();
  return sql<boolean>`supprime_le is null and brouillon = 0 and (publie_du is null or publie_du <= ${at}) and (publie_au is null or publie_au > ${at})`;
}

export function isPublished(row: Published, now: Date): boolean {
  const at = now.toISOString();
  if (row.supprime_le !== null || row.brouillon !== 0) return false;
  return (row.publie_du === null || row.publie_du <= at) && (row.publie_au === null || row.publie_au > at);
}

/* What visitors find. */

/** The published items of a kind that have each of the words, in the order of its list. */
export async function listMatching(
  db: Access,
  kind: ContentKind,
  words: readonly string[],
  { now, timeZone }: Pick<ListOptions, 'now' | 'timeZone'>,
): Promise<MatchingRow[]> {
  const { rows } = await sql<{ id: number; plie: string; passe: number }>`
    select id, substr(plie, 1, ${sql.lit(FOLDED_TITLE)}) as plie,
      case when ${isAhead(kind, now, timeZone)} then 0 else 1 end as passe
    from ${sql.table(kind.table)}
    where ${publishedAt(now)} and ${hasWords(words)}
    order by ${orderOf(kind, now, timeZone)}`.execute(db);
  return rows.map(({ passe, ...row }) => ({ ...row, isPast: passe === 1 }));
}

/** The public rows of these ids, in their order; those withdrawn meanwhile are left out. */
export async function listRows(
  db: Access,
  kind: ContentKind,
  ids: readonly number[],
  now: Date,
): Promise<ContentRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom(kind.table)
    .selectAll()
    .where('id', 'in', ids)
    .where(publishedAt(now))
    .execute();
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
}

/* The text of minutes, page by page. */

export async function writePages(transaction: Access, id: number, pages: readonly PageText[]): Promise<void> {
  await transaction.deleteFrom('documents_pages').where('document_id', '=', id).execute();
  for (const [index, page] of pages.entries()) {
    const values = { document_id: id, page: index + 1, ...page };
    await transaction.insertInto('documents_pages').values(values).execute();
  }
}

/** Maximum number of pages shown for one item. */
const PASSAGES_MAX = 3;

interface FoundPage {
  document_id: number;
  page: number;
  /** One digit for each word: `1` when it is on the page, else `0`. */
  mots: string;
  /** Text of the page for the first `PASSAGES_MAX` pages of a PDF, else null. */
  texte: string | null;
}

/** Every page that has at least one of the words, those with the most words first, then by page number. */
export async function listPagesWith(db: Access, words: readonly string[]): Promise<FoundPage[]> {
  const digits = words.map((word) => sql`case when ${hasWord(word)} then '1' else '0' end`);
  const rank = sql`length(replace(mots, '0', '')) desc, page`;
  const pages = await sql<FoundPage>`
    with trouvees as (
      select document_id, page, texte, ${sql.join(digits, sql` || `)} as mots
      from documents_pages where ${sql.join(words.map(hasWord), sql` or `)}
    )
    select document_id, page, mots,
      case when row_number() over (partition by document_id order by ${rank}) <= ${sql.lit(PASSAGES_MAX)}
        then texte end as texte
    from trouvees order by ${rank}`.execute(db);
  return pages.rows;
}

/** Every item of a kind by its title, the bin included, for the search of the portal. */
export async function listTitles(db: Access, kind: ItemKind): Promise<SearchRow[]> {
  const title = sql.join(
    [kind.titledBy].flat().map((name) => sql.ref(name)),
    sql` || ' ' || `,
  );
  const since = kind.hasWindow ? sql.raw(PUBLISHED_SINCE) : sql.ref('created_at');
  const { rows } = await sql<SearchRow & { supprime_le: string | null }>`
    select id, ${title} as titre, ${since} as date_publication, supprime_le
    from ${sql.table(kind.table)}`.execute(db);
  return rows.map(({ supprime_le, ...row }) => ({ ...row, dans_la_corbeille: supprime_le !== null }));
}
