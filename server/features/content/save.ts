import { calls } from '../../../shared/api.ts';
import type { ContentBody } from '../../../shared/content/calls.ts';
import { type ContentKind, narrowerWidths } from '../../../shared/content/kind.ts';
import { genreOf } from '../../../shared/content/kinds.ts';
import { readInstant } from '../../../shared/time.ts';
import type { Access } from '../../db/open.ts';
import { eraseUnregistered, registerFiles } from '../../files.ts';
import { invalid } from '../../http/errors.ts';
import { type OwnFile, requireFile, type StagedForm, stageOwnFiles } from '../../http/forms.ts';
import { check } from '../../http/problems.ts';
import { addJob } from '../../jobs/jobs.ts';
import { type Actor, journal } from '../../journal.ts';
import type { Services } from '../../services.ts';
import { fileRows, type KeptFile, keepFiles, placeFiles } from './files.ts';
import { type ContentRow, insertRow } from './store.ts';

/** How an item is saved, whoever brings it. */

/** A further write in an item's transaction; what it throws undoes the whole. */
export type Alongside = (transaction: Access, id: number) => Promise<void>;

/**
 * Adds an item that the site itself brings, by the rules of a form that staff send: `texts` and `files` are
 * what its fields would hold. Throws what the call would answer.
 */
export async function addContent(
  services: Services,
  kind: ContentKind,
  { texts, files }: { texts: Record<string, string | string[]>; files: Record<string, OwnFile[]> },
  actor: Actor,
  alongside: Alongside,
): Promise<void> {
  const body = calls.find((one) => one.key === `POST ${kind.path}`)?.call.body;
  if (body?.as !== 'multipart') throw new Error(`No form creates ${kind.table}`);
  const checked = check(body.schema, texts) as ContentBody;
  const form = await stageOwnFiles(files, services.staging);
  try {
    await addItem(services, kind, { body: checked, files: form.files }, actor, alongside);
  } finally {
    await form.discard();
  }
}

/** Adds an item: its files made safe and kept first, then one transaction. */
export async function addItem(
  services: Services,
  kind: ContentKind,
  form: Pick<StagedForm, 'files'> & { body: ContentBody },
  actor: Actor,
  alongside?: Alongside,
): Promise<ContentRow> {
  const { body } = form;
  const window = publicationWindow(services, body, undefined);
  if (kind.pdf) requireFile(form, kind.pdf.column, kind.pdf.label);
  const files = await keepFiles(services, kind, form.files);
  return saving(services, kind, files, async (transaction, now) => {
    const values = { ...given(body.values), ...window, ...placeFiles(kind, undefined, body, files) };
    const inserted = await insertRow(transaction, kind, values, now);
    await registerFiles(transaction, fileRows(kind, inserted.id, files, now));
    await journal(transaction, actor, now, 'création', { table: kind.table, id: inserted.id });
    await alongside?.(transaction, inserted.id);
    return inserted;
  });
}

/**
 * Runs the transaction of a save whose files are kept already. On failure the files are erased again, unless
 * the row turns out to be there; on success lists are dropped before anybody hears of it.
 */
export async function saving(
  services: Services,
  kind: ContentKind,
  files: readonly KeptFile[],
  work: (transaction: Access, now: Date) => Promise<ContentRow>,
): Promise<ContentRow> {
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
    services.kept.drop(genreOf(kind));
    services.jobs.wake();
  }
}

/** The texts that the form sent; the others stay as they are. */
export function given(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Start and end as instants; the end must come after the start, whichever of the two was sent. */
export function publicationWindow(services: Services, body: ContentBody, row: ContentRow | undefined) {
  const read = (text: string | undefined, held: string | null) => {
    if (text === undefined) return held;
    return text === '' ? null : (readInstant(text, services.config.TIME_ZONE)?.toISOString() ?? null);
  };
  const window = {
    publie_du: read(body.publie_du, row?.publie_du ?? null),
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
