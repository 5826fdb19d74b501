import { buffer } from 'node:stream/consumers';
import { employees } from '#features/content/shared/kinds.ts';
import type { Access } from '#platform/server/db/open.ts';
import { holds, keysIn, type Place } from '#platform/server/personalData.ts';
import type { Services } from '#platform/server/services.ts';
import { FileMissing, keyOf, type Storage } from '#platform/server/storage/storage.ts';
import { eraseEmployee } from './bin.ts';

/** What the org chart knows of people by their address. */

export function employeePlace({ storage, database }: Pick<Services, 'storage' | 'database'>): Place {
  const find = (db: Access, key: string) =>
    db.selectFrom('employes').selectAll().where(holds('email', key)).orderBy('id').execute();
  return {
    genre: 'employes',
    listKeys: async (db) => keysIn(await db.selectFrom('employes').select('email').execute()),
    list: find,
    listWhole: async (db, key) => {
      const rows = await find(db, key);
      return Promise.all(
        rows.map(async ({ illustrations: _sizes, equipe: _team, ...row }) => ({
          ...row,
          photo_contenu: row.photo === null ? null : await photoAsAddress(storage, row.photo),
        })),
      );
    },
    erase: async ({ transaction, key, actor, now, files }) => {
      for (const { id } of await find(transaction, key)) {
        files.push(...(await eraseEmployee(database, transaction, id, actor, now)));
      }
    },
    text: (count) =>
      count === 1
        ? 'Un employé de l’organigramme\u202f: effacé avec sa photo, et son équipe monte d’un niveau.'
        : `${count} employés de l’organigramme\u202f: effacés avec leurs photos, et leurs équipes montent d’un niveau.`,
  };
}

/** A picture inside a text, as browsers open it; null when its file is lost. */
async function photoAsAddress(storage: Storage, name: string): Promise<string | null> {
  try {
    const bytes = await buffer(await storage.read(keyOf(employees.folder, name)));
    return `data:image/webp;base64,${bytes.toString('base64')}`;
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
}
