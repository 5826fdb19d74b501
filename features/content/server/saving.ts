import { journal } from '#features/audit/server/journal.ts';
import { lastChangeOf } from '#features/audit/server/store.ts';
import { type ItemBody, mayLack } from '#features/content/calls.ts';
import type { ContentKind, ItemKind } from '#features/content/shared/kind.ts';
import { genreOf } from '#features/content/shared/kinds.ts';
import type { Actor } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/open.ts';
import {
  eraseStruckOff,
  eraseUnregistered,
  registerFiles,
  strikeOff,
} from '#platform/server/files/register.ts';
import { conflict, invalid, notFound } from '#platform/server/http/errors.ts';
import { requireFile, type StagedForm } from '#platform/server/http/forms.ts';
import { addJob } from '#platform/server/jobs/jobs.ts';
import type { Services } from '#platform/server/services.ts';
import { narrowerWidths } from '#platform/shared/pictures.ts';
import { isFilled, REQUIRED } from '#platform/shared/text.ts';
import { readInstant } from '#platform/shared/time.ts';
import { fileRows, type KeptFile, keepFiles, namesHeld, placeFiles } from './files.ts';
import { type ContentRow, insertRow } from './store.ts';

/** A creation form whose body is checked. */
export interface CheckedForm extends Pick<StagedForm, 'files'> {
  body: ItemBody;
}

/** A further write in an item's transaction; if it throws, the whole transaction is undone. */
export type Alongside = (transaction: Access, id: number) => Promise<void>;

/**
 * Runs the transaction of a save whose files are stored already. On failure the files are erased again, unless the row
 * turns out to be there. Cached lists are dropped before the caller gets an answer.
 */
export async function saving<Row>(
  services: Services,
  kind: ItemKind,
  files: readonly KeptFile[],
  work: (transaction: Access, now: Date) => Promise<Row>,
): Promise<Row> {
  const { database, storage, clock } = services;
  try {
    return await database.write(async (transaction) => {
      const now = clock();
      const row = await work(transaction, now);
      for (const { nom, illustration } of files) {
        if (!illustration || narrowerWidths(illustration.largeur).length === 0) continue;
        await addJob(transaction, 'narrow-picture', { nom, largeur: illustration.largeur }, now);
      }
      return row;
    });
  } catch (error) {
    await eraseUnregistered(
      database,
      storage,
      files.map(({ nom }) => ({ nom, dossier: kind.folder, largeurs: '' })),
    );
    throw error;
  } finally {
    await services.cache.drop(genreOf(kind));
    services.jobs.wake();
  }
}

/**
 * Like `saving`, for a change: `work` returns the row before and after it. Registers the files that the row gained and
 * erases those that it no longer holds.
 */
export async function savingChange<Row extends { id: number }>(
  services: Services,
  kind: ItemKind,
  files: readonly KeptFile[],
  actor: Actor,
  work: (transaction: Access, now: Date) => Promise<{ before: Row; after: Row }>,
): Promise<Row> {
  let leaving: string[] = [];
  const saved = await saving(services, kind, files, async (transaction, now) => {
    const { before, after } = await work(transaction, now);
    const owner = { table: kind.table, id: after.id };
    const held = namesHeld(kind, after);
    const dropped = namesHeld(kind, before).filter((name) => !held.includes(name));
    leaving = await strikeOff(transaction, owner, dropped);
    await registerFiles(transaction, fileRows(kind, after.id, files, now));
    await journal(transaction, actor, now, 'modification', owner);
    return after;
  });
  await eraseStruckOff(services, leaving);
  return saved;
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
    throw conflict(kind.byId.stale, { actuel: shown(row), envoye: given(body.values), modifie });
  }
  return row;
}

/** The texts that the form sent, without the fields left out. */
export function given(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Adds an item, sent by staff or by the site itself: makes its files safe and stores them, then writes the row. */
export async function addItem(
  services: Services,
  kind: ContentKind,
  form: CheckedForm,
  actor: Actor,
  alongside?: Alongside,
): Promise<ContentRow> {
  const { body } = form;
  const window = publicationWindow(services, body, undefined);
  if (kind.pdf) requireFile(form, kind.pdf.column, kind.pdf.label);
  const files = await keepFiles(services, kind, form.files);
  return saving(services, kind, files, async (transaction, now) => {
    const values = {
      ...given(body.values),
      ...window,
      brouillon: body.brouillon ? 1 : 0,
      ...placeFiles(kind, undefined, body, files),
    };
    const inserted = await insertRow(transaction, kind, values, now);
    await registerFiles(transaction, fileRows(kind, inserted.id, files, now));
    if (kind.pdf) await addJob(transaction, 'read-minutes', { id: inserted.id }, now);
    await journal(transaction, actor, now, 'création', { table: kind.table, id: inserted.id });
    await alongside?.(transaction, inserted.id);
    return inserted;
  });
}

/**
 * Start and end of publication as instants; `from`: the start where there is none. Throws 422 unless the end is after the
 * start, even if one was sent.
 */
export function publicationWindow(
  services: Pick<Services, 'config'>,
  body: ItemBody,
  row: ContentRow | undefined,
  from?: Date,
) {
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

/**
 * The column that changes when a draft is published or an item becomes a draft again. Throws 422 by field when a draft to
 * be published lacks required texts.
 */
export function draftColumns(kind: ContentKind, body: ItemBody, row: ContentRow): { brouillon?: number } {
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
