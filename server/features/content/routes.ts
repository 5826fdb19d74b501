import type { CallKey } from '../../../shared/api.ts';
import type { ContentBody } from '../../../shared/content/calls.ts';
import type { ContentKind } from '../../../shared/content/kind.ts';
import { genreOf, KINDS } from '../../../shared/content/kinds.ts';
import { ADMIN } from '../../../shared/roles.ts';
import { API_PREFIX } from '../../../shared/route.ts';
import { eraseStruckOff, registerFiles, strikeOff } from '../../files.ts';
import { requireRole } from '../../http/access.ts';
import type { FileOwners } from '../../http/downloads.ts';
import { conflict, notFound } from '../../http/errors.ts';
import { type Context, type Handlers, RawJson } from '../../http/serve.ts';
import { journal } from '../../journal.ts';
import { isPublished } from '../../publication.ts';
import type { Services } from '../../services.ts';
import { moveToBin } from './bin.ts';
import { fileRows, keepFiles, namesHeld, placeFiles } from './files.ts';
import { addItem, given, publicationWindow, saving } from './save.ts';
import {
  type ContentRow,
  findRow,
  findRowToChange,
  itemOf,
  listItems,
  nextChange,
  updateRow,
} from './store.ts';

/** The calls of the six content kinds. */

interface ContentContext extends Omit<Context<CallKey>, 'params' | 'query' | 'body'> {
  params: { id: number };
  query: { tout?: '1'; limite?: number; abrege?: '1' };
  body: ContentBody;
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
): Promise<RawJson> {
  const { database, config, kept } = services;
  const everything = query.tout === '1';
  if (everything) requireRole(session ? [session] : [], ADMIN);
  const now = services.clock();
  const isShort = query.abrege === '1';
  const options = { now, timeZone: config.TIME_ZONE, limit: query.limite, isShort };
  if (everything || kind.readableBy !== 'anyone') {
    return new RawJson(await listItems(database, kind, { ...options, everything }));
  }
  const { body, etag } = await kept.get(listAddress(kind, query), genreOf(kind), async () => ({
    body: await listItems(database, kind, options),
    until: await nextChange(database.db, kind, now, config.TIME_ZONE),
  }));
  return new RawJson(body, etag);
}

/** The address under which a public list is kept: one for each answer, however the question was written. */
function listAddress(kind: ContentKind, { limite, abrege }: ContentContext['query']): string {
  const asked = [...(limite ? [`limite=${limite}`] : []), ...(abrege ? ['abrege=1'] : [])].join('&');
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
  // Looked at before the pictures are made, so that a stale form costs nothing; decided again below.
  editable(kind, await findRow(database.db, kind, params.id), body);
  const files = await keepFiles(services, kind, context.files);
  let leaving: string[] = [];
  const saved = await saving(services, kind, files, async (transaction, now) => {
    const row = editable(kind, await findRowToChange(database, transaction, kind, params.id), body);
    const window = publicationWindow(services, body, row);
    const values = { ...given(body.values), ...window, ...placeFiles(kind, row, body, files) };
    const changed = await updateRow(transaction, kind, params.id, values, now);
    const held = namesHeld(kind, changed);
    const dropped = namesHeld(kind, row).filter((name) => !held.includes(name));
    leaving = await strikeOff(transaction, { table: kind.table, id: params.id }, dropped);
    await registerFiles(transaction, fileRows(kind, params.id, files, now));
    await journal(transaction, context, now, 'modification', { table: kind.table, id: params.id });
    return changed;
  });
  await eraseStruckOff(services, leaving);
  return { message: kind.byId?.updated ?? '', ...itemOf(kind, saved) };
}

/** Throws 404 when there is nothing to change, 409 with both texts when the form is older than the row. */
function editable(kind: ContentKind, row: ContentRow | undefined, body: ContentBody): ContentRow {
  if (!row || row.supprime_le !== null) throw notFound(kind.texts.notFound);
  if (body.version !== undefined && body.version !== row.version) {
    throw conflict(kind.byId?.stale ?? '', { actuel: shown(kind, row), envoye: given(body.values) });
  }
  return row;
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
  services.kept.drop(genreOf(kind));
  return { message: kind.texts.deleted };
}

/** Who may open the files of content rows: what is published is public, minutes are for readers. */
export function contentFileOwners(services: Services): FileOwners {
  const owners: FileOwners = {};
  for (const kind of KINDS) {
    owners[kind.table] = async (id, now) => {
      const row = await findRow(services.database.db, kind, id);
      if (!row || row.supprime_le !== null) return undefined;
      const label = String(row[kind.titledBy]);
      const to = isPublished(row, now) ? kind.readableBy : 'closed';
      return { to, closedBut: ['admin'], label };
    };
  }
  return owners;
}
