import { type RawBuilder, sql } from 'kysely';
import { jsonRows } from '#platform/server/db/json.ts';
import type { Database, Engine, Statement } from '#platform/server/db/open.ts';
import type { FamilyLine } from './familyLines.ts';
import { endOfImport, startOfUndo } from './importsStore.ts';
import type { LineState } from './table.ts';

/** SQL of family imports: compares lines with existing children, stages them in a temporary table, merges, undoes. */

/** Condition: a merge would change the child `s`; null in the line `l` keeps the stored value. */
const differs = sql`
  (s.nom <> l.nom or s.prenom <> l.prenom or s.email <> l.email
    or s.email_2 <> coalesce(l.email_2, s.email_2)
    or s.consentement_image <> coalesce(l.consentement_image, s.consentement_image))`;

const LINE = {
  stage_id: 'bigint',
  nom: 'text',
  prenom: 'text',
  cle: 'text',
  email: 'text',
  email_2: 'text',
  consentement_image: 'text',
} as const;
const LINE_NAMES = Object.keys(LINE) as (keyof FamilyLine)[];
const lineColumns = sql.join(LINE_NAMES.map((name) => sql.ref(name)));

function linesAsRows(engine: Engine, lines: readonly FamilyLine[]): RawBuilder<unknown> {
  return jsonRows(
    engine,
    'l',
    { place: 'bigint', ...LINE },
    lines.map((line, place) => [place, ...LINE_NAMES.map((name) => line[name])]),
  );
}

/** What an import would do with each line, in the order of the lines. */
export async function compareFamilies(
  { db, engine }: Database,
  lines: readonly FamilyLine[],
): Promise<LineState[]> {
  const { rows } = await sql<{ place: number; etat: LineState }>`
    select l.place, case when s.id is null then 'creer' when ${differs} then 'modifier' else 'inchangee' end as etat
    from ${linesAsRows(engine, lines)}
    left join stagiaires s on s.stage_id = l.stage_id and s.cle = l.cle
    order by l.place`.execute(db);
  return rows.map((row) => row.etat);
}

/** Temporary table that holds the lines of an import, in the order of the file, until its transaction ends. */
const LINES = sql.table('lignes_lues');

/** Creates the temporary table of lines. */
export function lineTable(engine: Engine): RawBuilder<unknown> {
  const columns = LINE_NAMES.map((name) => sql`${sql.ref(name)} ${sql.raw(LINE[name])}`);
  return sql`create temporary table ${LINES} (place bigint, ${sql.join(columns)})
    ${sql.raw(engine === 'postgres' ? 'on commit drop' : '')}`;
}

/** Adds lines to the temporary table, which already holds `before` lines. */
export function addLines(engine: Engine, lines: readonly FamilyLine[], before: number): RawBuilder<unknown> {
  return sql`
    insert into ${LINES} (place, ${lineColumns})
    select place + cast(${before} as bigint), ${lineColumns} from ${linesAsRows(engine, lines)}`;
}

/** The statements that merge the staged lines into the children, all or nothing, whatever their number. */
export function familyMerge(importId: number, at: string): Statement[] {
  const isSame = sql`s.stage_id = l.stage_id and s.cle = l.cle`;
  return [
    {
      // Locks the stays: nothing changes between the comparison and the write.
      query: sql`update stages set version = version where id in (select stage_id from ${LINES})`,
    },
    {
      // Changes no row, which fails the import, when the families of one of these stays were erased meanwhile (those of
      // the lines would be too), or when the import was taken for dead or stopped and has no row of this stage.
      query: sql`
        update imports set etape = 'fait', vu_le = ${at}
        where id = ${importId} and etape = 'enregistrement'
          and not exists (
            select 1 from stages where efface_le is not null and id in (select stage_id from ${LINES}))`,
      rows: 1,
    },
    {
      query: sql`
        insert into imports_familles (import_id, stagiaire_id, version, avant_nom, avant_prenom, avant_email,
          avant_email_2, avant_consentement_image)
        select cast(${importId} as bigint), s.id, s.version + 1, s.nom, s.prenom, s.email, s.email_2,
          s.consentement_image
        from ${LINES} l join stagiaires s on ${isSame} where ${differs} order by l.place`,
    },
    {
      query: sql`
        update stagiaires as s set nom = l.nom, prenom = l.prenom, email = l.email,
          email_2 = coalesce(l.email_2, s.email_2),
          consentement_image = coalesce(l.consentement_image, s.consentement_image),
          modifie_le = ${at}, version = s.version + 1
        from ${LINES} l where ${isSame} and exists (
          select 1 from imports_familles i where i.import_id = ${importId} and i.stagiaire_id = s.id)`,
    },
    { query: sql`delete from ${LINES} as l where exists (select 1 from stagiaires s where ${isSame})` },
    {
      query: sql`
        insert into stagiaires (stage_id, nom, prenom, cle, email, email_2, consentement_image, created_at,
          modifie_le, version)
        select stage_id, nom, prenom, cle, email, coalesce(email_2, ''), coalesce(consentement_image, 'inconnu'),
          cast(${at} as text), cast(${at} as text), 1
        from ${LINES} order by place`,
    },
    {
      query: sql`
        insert into imports_familles (import_id, stagiaire_id, version)
        select cast(${importId} as bigint), s.id, s.version
        from ${LINES} l join stagiaires s on ${isSame} order by l.place`,
    },
    ...endOfImport('familles', importId),
  ];
}

/** Condition: every child that an import created or changed is still as the import left it. */
export const areFamiliesUntouched = sql<boolean>`
  (select count(*) from imports_familles l join stagiaires s on s.id = l.stagiaire_id and s.version = l.version
    where l.import_id = imports.id) = imports.crees + imports.modifies`;

/** The statements that undo an import: they restore the children that it changed and delete those it created. */
export function familyUndo(importId: number, at: string): Statement[] {
  return [
    startOfUndo(importId, areFamiliesUntouched, at),
    {
      query: sql`
        update stagiaires as s set nom = l.avant_nom, prenom = l.avant_prenom, email = l.avant_email,
          email_2 = l.avant_email_2, consentement_image = l.avant_consentement_image,
          modifie_le = ${at}, version = s.version + 1
        from imports_familles l
        where l.import_id = ${importId} and l.avant_nom is not null and s.id = l.stagiaire_id`,
    },
    {
      query: sql`
        delete from stagiaires where id in (
          select stagiaire_id from imports_familles where import_id = ${importId} and avant_nom is null)`,
    },
    { query: sql`delete from imports where id = ${importId}` },
  ];
}
