import { type RawBuilder, sql } from 'kysely';
import { jsonRows } from '../../db/json.ts';
import type { Access, Database, Engine, Statement } from '../../db/open.ts';
import type { FamilyLine } from './families.ts';
import { endOfImport, startOfUndo } from './record.ts';
import type { LineState } from './walk.ts';

/** Lines of families in the database: compared with what is there, put beside it, merged at once. */

/** What a merge changes of a child; null in a line keeps what is known. */
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

/** What an import would do with each line, in their order. */
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

/** Puts lines beside the children until all of the file was read. */
export async function stageFamilies(
  transaction: Access,
  engine: Engine,
  importId: number,
  lines: readonly FamilyLine[],
): Promise<void> {
  await sql`
    insert into imports_familles (import_id, ${lineColumns})
    select cast(${importId} as bigint), ${lineColumns} from ${linesAsRows(engine, lines)}`.execute(
    transaction,
  );
}

/** The statements that make `count` staged lines children, all or nothing, whatever their number. */
export function familyMerge(importId: number, count: number, at: string): Statement[] {
  const ofImport = sql`l.import_id = ${importId}`;
  const isSame = sql`s.stage_id = l.stage_id and s.cle = l.cle`;
  return [
    {
      // Fewer lines: a stay was deleted meanwhile, or its families were erased, as those of its later lines would be. Another stage: the import was given up for dead.
      query: sql`
        update imports set etape = 'fait', vu_le = ${at}
        where id = ${importId} and etape = 'enregistrement'
          and (select count(*) from imports_familles l where ${ofImport}) = ${count}
          and not exists (
            select 1 from imports_familles l join stages s on s.id = l.stage_id
            where ${ofImport} and s.efface_le is not null)`,
      rows: 1,
    },
    {
      query: sql`
        delete from imports_familles as l where ${ofImport}
          and exists (select 1 from stagiaires s where ${isSame} and not ${differs})`,
    },
    {
      query: sql`
        update imports_familles as l set stagiaire_id = s.id, version = s.version + 1, avant_nom = s.nom,
          avant_prenom = s.prenom, avant_email = s.email, avant_email_2 = s.email_2,
          avant_consentement_image = s.consentement_image
        from stagiaires s where ${ofImport} and ${isSame}`,
    },
    {
      query: sql`
        update stagiaires as s set nom = l.nom, prenom = l.prenom, email = l.email,
          email_2 = coalesce(l.email_2, s.email_2),
          consentement_image = coalesce(l.consentement_image, s.consentement_image),
          modifie_le = ${at}, version = s.version + 1
        from imports_familles l where ${ofImport} and s.id = l.stagiaire_id`,
    },
    {
      query: sql`
        insert into stagiaires (stage_id, nom, prenom, cle, email, email_2, consentement_image, created_at,
          modifie_le, version)
        select l.stage_id, l.nom, l.prenom, l.cle, l.email, coalesce(l.email_2, ''),
          coalesce(l.consentement_image, 'inconnu'), cast(${at} as text), cast(${at} as text), 1
        from imports_familles l where ${ofImport} and l.stagiaire_id is null order by l.id`,
    },
    {
      query: sql`
        update imports_familles as l set stagiaire_id = s.id from stagiaires s
        where ${ofImport} and l.stagiaire_id is null and ${isSame}`,
    },
    ...endOfImport('familles', importId),
  ];
}

/** True while each child that an import made or changed is as it left it. */
export const areFamiliesUntouched = sql<boolean>`
  (select count(*) from imports_familles l join stagiaires s on s.id = l.stagiaire_id and s.version = l.version
    where l.import_id = imports.id) = imports.crees + imports.modifies`;

/** The statements that put back what an import changed and take out what it made. */
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
