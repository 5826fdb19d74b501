import { journal } from '#features/audit/server/journal.ts';
import type { ItemBody } from '#features/content/calls.ts';
import type { ContentKind } from '#features/content/shared/kind.ts';
import type { Actor } from '#platform/server/actor.ts';
import { registerFiles } from '#platform/server/files/register.ts';
import { invalid } from '#platform/server/http/errors.ts';
import { requireFile } from '#platform/server/http/forms.ts';
import { addJob } from '#platform/server/jobs/jobs.ts';
import type { Services } from '#platform/server/services.ts';
import { readInstant } from '#platform/shared/time.ts';
import type { Alongside, CheckedForm } from './items/door.ts';
import { fileRows, keepFiles, placeFiles } from './items/files.ts';
import { given, saving } from './items/saving.ts';
import { type ContentRow, insertRow } from './store.ts';

/** How an item is saved, whoever brings it. */

/** Adds an item: its files made safe and kept first, then one transaction. */
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
    const values = { ...given(body.values), ...window, ...placeFiles(kind, undefined, body, files) };
    const inserted = await insertRow(transaction, kind, values, now);
    await registerFiles(transaction, fileRows(kind, inserted.id, files, now));
    if (kind.pdf) await addJob(transaction, 'read-minutes', { id: inserted.id }, now);
    await journal(transaction, actor, now, 'création', { table: kind.table, id: inserted.id });
    await alongside?.(transaction, inserted.id);
    return inserted;
  });
}

/** Start and end as instants; the end must come after the start, whichever of the two was sent. */
export function publicationWindow(services: Services, body: ItemBody, row: ContentRow | undefined) {
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
