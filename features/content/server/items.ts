import { journal } from '#features/audit/server/journal.ts';
import { lastChangeOf } from '#features/audit/server/store.ts';
import { isMeetingPasswordKnown } from '#features/site/server/settingsStore.ts';
import type { Actor } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import { conflict, invalid, notFound } from '#platform/server/errors.ts';
import { registerFiles } from '#platform/server/files/registerStore.ts';
import { requireAdmitted } from '#platform/server/http/access.ts';
import type { FileOwners } from '#platform/server/http/downloads.ts';
import { requireFile, type StagedForm } from '#platform/server/http/forms.ts';
import { type Context, type HandlersOf, RawJson } from '#platform/server/http/serve.ts';
import { addJob } from '#platform/server/jobs/jobsStore.ts';
import type { Services } from '#platform/server/services.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import { askedWords } from '#platform/shared/fold.ts';
import { isAdmitted } from '#platform/shared/roles.ts';
import { isFilled, REQUIRED } from '#platform/shared/text.ts';
import { readInstant } from '#platform/shared/time.ts';
import { type contentCalls, type ItemBody, mayLack } from '../calls.ts';
import {
  benefits,
  type ContentKind,
  events,
  featured,
  genreOf,
  type Item,
  type ItemKind,
  KINDS,
  minutes,
  news,
  partners,
  titleOf,
} from '../shared/kinds.ts';
import { moveToBin } from './bin.ts';
import { calendarOf } from './calendar.ts';
import { fileRows, type KeptFile, keepFiles, placeFiles, saving, savingChange } from './files.ts';
import { findMinutes, foldedTexts, searchMinutes } from './search.ts';
import {
  type ContentRow,
  findNeighbours,
  findRow,
  findRowToChange,
  hasPublished,
  insertRow,
  isPublished,
  itemOf,
  type ListOptions,
  listItems,
  nextChange,
  updateRow,
  writePages,
} from './store.ts';

/* The calls of the six content kinds, and who may open their files. */

export function contentHandlers(services: Services): HandlersOf<typeof contentCalls> {
  return {
    'GET /actualites': (context) => list(services, news, context),
    'POST /actualites': (context) => create(services, news, context),
    'DELETE /actualites/:id': (context) => remove(services, news, context),
    'GET /actualites/:id': async (context) => [await read(services, news, context)],
    'PUT /actualites/:id': (context) => update(services, news, context),
    'GET /actualites/:id/voisins': (context) => readNeighbours(services, news, context),
    'GET /alaune': (context) => list(services, featured, context),
    'POST /alaune': (context) => create(services, featured, context),
    'DELETE /alaune/:id': (context) => remove(services, featured, context),
    'GET /alaune/:id': (context) => read(services, featured, context),
    'PUT /alaune/:id': (context) => update(services, featured, context),
    'GET /alaune/:id/voisins': (context) => readNeighbours(services, featured, context),
    'GET /logos': (context) => list(services, partners, context),
    'POST /logos': (context) => create(services, partners, context),
    'DELETE /logos/:id': (context) => remove(services, partners, context),
    'GET /logos/:id': (context) => read(services, partners, context),
    'PUT /logos/:id': (context) => update(services, partners, context),
    'GET /events': (context) => list(services, events, context),
    'POST /events': (context) => create(services, events, context),
    'DELETE /events/:id': (context) => remove(services, events, context),
    'GET /events/:id': async (context) => [await read(services, events, context)],
    'PUT /events/:id': (context) => update(services, events, context),
    'GET /events/:id/voisins': (context) => readNeighbours(services, events, context),
    'GET /events/:id/agenda': (context) => calendarOf(services, context),
    'GET /avantage': (context) => list(services, benefits, context),
    'POST /avantage': (context) => create(services, benefits, context),
    'DELETE /avantage/:id': (context) => remove(services, benefits, context),
    'GET /avantage/:id': (context) => read(services, benefits, context),
    'PUT /avantage/:id': (context) => update(services, benefits, context),
    'GET /avantage/:id/voisins': (context) => readNeighbours(services, benefits, context),
    'GET /documents': (context) => listMinutes(services, context),
    'GET /documents/acces': async () => {
      const { db } = services.database;
      if (!(await hasPublished(db, minutes, services.clock()))) return { etat: 'aucun' };
      return { etat: (await isMeetingPasswordKnown(db)) ? 'ouvert' : 'sans_mot_de_passe' };
    },
    'POST /documents': (context) => create(services, minutes, context),
    'DELETE /documents/:id': (context) => remove(services, minutes, context),
    'GET /documents/recherche': async ({ query }) => {
      const words = askedWords(query.q);
      if (words.length === 0) return { nombre: 0, resultats: [] };
      const { database, clock, config } = services;
      return findMinutes(database, words, { now: clock(), timeZone: config.TIME_ZONE });
    },
    'GET /documents/:id': (context) => read(services, minutes, context),
    'PUT /documents/:id': (context) => update(services, minutes, context),
  };
}

export interface CheckedForm extends Pick<StagedForm, 'files'> {
  body: ItemBody;
}

/** A further write in an item's transaction; if it throws, the whole transaction is undone. */
export type Alongside = (transaction: Access, id: number) => Promise<void>;

type ListContext = Pick<Context<'GET /actualites'>, 'query' | 'session'>;
type CreationContext = CheckedForm & Actor;
type IdContext = Pick<Context<'GET /actualites/:id'>, 'params' | 'session' | 'ip'>;

async function list(services: Services, kind: ContentKind, context: ListContext): Promise<RawJson> {
  const { database, cache } = services;
  const options = listOptions(services, context);
  if (options.everything || kind.readableBy !== 'anyone') {
    return new RawJson(await listItems(database, kind, options));
  }
  const { body, etag } = await cache.get(listAddress(kind, context.query), genreOf(kind), async () => ({
    body: await listItems(database, kind, options),
    until: await nextChange(database.db, kind, options.now, options.timeZone),
  }));
  return new RawJson(body, etag);
}

async function listMinutes(services: Services, context: Context<'GET /documents'>) {
  const words = askedWords(context.query.recherche ?? '');
  if (words.length === 0) return list(services, minutes, context);
  return searchMinutes(services.database, words, listOptions(services, context));
}

function listOptions({ clock, config }: Services, { query, session }: ListContext): ListOptions {
  const everything = query.tout === '1';
  if (everything) requireAdmitted(session ? [session] : [], ['contenus']);
  const { debut: skip = 0, limite: limit } = query;
  const isShort = query.abrege === '1';
  return { now: clock(), timeZone: config.TIME_ZONE, everything, skip, limit, isShort };
}

/** The cache key of a public list: one for each distinct answer, however the query was written. */
function listAddress(kind: ContentKind, { debut, limite, abrege }: ListContext['query']): string {
  const asked = [
    ...(debut ? [`debut=${debut}`] : []),
    ...(limite ? [`limite=${limite}`] : []),
    ...(abrege ? ['abrege=1'] : []),
  ].join('&');
  return `${API_PREFIX}${kind.path}${asked && `?${asked}`}`;
}

async function read<K extends ContentKind>(
  services: Services,
  kind: K,
  { params, session }: IdContext,
): Promise<Item<K>> {
  const row = await findRow(services.database.db, kind, params.id);
  if (!row || row.supprime_le !== null) throw notFound(kind.texts.notFound);
  const seesAll = session && isAdmitted(session, ['contenus']);
  if (!seesAll && !isPublished(row, services.clock())) throw notFound(kind.texts.notFound);
  return itemOf(kind, row);
}

function readNeighbours(
  { database, clock, config }: Services,
  kind: ContentKind,
  { params }: Pick<IdContext, 'params'>,
) {
  return findNeighbours(database.db, kind, params.id, { now: clock(), timeZone: config.TIME_ZONE });
}

const DRAFT_SAVED = 'Brouillon enregistré\u202f: les visiteurs ne le voient pas.';

async function create<K extends ContentKind>(services: Services, kind: K, context: CreationContext) {
  const { conseil, row } = await addItem(services, kind, context, context);
  return { message: row.brouillon ? DRAFT_SAVED : kind.texts.created, conseil, ...itemOf(kind, row) };
}

/** Adds an item, sent by staff or by the site itself: makes its files safe and stores them, then writes the row. */
export async function addItem(
  services: Services,
  kind: ContentKind,
  form: CheckedForm,
  actor: Actor,
  alongside?: Alongside,
): Promise<{ row: ContentRow; conseil: string | undefined }> {
  const { body } = form;
  const window = publicationWindow(services, body, undefined);
  requireEndAfterStart(kind, body, undefined);
  if (kind.pdf) requireFile(form, kind.pdf.column, kind.pdf.label);
  const files = await keepFiles(services, kind, form.files);
  const row = await saving(services, kind, files, async (transaction, now) => {
    const values = {
      ...given(body.values),
      ...window,
      brouillon: body.brouillon ? 1 : 0,
      ...placeFiles(kind, undefined, body, files),
    };
    const inserted = await insertRow(transaction, kind, { ...values, ...foldedTexts(kind, values) }, now);
    await registerFiles(transaction, fileRows(kind, inserted.id, files, now));
    if (kind.pdf) await addJob(transaction, 'read-minutes', { id: inserted.id }, now);
    await journal(transaction, actor, now, 'création', { table: kind.table, id: inserted.id });
    await alongside?.(transaction, inserted.id);
    return inserted;
  });
  return { row, conseil: adviceOn(files) };
}

const adviceOn = (files: readonly KeptFile[]) => files.find(({ conseil }) => conseil)?.conseil;

async function update<K extends ContentKind>(
  services: Services,
  kind: K,
  context: CreationContext & IdContext,
) {
  const { body, params } = context;
  const { database } = services;
  const current = (db: Access, row: ContentRow | undefined) =>
    requireCurrent(db, kind, row, body, (one) => itemOf(kind, one));
  // Checked before the pictures are made, so that a stale form costs nothing; checked again below, under the lock.
  await current(database.db, await findRow(database.db, kind, params.id));
  const files = await keepFiles(services, kind, context.files);
  let wasDraft = false;
  const saved = await savingChange(services, kind, files, context, async (transaction, now) => {
    const before = await current(transaction, await findRowToChange(database, transaction, kind, params.id));
    wasDraft = before.brouillon === 1;
    const draft = draftColumns(kind, body, before);
    // Begun earlier, a draft is published now, unless it has a start.
    const isPublishing = wasDraft && draft.brouillon === 0;
    requireEndAfterStart(kind, body, before);
    const values = {
      ...given(body.values),
      ...publicationWindow(services, body, before, isPublishing ? now : undefined),
      ...draft,
      ...placeFiles(kind, before, body, files),
    };
    const folded = foldedTexts(kind, { ...before, ...values });
    const after = await updateRow(transaction, kind, params.id, { ...values, ...folded }, now);
    if (kind.pdf && files.length > 0) {
      // What the former PDF said is not found until the job has read the new one.
      await writePages(transaction, after.id, []);
      await addJob(transaction, 'read-minutes', { id: after.id }, now);
    }
    return { before, after };
  });
  const done = wasDraft ? kind.texts.created : kind.texts.updated;
  return { message: saved.brouillon ? DRAFT_SAVED : done, conseil: adviceOn(files), ...itemOf(kind, saved) };
}

/**
 * Returns the row if the form may change it. Throws 404 when there is none or it is in the bin, 409 with both texts
 * and who saved the other, when the form is older than the row; `shown` turns a row into what staff read.
 */
export async function requireCurrent<
  Row extends { id: number; version: number; supprime_le: string | null; modifie_le: string },
>(
  db: Access,
  kind: ItemKind,
  row: Row | undefined,
  body: ItemBody,
  shown: (row: Row) => unknown,
): Promise<Row> {
  if (!row || row.supprime_le !== null) throw notFound(kind.texts.notFound);
  if (body.version !== undefined && body.version !== row.version) {
    const modifie = await lastChangeOf(db, kind.table, row);
    throw conflict(kind.texts.stale, { actuel: shown(row), envoye: given(body.values), modifie });
  }
  return row;
}

export function given(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/**
 * Start and end of publication as instants; `from`: the start where there is none. Throws 422 unless the end is after the
 * start, even if one was sent.
 */
function publicationWindow(services: Services, body: ItemBody, row: ContentRow | undefined, from?: Date) {
  const read = (text: string | undefined, held: string | null) => {
    if (text === undefined) return held;
    return text === '' ? null : (readInstant(text, services.config.TIME_ZONE)?.toISOString() ?? null);
  };
  const window = {
    publie_du: read(body.publie_du, row?.publie_du ?? null) ?? from?.toISOString() ?? null,
    publie_au: read(body.publie_au, row?.publie_au ?? null),
  };
  if (window.publie_du && window.publie_au && window.publie_au <= window.publie_du) {
    throw invalid(
      { publie_au: 'la fin de publication doit venir après le début.' },
      { publie_au: 'Publié jusqu’au' },
    );
  }
  return window;
}

/** Throws 422 when an item ends before it starts, even if one of both was sent. */
function requireEndAfterStart(kind: ContentKind, body: ItemBody, row: ContentRow | undefined): void {
  const { upcomingBy, endsBy } = kind;
  if (!upcomingBy || !endsBy) return;
  const textOf = (name: string) => String(body.values[name] ?? row?.[name] ?? '');
  const [start, end] = [textOf(upcomingBy), textOf(endsBy)];
  if (start && end && end <= start) {
    const label = kind.fields[endsBy]?.label ?? '';
    throw invalid({ [endsBy]: 'la fin doit venir après le début.' }, { [endsBy]: label });
  }
}

/**
 * The column that changes when a draft is published or an item becomes a draft again. Throws 422 by field when a draft to
 * be published lacks required texts.
 */
function draftColumns(kind: ContentKind, body: ItemBody, row: ContentRow): { brouillon?: number } {
  if (body.brouillon === undefined) return {};
  if (body.brouillon || row.brouillon === 0) return { brouillon: body.brouillon ? 1 : 0 };
  const lacking = Object.keys(kind.fields).filter(
    (name) => mayLack(kind, name) && !isFilled(body.values[name] ?? row[name]),
  );
  if (lacking.length > 0) {
    throw invalid(
      Object.fromEntries(lacking.map((name) => [name, REQUIRED])),
      Object.fromEntries(lacking.map((name) => [name, kind.fields[name]?.label ?? name])),
    );
  }
  return { brouillon: 0 };
}

async function remove(services: Services, kind: ContentKind, context: IdContext) {
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
      return { to, closedBut: ['contenus'], label };
    };
  }
  return owners;
}
