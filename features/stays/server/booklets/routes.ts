import { journal } from '#features/audit/server/journal.ts';
import { askedName } from '#features/stays/booklets-calls.ts';
import { eraseStruckOff, strikeOff } from '#platform/server/files/register.ts';
import type { FileLabels, FileOwners } from '#platform/server/http/downloads.ts';
import { notFound } from '#platform/server/http/errors.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { BOOKLETS, saveBooklet } from './save.ts';
import { deleteBooklet, findBooklet, findBookletFile, listBooklets, TABLE } from './store.ts';

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
