import { sql } from 'kysely';
import type { Access } from '#platform/server/db/open.ts';
import { CONDEMNED, RECEIVED_FOLDER } from '#platform/server/files/register.ts';
import { isWhole, listDamaged } from '#platform/server/files/scrub.ts';
import { compareFiles, GRACE_MS } from '#platform/server/files/sweep.ts';
import { keyOf } from '#platform/server/storage/storage.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { type Examined, type Finding, fine, listed, treat, watch } from './finding.ts';

/** Files, and the rows that say of them. */

const PUT_BACK = 'Remettez-les depuis une sauvegarde, au même endroit.';

/** What lies in storage and what stands in the register. */
export async function register({ services }: Examined): Promise<Finding[]> {
  const strays: string[] = [];
  const before = new Date(services.clock().getTime() - GRACE_MS);
  const missing = await compareFiles(services, before, (key) => void strays.push(key));
  const found: Finding[] = [];
  if (missing.length > 0)
    found.push(
      treat(`Fichiers perdus\u202f: ${missing.length} ${listed(missing.map(({ key }) => key))}. ${PUT_BACK}`),
    );
  if (strays.length > 0)
    found.push(
      watch(
        `Fichiers que rien ne retient\u202f: ${strays.length} ${listed(strays)}. Le site en marche les met de côté chaque jour.`,
      ),
    );
  return found.length > 0 ? found : [fine('Fichiers\u202f: chacun a sa ligne, et chaque ligne le sien.')];
}

/** How late the weekly reading may be before somebody looks why. */
const READ_LATE_MS = 8 * DAY_MS;

/** As the site last read them; thoroughly, as they are read now. */
export async function content(examined: Examined): Promise<Finding> {
  const { services, isThorough } = examined;
  const damaged = isThorough ? await readAll(examined) : await listDamaged(services.database.db);
  if (damaged.length > 0)
    return treat(`Fichiers abîmés\u202f: ${damaged.length} ${listed(damaged)}. ${PUT_BACK}`);
  if (isThorough) return fine('Fichiers\u202f: relus à l’instant, tous sont intacts.');
  const late = new Date(services.clock().getTime() - READ_LATE_MS).toISOString();
  const unread = await countUnread(services.database.db, late);
  if (unread > 0)
    return watch(
      `Fichiers que le site n’a pas relus depuis plus d’une semaine\u202f: ${unread}. Mettez-le en marche, ou faites\u202f: npm run doctor -- --empreintes`,
    );
  return fine('Fichiers\u202f: à la dernière relecture, tous étaient intacts.');
}

async function readAll({ services: { database, storage } }: Examined): Promise<string[]> {
  const files = await database.db
    .selectFrom('fichiers')
    .selectAll()
    .where('objet', '!=', CONDEMNED)
    .orderBy('dossier')
    .orderBy('nom')
    .execute();
  const damaged: string[] = [];
  for (const file of files) if (!(await isWhole(storage, file))) damaged.push(keyOf(file.dossier, file.nom));
  return damaged;
}

async function countUnread(db: Access, late: string): Promise<number> {
  const { count } = await db
    .selectFrom('fichiers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('verifie_le', '<', late)
    .where('created_at', '<', late)
    .executeTakeFirstOrThrow();
  return count;
}

/** Files whose row of content, of a person or of a photo is gone. */
export async function owners({ services: { database } }: Examined): Promise<Finding> {
  const { db } = database;
  const tables = await db
    .selectFrom('fichiers')
    .select('objet')
    .distinct()
    .where('objet', '!=', CONDEMNED)
    .execute();
  const gone: string[] = [];
  for (const { objet } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from fichiers
      where objet = ${objet} and not exists (select 1 from ${sql.table(objet)} as owner where owner.id = objet_id)
    `.execute(db);
    const count = rows[0]?.count ?? 0;
    if (count > 0) gone.push(`${objet}\u202f: ${count}`);
  }
  if (gone.length === 0) return fine('Fichiers\u202f: chacun appartient à quelque chose qui existe.');
  return watch(
    `Fichiers dont le contenu n’existe plus ${listed(gone)}\u202f: personne ne peut les ouvrir. Gardez une sauvegarde, et signalez-le.`,
  );
}

/** Photos that wait for a preparation that will not come: their file or their job is gone. */
export async function photos({ services: { database } }: Examined): Promise<Finding> {
  const { db } = database;
  const received = await db
    .selectFrom('photos')
    .select(['id', 'stage_id'])
    .where('statut', '=', 'recue')
    .execute();
  const files = await db
    .selectFrom('fichiers')
    .select('objet_id')
    .where('objet', '=', 'photos')
    .where('dossier', '=', RECEIVED_FOLDER)
    .execute();
  const jobs = await db.selectFrom('jobs').select('charge').where('nom', '=', 'prepare-photo').execute();
  const hasFile = new Set(files.map(({ objet_id }) => objet_id));
  const hasJob = new Set(jobs.map(({ charge }) => Number(JSON.parse(charge).id)));
  const stuck = received.filter(({ id }) => !hasFile.has(id) || !hasJob.has(id));
  if (stuck.length === 0) return fine('Photos\u202f: aucune n’attend une préparation qui ne viendra pas.');
  const stays = [...new Set(stuck.map(({ stage_id }) => `séjour ${stage_id}`))];
  return treat(
    `Photos reçues que rien ne prépare\u202f: ${stuck.length} ${listed(stays)}. Supprimez-les dans le portail, et demandez qu’on les renvoie.`,
  );
}
