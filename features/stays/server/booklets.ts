import { z } from 'zod';
import { journal } from '#features/audit/server/journal.ts';
import { type FileKind, fileRows, type KeptFile, keepFiles } from '#features/content/server/files.ts';
import type { Alongside } from '#features/content/server/items.ts';
import type { Actor } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import { check, notFound } from '#platform/server/errors.ts';
import {
  condemnFiles,
  eraseUnregistered,
  registerFiles,
  tryEraseCondemned,
} from '#platform/server/files/registerStore.ts';
import type { FileLabels, FileOwners } from '#platform/server/http/downloads.ts';
import { requireFile, type StagedForm } from '#platform/server/http/forms.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { askedName, type bookletCalls, sentName } from '../calls.ts';
import {
  deleteBooklet,
  deleteBookletsOf,
  findBooklet,
  findBookletFile,
  listBooklets,
  putBooklet,
  TABLE,
} from './bookletsStore.ts';
import { getStayToChange, listStays, requireOwnStay } from './staysStore.ts';

export function bookletHandlers(services: Services): HandlersOf<typeof bookletCalls> {
  const { database, clock } = services;
  return {
    'GET /livrets': async ({ query, session }) => {
      if (query.stageId !== undefined) requireOwnStay(session, query.stageId);
      const booklets = await listBooklets(database.db, query.stageId ?? session?.stageId ?? undefined);
      return booklets.map(({ nom }) => nom);
    },
    'GET /livrets-suivi': async () => {
      const stays = new Map((await listStays(database.db)).map((stay) => [stay.id, stay]));
      const booklets = await listBooklets(database.db);
      return booklets.map(({ nom, stage_id }) => ({ nom, sejour: stays.get(stage_id ?? 0) ?? null }));
    },
    'POST /livrets-upload': async ({ body, files, ...actor }) => {
      const { nom, conseil } = await saveBooklet(services, files, actor, body.stageId);
      return { message: 'Livret téléchargé avec succès', nom, conseil };
    },
    'DELETE /livrets/:name': async ({ params, ...actor }) => {
      await database.write(async (transaction) => {
        const id = await deleteBooklet(transaction, params.name);
        if (id === undefined) throw notFound('Ce livret n’existe pas ou n’existe plus.');
        await journal(transaction, actor, clock(), 'effacement', { table: TABLE, id });
        await condemnFiles(transaction, { table: TABLE, ids: [id] });
      });
      await tryEraseCondemned(services);
      return { message: 'Fichier supprimé avec succès' };
    },
  };
}

/** Access to booklet files: staff, and families and directors of the booklet's stay, or of any for one without a stay. */
export function bookletFileOwners({ database }: Services): FileOwners {
  return {
    [TABLE]: async (id) => {
      const booklet = await findBooklet(database.db, id);
      if (!booklet) return undefined;
      const label = booklet.nom.replace(/\.pdf$/i, '');
      return { to: ['sejours', 'director', 'family'], stageId: booklet.stage_id, closedBut: [], label };
    },
  };
}

/** Finds booklet files by the booklets' own names, by which downloads request them. */
export function bookletLabels({ database }: Services): FileLabels {
  return {
    [BOOKLETS.folder]: async (label) => {
      const asked = askedName.safeParse(label);
      return asked.success ? findBookletFile(database.db, asked.data) : undefined;
    },
  };
}

const LABEL = 'Livret';
const BOOKLETS: FileKind = {
  table: TABLE,
  folder: 'doc_stage_formateur',
  pdf: { column: 'livret', label: LABEL },
};
const SENT = z.object({ livret: sentName.meta({ title: LABEL }) });

/** Condemns the files of the booklets of a stay that this transaction deletes. Call `tryEraseCondemned` after the commit. */
export async function condemnBooklets(transaction: Access, stageId: number): Promise<void> {
  await condemnFiles(transaction, { table: TABLE, ids: await deleteBookletsOf(transaction, stageId) });
}

/**
 * Stores a booklet of a stay, or of all stays without `stageId`, and replaces the one of the same name, if any, whose
 * ever it was; returns the name, and what it lacks for who hears it. `alongside` runs in the transaction before the replaced file is condemned. Throws 404
 * when there is no such stay.
 */
export async function saveBooklet(
  services: Services,
  files: StagedForm['files'],
  actor: Actor,
  stageId?: number,
  alongside: Alongside = async () => {},
): Promise<{ nom: string; conseil: string | undefined }> {
  const { livret: nom } = check(SENT, { livret: requireFile({ files }, 'livret', LABEL).label });
  const kept = await keepFiles(services, BOOKLETS, files);
  await register(services, { nom, stageId }, kept, actor, alongside);
  await tryEraseCondemned(services);
  return { nom, conseil: kept[0]?.conseil };
}

/** Registers the stored PDF under its name. */
async function register(
  { database, storage, clock }: Services,
  { nom, stageId }: { nom: string; stageId: number | undefined },
  kept: readonly KeptFile[],
  actor: Actor,
  alongside: Alongside,
): Promise<void> {
  try {
    await database.write(async (transaction) => {
      const now = clock();
      // Locked, so that a deletion of the stay under way finds the booklet, or the booklet finds no stay.
      if (stageId !== undefined) await getStayToChange(database, transaction, stageId);
      const id = await putBooklet(transaction, { nom, stage_id: stageId ?? null }, now);
      await alongside(transaction, id);
      const replaced = await condemnFiles(transaction, { table: TABLE, ids: [id] });
      await registerFiles(transaction, fileRows(BOOKLETS, id, kept, now));
      const action = replaced > 0 ? 'modification' : 'création';
      await journal(transaction, actor, now, action, { table: TABLE, id });
    });
  } catch (error) {
    const files = kept.map((file) => ({ nom: file.nom, dossier: BOOKLETS.folder, largeurs: '' }));
    await eraseUnregistered(database, storage, files);
    throw error;
  }
}
