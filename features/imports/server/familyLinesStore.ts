import { type RawBuilder, sql } from 'kysely';
import { sharedKey } from '#features/stays/server/familiesStore.ts';
import { slicesOf } from '#platform/server/concurrency.ts';
import type { Database, Engine, Statement } from '#platform/server/db/database.ts';
import { jsonIds, jsonRows } from '#platform/server/db/json.ts';
import type { FamilyLine, KnownChildren } from './familyLines.ts';
import { areUntouched, endOfImport, undoOf } from './importsStore.ts';
import { SLICE } from './table.ts';

/** SQL of family imports: reads the children that lines may be about, stages lines in a temporary table, merges, undoes. */

const LINE = {
  id: 'bigint',
  version: 'bigint',
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

/** Reads the children of these stays, as they are when a file is read. */
export async function listKnownChildren(
  { db, engine }: Database,
  stageIds: readonly number[],
): Promise<KnownChildren> {
  const rows = await db
    .selectFrom('stagiaires')
    .select(['id', 'version', 'stage_id', 'nom', 'prenom', 'cle', 'email', 'email_2', 'consentement_image'])
    .where('stage_id', 'in', jsonIds(engine, stageIds))
    .orderBy('id')
    .execute();
  return Map.groupBy(rows, (row) => `${row.stage_id}|${sharedKey(row)}`);
}

/** Writes the children that a file makes or changes, in one transaction, apart from the process's other work. */
export async function mergeFamilies(
  { apartAfter, engine }: Database,
  importId: number,
  lines: readonly FamilyLine[],
  at: string,
): Promise<void> {
  await apartAfter(async (run) => {
    await run(lineTable(engine));
    let count = 0;
    for (const slice of slicesOf(lines, SLICE)) {
      await run(addLines(engine, slice, count));
      count += slice.length;
    }
    return familyMerge(importId, lines.filter(({ id }) => id !== null).length, at);
  });
}

/** Temporary table that holds the lines of an import, in the order of the file, until its transaction ends. */
const LINES = sql.table('lignes_lues');

export function lineTable(engine: Engine): RawBuilder<unknown> {
  const columns = LINE_NAMES.map((name) => sql`${sql.ref(name)} ${sql.raw(LINE[name])}`);
  return sql`create temporary table ${LINES} (place bigint, ${sql.join(columns)})
    ${sql.raw(engine === 'postgres' ? 'on commit drop' : '')}`;
}

/** Adds lines to the temporary table, which already holds `before` lines. */
export function addLines(engine: Engine, lines: readonly FamilyLine[], before: number): RawBuilder<unknown> {
  const rows = lines.map((line, place) => [before + place, ...LINE_NAMES.map((name) => line[name])]);
  return sql`
    insert into ${LINES} (place, ${lineColumns})
    select place, ${lineColumns} from ${jsonRows(engine, 'l', { place: 'bigint', ...LINE }, rows)}`;
}

/**
 * The statements that merge the staged lines, `changed` of which change a stored child, all or nothing, whatever their
 * number. A child that was changed or removed since it was read fails them.
 */
export function familyMerge(importId: number, changed: number, at: string): Statement[] {
  const isSame = sql`s.id = l.id and s.version = l.version`;
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
        from ${LINES} l join stagiaires s on ${isSame} order by l.place`,
    },
    {
      query: sql`
        update stagiaires as s set nom = l.nom, prenom = l.prenom, email = l.email, email_2 = l.email_2,
          consentement_image = l.consentement_image, modifie_le = ${at}, version = s.version + 1
        from ${LINES} l where ${isSame}`,
      rows: changed,
    },
    {
      query: sql`
        insert into stagiaires (stage_id, nom, prenom, cle, email, email_2, consentement_image, created_at,
          modifie_le, version)
        select stage_id, nom, prenom, cle, email, email_2, consentement_image, cast(${at} as text),
          cast(${at} as text), 1
        from ${LINES} where id is null order by place`,
    },
    {
      query: sql`
        insert into imports_familles (import_id, stagiaire_id, version)
        select cast(${importId} as bigint), s.id, s.version
        from ${LINES} l join stagiaires s on s.stage_id = l.stage_id and s.cle = l.cle
        where l.id is null order by l.place`,
    },
    ...endOfImport('familles', importId),
  ];
}

export const areFamiliesUntouched = areUntouched('familles');

export function familyUndo(importId: number, at: string): Statement[] {
  return undoOf('familles', importId, areFamiliesUntouched, at, [
    sql`
      update stagiaires as s set nom = l.avant_nom, prenom = l.avant_prenom, email = l.avant_email,
        email_2 = l.avant_email_2, consentement_image = l.avant_consentement_image,
        modifie_le = ${at}, version = s.version + 1
      from imports_familles l
      where l.import_id = ${importId} and l.avant_nom is not null and s.id = l.stagiaire_id`,
  ]);
}
