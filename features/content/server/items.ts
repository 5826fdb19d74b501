import type { ItemBody } from '#features/content/calls.ts';
import { type ContentKind, titleOf } from '#features/content/shared/kind.ts';
import { genreOf, KINDS } from '#features/content/shared/kinds.ts';
import { requireRole } from '#platform/server/http/access.ts';
import type { FileOwners } from '#platform/server/http/downloads.ts';
import { notFound } from '#platform/server/http/errors.ts';
import { type Context, type Handlers, RawJson } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { API_PREFIX, type CallKey } from '#platform/shared/call.ts';
import { askedWords } from '#platform/shared/fold.ts';
import { ADMIN } from '#platform/shared/roles.ts';
import { moveToBin } from './bin.ts';
import { type Doors, doorOf } from './doors.ts';
import { keepFiles, placeFiles } from './files.ts';
import { searchItems } from './minutesSearch.ts';
import { addItem, given, publicationWindow, requireCurrent, savingChange } from './saving.ts';
import {
  type ContentRow,
  findRow,
  findRowToChange,
  isPublished,
  itemOf,
  listItems,
  nextChange,
  updateRow,
} from './store.ts';

/* The calls of the six content kinds. */

interface ContentContext extends Omit<Context<CallKey>, 'params' | 'query' | 'body'> {
  params: { id: number };
  query: { tout?: '1'; debut?: number; limite?: number; abrege?: '1'; recherche?: string };
  body: ItemBody;
}

type ContentKeys = Extract<
  CallKey,
  `${string} /${'actualites' | 'alaune' | 'logos' | 'events' | 'avantage' | 'documents'}${'' | '/:id'}`
>;

export function contentHandlers(services: Services): Pick<Handlers, ContentKeys> {
  const handlers: Record<string, (context: ContentContext) => Promise<unknown>> = {};
  for (const kind of KINDS) {
    handlers[`GET ${kind.path}`] = (context) => list(services, kind, context);
    handlers[`POST ${kind.path}`] = (context) => create(services, kind, context);
    handlers[`DELETE ${kind.path}/:id`] = (context) => remove(services, kind, context);
    if (!kind.byId) continue;
    handlers[`GET ${kind.path}/:id`] = (context) => read(services, kind, context);
    handlers[`PUT ${kind.path}/:id`] = (context) => update(services, kind, context);
  }
  return handlers as unknown as Pick<Handlers, ContentKeys>;
}

async function list(
  services: Services,
  kind: ContentKind,
  { query, session }: ContentContext,
): Promise<unknown> {
  const { database, config, cache } = services;
  const everything = query.tout === '1';
  if (everything) requireRole(session ? [session] : [], ADMIN);
  const now = services.clock();
  const isShort = query.abrege === '1';
  const { debut: skip = 0, limite: limit } = query;
  const options = { now, timeZone: config.TIME_ZONE, skip, limit, isShort };
  const words = kind.pdf ? askedWords(query.recherche ?? '') : [];
  if (words.length > 0) return searchItems(database, kind, words, { ...options, everything });
  if (everything || kind.readableBy !== 'anyone') {
    return new RawJson(await listItems(database, kind, { ...options, everything }));
  }
  const { body, etag } = await cache.get(listAddress(kind, query), genreOf(kind), async () => ({
    body: await listItems(database, kind, options),
    until: await nextChange(database.db, kind, now, config.TIME_ZONE),
  }));
  return new RawJson(body, etag);
}

/** The cache key of a public list: one for each distinct answer, however the query was written. */
function listAddress(kind: ContentKind, { debut, limite, abrege }: ContentContext['query']): string {
  const asked = [
    ...(debut ? [`debut=${debut}`] : []),
    ...(limite ? [`limite=${limite}`] : []),
    ...(abrege ? ['abrege=1'] : []),
  ].join('&');
  return `${API_PREFIX}${kind.path}${asked && `?${asked}`}`;
}

async function read(
  services: Services,
  kind: ContentKind,
  { params, session }: ContentContext,
): Promise<unknown> {
  const row = await findRow(services.database.db, kind, params.id);
  if (!row || row.supprime_le !== null) throw notFound(kind.texts.notFound);
  if (session?.role !== 'admin' && !isPublished(row, services.clock())) throw notFound(kind.texts.notFound);
  const item = itemOf(kind, row);
  return kind.byId?.readsAs === 'list' ? [item] : item;
}

async function create(services: Services, kind: ContentKind, context: ContentContext): Promise<unknown> {
  const row = await addItem(services, kind, context, context);
  return { message: kind.texts.created, ...itemOf(kind, row) };
}

async function update(services: Services, kind: ContentKind, context: ContentContext): Promise<unknown> {
  const { body, params } = context;
  const { database } = services;
  const current = (row: ContentRow | undefined) => requireCurrent(kind, row, body, (one) => shown(kind, one));
  // Checked before the pictures are made, so that a stale form costs nothing; checked again below, under the lock.
  current(await findRow(database.db, kind, params.id));
  const files = await keepFiles(services, kind, context.files);
  const saved = await savingChange(services, kind, files, context, async (transaction, now) => {
    const before = current(await findRowToChange(database, transaction, kind, params.id));
    const window = publicationWindow(services, body, before);
    const values = { ...given(body.values), ...window, ...placeFiles(kind, before, body, files) };
    return { before, after: await updateRow(transaction, kind, params.id, values, now) };
  });
  return { message: kind.byId?.updated ?? '', ...itemOf(kind, saved) };
}

function shown(kind: ContentKind, row: ContentRow): Record<string, unknown> {
  const { supprime_le: _deleted, modifie_le: _changed, ...item } = itemOf(kind, row);
  return item;
}

async function remove(services: Services, kind: ContentKind, context: ContentContext): Promise<unknown> {
  const { database, clock } = services;
  await database.write(async (transaction) => {
    const now = clock();
    const row = await findRowToChange(database, transaction, kind, context.params.id);
    if (!row || row.supprime_le !== null) throw notFound(kind.texts.notFound);
    await moveToBin(transaction, kind, row.id, context, now);
  });
  await services.cache.drop(genreOf(kind));
  return { message: kind.texts.deleted };
}

/** Who may open the files of content rows: those published are public, minutes are for readers. */
export function contentFileOwners(services: Services): FileOwners {
  const owners: FileOwners = {};
  for (const kind of KINDS) {
    owners[kind.table] = async (id, now) => {
      const row = await findRow(services.database.db, kind, id);
      if (!row || row.supprime_le !== null) return undefined;
      const label = titleOf(kind, row);
      const to = isPublished(row, now) ? kind.readableBy : 'closed';
      return { to, closedBut: ['admin'], label };
    };
  }
  return owners;
}

/** Adapters by which the site itself adds and removes items of the content kinds. */
export function contentDoors(services: Services): Doors {
  return Object.fromEntries(
    KINDS.map((kind) => [
      kind.table,
      doorOf(services, kind, {
        add: (form, actor, alongside) => addItem(services, kind, form, actor, alongside),
        findToChange: (transaction, id) => findRowToChange(services.database, transaction, kind, id),
        moveToBin: (transaction, row, actor, now) => moveToBin(transaction, kind, row.id, actor, now),
      }),
    ]),
  );
}
