import { z } from 'zod';
import { journal } from '#features/audit/server/journal.ts';
import type { Alongside } from '#features/content/server/doors.ts';
import { type FileKind, fileRows, type KeptFile, keepFiles } from '#features/content/server/files.ts';
import { askedName, sentName } from '#features/stays/calls.ts';
import type { Actor } from '#platform/server/actor.ts';
import {
  eraseStruckOff,
  eraseUnregistered,
  registerFiles,
  strikeOff,
} from '#platform/server/files/register.ts';
import type { FileLabels, FileOwners } from '#platform/server/http/downloads.ts';
import { check, notFound } from '#platform/server/http/errors.ts';
import { requireFile, type StagedForm } from '#platform/server/http/forms.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { CallKey } from '#platform/shared/call.ts';
import {
  deleteBooklet,
  findBooklet,
  findBookletFile,
  listBooklets,
  putBooklet,
  TABLE,
} from './bookletsStore.ts';

type BookletKeys = Extract<CallKey, 'GET /livrets' | 'POST /livrets-upload' | 'DELETE /livrets/:name'>;

export function bookletHandlers(services: Services): Pick<Handlers, BookletKeys> {
  const { database, clock } = services;
  return {
    'GET /livrets': () => listBooklets(database.db),
    'POST /livrets-upload': async ({ files, ...actor }) => {
      const nom = await saveBooklet(services, files, actor);
      return { message: 'Livret téléchargé avec succès', nom };
    },
    'DELETE /livrets/:name': async ({ params, ...actor }) => {
      const keys = await database.write(async (transaction) => {
        const id = await deleteBooklet(transaction, params.name);
        if (id === undefined) throw notFound('Ce livret n’existe pas ou n’existe plus.');
        const owner = { table: TABLE, id };
        await journal(transaction, actor, clock(), 'effacement', owner);
        return strikeOff(transaction, owner);
      });
      await eraseStruckOff(services, keys);
      return { message: 'Fichier supprimé avec succès' };
    },
  };
}

/** Booklets are for whoever has a stay, and for staff. */
export function bookletFileOwners({ database }: Services): FileOwners {
  return {
    [TABLE]: async (id) => {
      const booklet = await findBooklet(database.db, id);
      if (!booklet) return undefined;
      const label = booklet.nom.replace(/\.pdf$/i, '');
      return { to: ['admin', 'director', 'family'], closedBut: [], label };
    },
  };
}

/** Booklets are asked for by their own names. */
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

/** Keeps a booklet in the place of the one of its name; `alongside` finds that one still there. Returns the name. */
export async function saveBooklet(
  services: Services,
  files: StagedForm['files'],
  actor: Actor,
  alongside: Alongside = async () => {},
): Promise<string> {
  const { livret: nom } = check(SENT, { livret: requireFile({ files }, 'livret', LABEL).label });
  const kept = await keepFiles(services, BOOKLETS, files);
  await eraseStruckOff(services, await register(services, nom, kept, actor, alongside));
  return nom;
}

/** Registers the kept PDF under its name; returns the keys of the one that it takes the place of. */
async function register(
  { database, storage, clock }: Services,
  nom: string,
  kept: readonly KeptFile[],
  actor: Actor,
  alongside: Alongside,
): Promise<string[]> {
  try {
    return await database.write(async (transaction) => {
      const now = clock();
      const id = await putBooklet(transaction, nom, now);
      await alongside(transaction, id);
      const owner = { table: TABLE, id };
      const replaced = await strikeOff(transaction, owner);
      await registerFiles(transaction, fileRows(BOOKLETS, id, kept, now));
      await journal(transaction, actor, now, replaced.length > 0 ? 'modification' : 'création', owner);
      return replaced;
    });
  } catch (error) {
    const files = kept.map((file) => ({ nom: file.nom, dossier: BOOKLETS.folder, largeurs: '' }));
    await eraseUnregistered(database, storage, files);
    throw error;
  }
}
