import { type Insertable, type Selectable, sql } from 'kysely';
import { eachAlone, slicesOf } from '#platform/server/concurrency.ts';
import { type Access, countChanged, type Database, hasChanged } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import type { Log } from '#platform/server/log.ts';
import { keyOf, type Storage } from '#platform/server/storage/storage.ts';
import { narrower } from '#platform/shared/pictures.ts';

/*
 * The register of stored files: a file is served only if it has a row here, by the rule of the row that holds it.
 * Files are stored first, then registered in the transaction of their row; they are condemned in the
 * transaction that drops the row, then erased. A file that a crash leaves without a row is left to the orphan cleanup.
 */

export type FileRow = Selectable<Tables['fichiers']>;
export type NewFile = Insertable<Tables['fichiers']>;

/** Every key that a registered file occupies in storage, its narrower sizes included. */
export function keysOf(file: Pick<FileRow, 'nom' | 'dossier' | 'largeurs'>): string[] {
  const widths = file.largeurs === '' ? [] : file.largeurs.split(';').map(Number);
  return [file.nom, ...widths.map((width) => narrower(file.nom, width))].map((name) =>
    keyOf(file.dossier, name),
  );
}

/** A file that a row holds, and what the register knows of its bytes; nothing for narrower sizes. */
export interface HeldFile {
  key: string;
  kept?: Pick<FileRow, 'taille' | 'sha256' | 'objet'>;
}

/** Lists every file that must be there; first those that wait for their preparation, as they disappear first. */
export async function listHeldFiles(db: Access): Promise<HeldFile[]> {
  const rows = await db
    .selectFrom('fichiers')
    .select(['nom', 'dossier', 'largeurs', 'taille', 'sha256', 'objet'])
    .where('objet', '!=', CONDEMNED)
    .orderBy((order) => order.case().when('dossier', '=', RECEIVED_FOLDER).then(0).else(1).end())
    .orderBy('nom')
    .execute();
  return rows.flatMap(({ taille, sha256, objet, ...row }) => {
    const [whole = '', ...narrow] = keysOf(row);
    return [{ key: whole, kept: { taille, sha256, objet } }, ...narrow.map((key) => ({ key }))];
  });
}

/** Keys of a few of the files that came last. */
export async function listNewestKeys(db: Access): Promise<string[]> {
  const rows = await db
    .selectFrom('fichiers')
    .select(['nom', 'dossier'])
    .where('objet', '!=', CONDEMNED)
    .orderBy('created_at', 'desc')
    .limit(5)
    .execute();
  return rows.map(({ dossier, nom }) => keyOf(dossier, nom));
}

/** True when a file must still be there. */
export async function isHeld(db: Access, key: string): Promise<boolean> {
  const holder = await findRow(db, key);
  return holder !== undefined && holder.objet !== CONDEMNED;
}

/**
 * Condemns files that were erased since the register was copied, except originals that wait for their preparation,
 * which itself reports them.
 */
export async function condemnGone(db: Access, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const row = await findRow(db, key);
    if (!row || row.dossier === RECEIVED_FOLDER) continue;
    await db.updateTable('fichiers').set({ objet: CONDEMNED }).where('nom', '=', row.nom).execute();
  }
}

export async function registerFiles(db: Access, files: readonly NewFile[]): Promise<void> {
  if (files.length > 0)
    await db
      .insertInto('fichiers')
      .values([...files])
      .execute();
}

export function findFile(db: Access, name: string): Promise<FileRow | undefined> {
  return db.selectFrom('fichiers').selectAll().where('nom', '=', name).executeTakeFirst();
}

/** Every file that a row holds. */
export function listRegistered(db: Access): Promise<FileRow[]> {
  return db
    .selectFrom('fichiers')
    .selectAll()
    .where('objet', '!=', CONDEMNED)
    .orderBy('dossier')
    .orderBy('nom')
    .execute();
}

/** Of each table whose rows hold files, the number of files whose row no longer exists, where there are any. */
export async function countOwnerless(db: Access): Promise<{ table: string; count: number }[]> {
  const tables = await db
    .selectFrom('fichiers')
    .select('objet')
    .distinct()
    .where('objet', '!=', CONDEMNED)
    .execute();
  const found: { table: string; count: number }[] = [];
  for (const { objet: table } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from fichiers
      where objet = ${table} and not exists (select 1 from ${sql.table(table)} as owner where owner.id = objet_id)
    `.execute(db);
    const count = rows[0]?.count ?? 0;
    if (count > 0) found.push({ table, count });
  }
  return found;
}

/** Records the narrower sizes of a picture; false when it has been condemned. */
export async function writeWidths(db: Access, name: string, widths: readonly number[]): Promise<boolean> {
  return hasChanged(
    db
      .updateTable('fichiers')
      .set({ largeurs: widths.join(';') })
      .where('nom', '=', name),
  );
}

/** The files of a row, in the order of their names. */
export async function listFiles(db: Access, owner: { table: string; id: number }): Promise<FileRow[]> {
  return db
    .selectFrom('fichiers')
    .selectAll()
    .where('objet', '=', owner.table)
    .where('objet_id', '=', owner.id)
    .orderBy('nom')
    .execute();
}

/** Transfers the files of a row (all, or those named) to another one. */
export async function handOverFiles(
  db: Access,
  from: { table: string; id: number },
  to: { table: string; id: number },
  names?: readonly string[],
): Promise<void> {
  await db
    .updateTable('fichiers')
    .set({ objet: to.table, objet_id: to.id })
    .where('objet', '=', from.table)
    .where('objet_id', '=', from.id)
    .$if(names !== undefined, (query) => query.where('nom', 'in', [...(names ?? [])]))
    .execute();
}

/** Value of `objet` for a file that no row holds any longer and that is to be erased. */
export const CONDEMNED = 'effacement';

/**
 * Condemns files of rows (all, or those named), in the transaction that drops the rows, and returns how many: they are no
 * longer served, and a crash before they are erased leaves a record of them. Call `tryEraseCondemned` after the commit.
 */
export async function condemnFiles(
  db: Access,
  owners: { table: string; ids: readonly number[] },
  names?: readonly string[],
): Promise<number> {
  let count = 0;
  for (const ids of names?.length === 0 ? [] : slicesOf(owners.ids)) {
    const condemning = db
      .updateTable('fichiers')
      .set({ objet: CONDEMNED })
      .where('objet', '=', owners.table)
      .where('objet_id', 'in', ids)
      .$if(names !== undefined, (query) => query.where('nom', 'in', [...(names ?? [])]));
    count += await countChanged(condemning);
  }
  return count;
}

/**
 * Erases the condemned files, of this process or of one that a crash ended. A file that cannot be erased keeps its
 * row and does not hold up the others; throws at the end when there are such.
 */
export async function eraseCondemned(services: Condemned): Promise<void> {
  const rows = await services.database.db
    .selectFrom('fichiers')
    .select(['nom', 'dossier', 'largeurs'])
    .where('objet', '=', CONDEMNED)
    .execute();
  await eachAlone(slicesOf(rows), (slice) => eraseSlice(services, slice));
}

async function eraseSlice(
  { database, storage }: Condemned,
  rows: readonly Pick<FileRow, 'nom' | 'dossier' | 'largeurs'>[],
): Promise<void> {
  const erased: string[] = [];
  try {
    await eachAlone(rows, async (row) => {
      await storage.remove(keysOf(row));
      erased.push(row.nom);
    });
  } finally {
    if (erased.length > 0)
      await database.write((transaction) =>
        transaction
          .deleteFrom('fichiers')
          .where('nom', 'in', erased)
          .where('objet', '=', CONDEMNED)
          .execute(),
      );
  }
}

/** Like `eraseCondemned`, after a commit that stands in any case: a failure is logged, and tried again every hour. */
export async function tryEraseCondemned(services: Condemned & { log: Log }): Promise<void> {
  try {
    await eraseCondemned(services);
  } catch (error) {
    services.log.error({ err: error }, 'condemned files are not erased yet');
  }
}

interface Condemned {
  database: Database;
  storage: Storage;
}

/** Erases files that a failed write had stored, except those that turn out to be registered. */
export async function eraseUnregistered(
  database: Database,
  storage: Storage,
  files: readonly Pick<FileRow, 'nom' | 'dossier' | 'largeurs'>[],
): Promise<void> {
  if (files.length === 0) return;
  const wanted = files.map(({ nom }) => nom);
  const registered = await database.db
    .selectFrom('fichiers')
    .select('nom')
    .where('nom', 'in', wanted)
    .execute();
  const names = new Set(registered.map((row) => row.nom));
  await storage.remove(files.filter((file) => !names.has(file.nom)).flatMap(keysOf));
}

/** The folders of content and documents, each served under an address of its name. */
export const DOCUMENT_FOLDERS = ['images', 'images_stages', 'doc_stage_formateur'] as const;
export const PHOTOS_FOLDER = 'photos';
export const RECEIVED_FOLDER = 'recues';
/** The folders whose files the register accounts for, those of photos and of their originals included. */
export const FOLDERS = [...DOCUMENT_FOLDERS, PHOTOS_FOLDER, RECEIVED_FOLDER] as const;

/**
 * Erases originals that a dead process had received and not registered: they hold what cameras wrote, the place too.
 * To be called before anything is received, and only where no other process may be at work; elsewhere the orphan
 * cleanup does it a day later.
 */
export async function eraseOrphans({ database, storage }: Condemned): Promise<void> {
  for await (const { key } of storage.list(RECEIVED_FOLDER)) {
    if (!(await isRegistered(database.db, key))) await storage.remove([key]);
  }
}

/** True when a row holds the file of `key`, as the file itself or as one of its narrower sizes. */
export async function isRegistered(db: Access, key: string): Promise<boolean> {
  return (await findRow(db, key)) !== undefined;
}

async function findRow(db: Access, key: string) {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const [folder] = key.split('/');
  const row = await db
    .selectFrom('fichiers')
    .select(['nom', 'dossier', 'largeurs', 'objet'])
    .where('nom', '=', name.replace(/-\d+(?=\.webp$)/, ''))
    .where('dossier', '=', folder ?? '')
    .executeTakeFirst();
  return row && keysOf(row).includes(key) ? row : undefined;
}
