import { type RawBuilder, sql } from 'kysely';
import { hasFactor, readFactors } from '#features/accounts/server/secondFactor.ts';
import type { NamedTable } from '#features/audit/server/reading.ts';
import { ITEM_KINDS } from '#features/content/shared/kinds.ts';
import { AWAIT_DECISION, AWAIT_PREPARATION, type PhotoState } from '#features/photos/shared/states.ts';
import { isMeetingPasswordKnown, isStored } from '#features/site/server/settingsStore.ts';
import type { Stay, StayPasswords } from '#features/stays/server/staysStore.ts';
import { IMPORT_KINDS, type ImportKind } from '#features/stays/shared/terms.ts';
import { type Access, countRows, type Database } from '#platform/server/db/database.ts';
import { jsonRows } from '#platform/server/db/json.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import type { Services } from '#platform/server/services.ts';
import { rangeOf, shortDay } from '#platform/shared/dates.ts';
import { MAIL_KINDS, type MailKind } from '#platform/shared/mails.ts';
import type { Right } from '#platform/shared/roles.ts';
import { dayAt } from '#platform/shared/time.ts';

/* Queries of the dashboard: on the tables of other features, and on its own table of troubles. */

/** What a new site has; `adminId`: who asks. */
export async function readBeginning(db: Access, adminId: number) {
  const isThere = (from: RawBuilder<unknown>) =>
    sql<number>`case when exists (select 1 ${from}) then 1 else 0 end`;
  const mails = sql`from envois_messages m join envois e on e.id = m.envoi_id where m.etat = 'envoye'`;
  const published = sql`where supprime_le is null and brouillon = 0`;
  const { rows } = await sql<Record<string, number>>`
    select ${isThere(sql`from admins where provisoire = 1`)} as mot_de_passe_affiche,
           ${isThere(sql`from admins where id <> ${adminId}`)} as administrateurs,
           ${isThere(sql`from actualites ${published}`)} as actualite,
           ${isThere(sql`from events ${published}`)} as evenement,
           ${isThere(sql`from employes where supprime_le is null`)} as employes,
           ${isThere(sql`from stages`)} as sejours,
           ${isThere(sql`from formateurs`)} as directeurs,
           ${isThere(mails)} as mail_parti,
           ${isThere(sql`${mails} and e.genre = 'codes'`)} as codes_envoyes`.execute(db);
  const has = (name: string) => Number(rows[0]?.[name]) === 1;
  return {
    mot_de_passe_affiche: has('mot_de_passe_affiche'),
    administrateurs: has('administrateurs'),
    second_facteur: hasFactor(await readFactors(db, adminId)),
    actualite: has('actualite'),
    evenement: has('evenement'),
    employes: has('employes'),
    comptes_rendus: await isMeetingPasswordKnown(db),
    sejours: has('sejours'),
    directeurs: has('directeurs'),
    mail_parti: has('mail_parti'),
    codes_envoyes: has('codes_envoyes'),
    visiteurs_choisis: await isStored(db, 'sejours_visiteurs'),
  };
}

export async function countUnreadMessages(db: Access): Promise<number> {
  return countRows(db.selectFrom('messages_contact').where('lu_le', 'is', null));
}

/** Stays that are not over on `today` and start before `until`. */
export interface Soon {
  today: string;
  until: string;
}

/** Names of the soon stays that have nobody in `table`, by start date. */
export async function listUnready(
  db: Access,
  table: 'affectations' | 'stagiaires',
  soon: Soon,
): Promise<string[]> {
  const rows = await staysOf(db, soon)
    .where(({ not, exists }) => not(exists(peopleOf(db, table))))
    .execute();
  return rows.map(({ nom_stage }) => nom_stage);
}

/**
 * Names of the soon stays whose families have not been sent the current password: no message with it was sent, and none
 * is waiting. By start date. `versionOf`: version of that password, as recorded with the messages that brought it.
 */
export async function listUnsent(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  soon: Soon,
  versionOf: (stay: StayPasswords) => string,
): Promise<string[]> {
  const stays = await staysOf(db, soon)
    .select(['id', 'mdp_formateur', 'mdp_stagiaire'])
    .where('mdp_stagiaire', '!=', '')
    .where(({ exists }) => exists(peopleOf(db, 'stagiaires')))
    .execute();
  const versions = stays.map((stay) => [stay.id, versionOf(stay)]);
  const codes = (condition: RawBuilder<unknown>) => sql`
    select 1 from envois_messages m join envois e on e.id = m.envoi_id
    where m.stage_id = l.id and ${condition} and e.genre = 'codes' and e.type = 'stagiaire'`;
  const { rows } = await sql<{ id: number }>`
    select l.id from ${jsonRows(engine, 'l', { id: 'bigint', version: 'text' }, versions)}
    where not exists (${codes(sql`m.etat in ('attente', 'envoi')`)})
      and not exists (${codes(sql`m.etat = 'envoye' and m.mdp_empreinte = l.version`)})`.execute(db);
  const unsent = new Set(rows.map(({ id }) => id));
  return stays.flatMap(({ id, nom_stage }) => (unsent.has(id) ? [nom_stage] : []));
}

function staysOf(db: Access, { today, until }: Soon) {
  return db
    .selectFrom('stages')
    .select('nom_stage')
    .where('date_fin', '>=', today)
    .where('date_debut', '<', until)
    .orderBy('date_debut')
    .orderBy('id');
}

function peopleOf(db: Access, table: 'affectations' | 'stagiaires') {
  return db.selectFrom(table).select('stage_id').where('stage_id', '=', sql.ref<number>('stages.id'));
}

export interface PhotoCounts {
  a_verifier: number;
  /** Received before a given instant, and still not prepared. */
  lentes: number;
}

/** Written into the query: no partial index is used for a value that comes apart from it. */
const isOneOf = (states: readonly PhotoState[]) =>
  sql<boolean>`statut in (${sql.join(states.map((state) => sql.lit(state)))})`;

/** Stays with photos that are not prepared or not checked, by start date. `slowSince`: see `lentes`. */
export function countPhotos(db: Access, slowSince: Date): Promise<(Stay & PhotoCounts)[]> {
  const counts = db
    .selectFrom('photos')
    .select('stage_id')
    .select(sql<number>`count(case when ${isOneOf(AWAIT_DECISION)} then 1 end)`.as('a_verifier'))
    .select(
      sql<number>`count(case when ${isOneOf(AWAIT_PREPARATION)} and modifie_le <= ${slowSince.toISOString()} then 1 end)`.as(
        'lentes',
      ),
    )
    // The condition of the partial index, so that the many published photos are not read.
    .where(isOneOf([...AWAIT_PREPARATION, ...AWAIT_DECISION]))
    .groupBy('stage_id')
    .as('comptes');
  return db
    .selectFrom('stages')
    .innerJoin(counts, 'comptes.stage_id', 'stages.id')
    .selectAll('stages')
    .select(['a_verifier', 'lentes'])
    .orderBy('date_debut')
    .orderBy('id')
    .execute();
}

/** Stays with photos whose last day may fall by `day`, by start date; a superset, for the caller to filter. */
export function listEnding(db: Access, day: string): Promise<Stay[]> {
  return db
    .selectFrom('stages')
    .selectAll()
    .where('date_fin', '<=', day)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('photos').select('photos.id').whereRef('photos.stage_id', '=', 'stages.id')),
    )
    .orderBy('date_debut')
    .orderBy('id')
    .execute();
}

/** Removal requests that wait for a person, each with its stay, by start date. */
export function listRequests(db: Access): Promise<(Stay & { demande_le: string })[]> {
  return db
    .selectFrom('photos_retraits')
    .innerJoin('photos', 'photos.id', 'photos_retraits.photo_id')
    .innerJoin('stages', 'stages.id', 'photos.stage_id')
    .selectAll('stages')
    .select('photos_retraits.created_at as demande_le')
    .where('traite_le', 'is', null)
    .orderBy('stages.date_debut')
    .orderBy('stages.id')
    .execute();
}

export async function sumPhotoBytes(db: Access): Promise<number> {
  const { octets } = await db
    .selectFrom('photos')
    .select(({ fn, val }) => fn.coalesce(fn.sum<number | string>('octets'), val(0)).as('octets'))
    .executeTakeFirstOrThrow();
  // PostgreSQL returns sums as text.
  return Number(octets);
}

/** The last instant that the journal or the scheduled works have recorded; null when there is none. */
export async function findLastInstant(db: Access): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`
    select max(instant) as last from (
      select max(instant) as instant from journal union all select max(derniere_le) from planifications
    ) as instants`.execute(db);
  return rows[0]?.last ?? null;
}

/* The troubles that are there or were until lately, each known by the key of its check. */

export function listAlertsToChange(database: Database, transaction: Access): Promise<Tables['alertes'][]> {
  return transaction.selectFrom('alertes').selectAll().orderBy('cle').modifyEnd(database.rowLock).execute();
}

export async function putSeen(transaction: Access, keys: readonly string[], now: Date): Promise<void> {
  const vue_le = now.toISOString();
  for (const cle of keys)
    await transaction
      .insertInto('alertes')
      .values({ cle, vue_le, dite_le: null })
      .onConflict((clash) => clash.column('cle').doUpdateSet({ vue_le }))
      .execute();
}

export async function writeTold(transaction: Access, keys: readonly string[], now: Date): Promise<void> {
  if (keys.length === 0) return;
  const dite_le = now.toISOString();
  await transaction.updateTable('alertes').set({ dite_le }).where('cle', 'in', keys).execute();
}

export async function deleteAlerts(transaction: Access, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await transaction.deleteFrom('alertes').where('cle', 'in', keys).execute();
}

/* Words for what lines of the journal are about, in the tables of all features. */

type Row = Record<string, string>;

export function namedTables({ config }: Services): NamedTable[] {
  const dayOf = (instant = '') => shortDay(dayAt(new Date(instant), config.TIME_ZONE));
  const mail = ({ genre, created_at }: Row) =>
    `«\u00a0${MAIL_KINDS[genre as MailKind]}\u00a0» du ${dayOf(created_at)}`;
  return [
    named('admins', 'reglages', 'Administrateur', sql`username as nom`),
    named('envois', 'sejours', 'Envoi', sql`genre, created_at`, (row) => `Envoi ${mail(row)}`),
    named(
      'envois_messages',
      'sejours',
      'E-mail',
      sql`created_at, (select genre from envois where envois.id = envoi_id) as genre`,
      (row) => `E-mail ${mail(row)}`,
    ),
    named('formateurs', 'sejours', 'Directeur', PERSON),
    named(
      'imports',
      'sejours',
      'Import',
      sql`genre, created_at`,
      ({ genre, created_at }) => `Import de ${IMPORT_KINDS[genre as ImportKind]} du ${dayOf(created_at)}`,
    ),
    named('livrets', 'sejours', 'Livret', sql`nom`),
    named('messages_contact', 'contenus', 'Message de contact', sql`nom`),
    {
      ...named(
        'photos',
        'photos',
        'Photo',
        sql`(select nom_stage from stages where stages.id = stage_id) as nom`,
        ({ id, nom }) => `Photo n°\u00a0${id}\u202f: ${nom}`,
      ),
      gone: 'effacée',
    },
    named('stages', 'sejours', 'Séjour', sql`nom_stage, date_debut, date_fin`, (row) => {
      const { nom_stage = '', date_debut = '', date_fin = '' } = row;
      // Names return each summer.
      return `Séjour\u202f: ${nom_stage}, ${rangeOf(date_debut, date_fin, 'fr')}`;
    }),
    named('stagiaires', 'sejours', 'Enfant', PERSON),
    ...ITEM_KINDS.map(({ table, label, titledBy }) => {
      const columns = [titledBy].flat().map((column) => sql`coalesce(${sql.ref(column)}, '')`);
      return {
        ...named(table, 'contenus', label, sql`${sql.join(columns, sql` || ' ' || `)} as nom`),
        gone: FEMININE.has(table) ? ('effacée' as const) : ('effacé' as const),
      };
    }),
  ];
}

const PERSON = sql`prenom || ' ' || nom as nom`;
const FEMININE = new Set<string>(['actualites', 'alaune']);

/** `columns`: what `words` needs beside the id. */
function named(
  table: string,
  right: Right,
  label: string,
  columns: RawBuilder<unknown>,
  words: (row: Row) => string = ({ nom }) => `${label}\u202f: ${nom}`,
): NamedTable {
  return {
    table,
    label,
    right,
    gone: 'effacé',
    names: async (db, ids) => {
      const { rows } = await sql<Row>`
        select id, ${columns} from ${sql.table(table)} where id in (${sql.join(ids)})`.execute(db);
      return new Map(rows.map((row) => [Number(row.id), words(row)]));
    },
  };
}
