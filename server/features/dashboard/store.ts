import { type RawBuilder, sql } from 'kysely';
import type { ContentKind, ItemKind } from '../../../shared/content/kind.ts';
import type { Access } from '../../db/open.ts';
import { publishedAt } from '../../publication.ts';

/** What the dashboard reads of the tables of others. */

export interface States {
  en_ligne: number;
  a_venir: number;
  termines: number;
  corbeille: number;
}

/** How many items of a kind are in each state, in one reading. */
export async function countStates(db: Access, kind: ContentKind, now: Date): Promise<States> {
  const at = now.toISOString();
  const count = (condition: RawBuilder<unknown>) => sql<number>`count(case when ${condition} then 1 end)`;
  const result = await sql<States>`
    select ${count(publishedAt(now))} as en_ligne,
           ${count(sql`supprime_le is null and publie_du > ${at}`)} as a_venir,
           ${count(sql`supprime_le is null and publie_au <= ${at}`)} as termines,
           ${count(sql`supprime_le is not null`)} as corbeille
    from ${sql.table(kind.table)}`.execute(db);
  return result.rows[0] ?? { en_ligne: 0, a_venir: 0, termines: 0, corbeille: 0 };
}

/** Contact messages that nobody has read yet. */
export async function countUnreadMessages(db: Access): Promise<number> {
  const { count } = await db
    .selectFrom('messages_contact')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('lu_le', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** The names of the stays that are not over, start before `until` and have nobody in `table`, the first ones first. */
export async function listUnready(
  db: Access,
  table: 'affectations' | 'stagiaires',
  { today, until }: { today: string; until: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('stages')
    .select('nom_stage')
    .where('date_fin', '>=', today)
    .where('date_debut', '<', until)
    .where('id', 'not in', (query) => query.selectFrom(table).select('stage_id'))
    .orderBy('date_debut')
    .orderBy('id')
    .execute();
  return rows.map(({ nom_stage }) => nom_stage);
}

/** How many stays are running, coming and past on a day. */
export async function countStays(db: Access, today: string): Promise<StayCounts> {
  const count = (condition: RawBuilder<unknown>) => sql<number>`count(case when ${condition} then 1 end)`;
  return db
    .selectFrom('stages')
    .select([
      count(sql`date_debut <= ${today} and date_fin >= ${today}`).as('en_cours'),
      count(sql`date_debut > ${today}`).as('a_venir'),
      count(sql`date_fin < ${today}`).as('passes'),
    ])
    .executeTakeFirstOrThrow();
}

interface StayCounts {
  en_cours: number;
  a_venir: number;
  passes: number;
}

/** Every stay, titled by its name and its first day: the same name comes back each summer. */
export async function listStayTitles(db: Access): Promise<TitleRow[]> {
  const rows = await db.selectFrom('stages').select(['id', 'nom_stage', 'date_debut']).execute();
  return rows.map(({ id, nom_stage, date_debut }) => ({
    id,
    titre: `${nom_stage} (${date_debut.split('-').reverse().join('/')})`,
    date_publication: date_debut,
    supprime_le: null,
  }));
}

export interface TitleRow {
  id: number;
  titre: string;
  date_publication: string;
  supprime_le: string | null;
}

/** Every item of a kind by its title, the bin included. */
export async function listTitles(db: Access, kind: ItemKind): Promise<TitleRow[]> {
  const title = sql.join(
    [kind.titledBy].flat().map((name) => sql.ref(name)),
    sql` || ' ' || `,
  );
  const since = kind.hasWindow ? sql`coalesce(publie_du, created_at)` : sql.ref('created_at');
  const result = await sql<TitleRow>`
    select id, ${title} as titre, ${since} as date_publication, supprime_le
    from ${sql.table(kind.table)}`.execute(db);
  return result.rows;
}
