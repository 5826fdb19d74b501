import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { bothPasswords, PASSWORD_ROLES, sealStayPassword } from '#features/stays/server/staysStore.ts';
import { slicesOf } from '#platform/server/concurrency.ts';
import type { Access, Database, Statement } from '#platform/server/db/database.ts';
import { jsonRows } from '#platform/server/db/json.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import { areUntouched, endOfImport, givenUp, markDone, undoOf } from './importsStore.ts';
import { type StayLine, TYPES } from './stayLines.ts';

/**
 * SQL of stay imports. Passwords are encrypted with the id of their stay, so the database cannot do it alone, as it
 * does for families. Working in slices leaves the process free in between for requests that have their own connection
 * (on PostgreSQL) or need none. On SQLite, requests to the database wait for the end: about 0.3 s for 5,000 stays.
 */

const SLICE = 250;

/** Writes all stays that a file makes or changes, in one transaction. */
export async function mergeStays(
  database: Database,
  secrets: Secrets,
  importId: number,
  lines: readonly StayLine[],
  at: string,
): Promise<void> {
  const made = lines.filter(({ known }) => !known);
  const changed = lines.filter(({ known }) => known);
  await database.write(async (transaction) => {
    await markDone(transaction, importId);
    for (const slice of slicesOf(made, SLICE)) {
      await insertStays(transaction, database, secrets, importId, slice, at);
      await setImmediate();
    }
    for (const slice of slicesOf(changed, SLICE)) {
      await updateStays(transaction, database, secrets, importId, slice, at);
      await setImmediate();
    }
    for (const { query } of endOfImport('sejours', importId)) await query.execute(transaction);
  });
}

async function insertStays(
  transaction: Access,
  { engine }: Database,
  secrets: Secrets,
  importId: number,
  lines: readonly StayLine[],
  at: string,
): Promise<void> {
  const columns = { nom_stage: 'text', cle: 'text', date_debut: 'text', date_fin: 'text' } as const;
  const values = lines.map((line) => [line.nom_stage, line.cle, line.date_debut, line.date_fin]);
  const { rows } = await sql<{ id: number; cle: string }>`
    insert into stages (nom_stage, cle, date_debut, date_fin, mdp_formateur, mdp_stagiaire, created_at, modifie_le)
    select nom_stage, cle, date_debut, date_fin, '', '', cast(${at} as text), cast(${at} as text)
    from ${jsonRows(engine, 'l', columns, values)} where true
    returning id, cle`.execute(transaction);
  const lineOf = new Map(lines.map((line) => [line.cle, line]));
  const sealed = rows.map(({ id, cle }) => [
    id,
    ...sealedOf(secrets, id, bothPasswords(lineOf.get(cle)?.passwords)),
  ]);
  const made = jsonRows(engine, 'l', { id: 'bigint', mdp_formateur: 'text', mdp_stagiaire: 'text' }, sealed);
  await sql`
    update stages as s set mdp_formateur = l.mdp_formateur, mdp_stagiaire = l.mdp_stagiaire
    from ${made} where s.id = l.id`.execute(transaction);
  await sql`
    insert into imports_sejours (import_id, stage_id, version)
    select cast(${importId} as bigint), id, 1 from ${made} where true`.execute(transaction);
}

function sealedOf(secrets: Secrets, id: number, passwords: StayLine['passwords']): (string | null)[] {
  return TYPES.map((type) => {
    const password = passwords[type];
    return password === undefined ? null : sealStayPassword(secrets, id, type, password);
  });
}

async function updateStays(
  transaction: Access,
  { engine }: Database,
  secrets: Secrets,
  importId: number,
  lines: readonly StayLine[],
  at: string,
): Promise<void> {
  const columns = {
    id: 'bigint',
    mdp_formateur: 'text',
    mdp_stagiaire: 'text',
    nom_stage: 'text',
    cle: 'text',
  } as const;
  const values = lines.flatMap(({ known, nom_stage, cle, passwords }) =>
    known ? [[known.id, ...sealedOf(secrets, known.id, passwords), nom_stage, cle]] : [],
  );
  // A stay renamed or moved to other dates since the file was read no longer matches its line, and an erased one takes
  // no passwords.
  const rows = jsonRows(engine, 'l', columns, values);
  await sql`
    insert into imports_sejours (import_id, stage_id, version, avant_nom_stage, avant_mdp_formateur, avant_mdp_stagiaire)
    select cast(${importId} as bigint), s.id, s.version + 1, s.nom_stage,
      case when l.mdp_formateur is null then null else s.mdp_formateur end,
      case when l.mdp_stagiaire is null then null else s.mdp_stagiaire end
    from ${rows} join stages s on s.id = l.id and s.cle = l.cle`.execute(transaction);
  const { numAffectedRows } = await sql`
    update stages as s set nom_stage = l.nom_stage, mdp_formateur = coalesce(l.mdp_formateur, s.mdp_formateur),
      mdp_stagiaire = coalesce(l.mdp_stagiaire, s.mdp_stagiaire), modifie_le = ${at}, version = s.version + 1
    from ${rows} where s.id = l.id and s.cle = l.cle
      and (s.efface_le is null or coalesce(l.mdp_formateur, l.mdp_stagiaire) is null)`.execute(transaction);
  if (numAffectedRows !== BigInt(values.length)) throw givenUp();
  // A new password ends the sessions opened with the old one.
  for (const type of TYPES) {
    await sql`
      delete from sessions where role = ${PASSWORD_ROLES[type]} and stage_id in (
        select l.id from ${rows} where l.${sql.ref(`mdp_${type}`)} is not null)`.execute(transaction);
  }
}

/**
 * Condition: every stay that an import created or changed is still as the import left it, and nothing was added to
 * those it created.
 */
export const areStaysUntouched = sql<boolean>`(
  ${areUntouched('sejours')}
  and not exists (
    select 1 from imports_sejours l where l.import_id = imports.id and l.avant_nom_stage is null and (
      exists (select 1 from stagiaires x where x.stage_id = l.stage_id)
      or exists (select 1 from affectations x where x.stage_id = l.stage_id)
      or exists (select 1 from bilans x where x.stage_id = l.stage_id)
      or exists (select 1 from photos x where x.stage_id = l.stage_id)
      or exists (select 1 from photos_envois x where x.stage_id = l.stage_id)
      or exists (select 1 from livrets x where x.stage_id = l.stage_id)
      or exists (select 1 from jours x where x.stage_id = l.stage_id)
      or exists (select 1 from attestations x where x.stage_id = l.stage_id)
      or exists (select 1 from evaluations x where x.stage_id = l.stage_id))))`;

export function stayUndo(importId: number, at: string): Statement[] {
  const ofImport = sql`l.import_id = ${importId}`;
  const ended = (column: string, role: string) => sql`
    delete from sessions where role = ${role} and stage_id in (
      select l.stage_id from imports_sejours l
      where ${ofImport} and (l.avant_nom_stage is null or l.${sql.ref(column)} is not null))`;
  return [
    {
      // Locks the stays: neither a sign-in nor a change comes between the following statements.
      query: sql`
        update stages set version = version where id in (
          select l.stage_id from imports_sejours l where ${ofImport})`,
    },
    ...undoOf('sejours', importId, areStaysUntouched, at, [
      ended('avant_mdp_formateur', 'director'),
      ended('avant_mdp_stagiaire', 'family'),
      sql`
        update stages as s set nom_stage = l.avant_nom_stage,
          mdp_formateur = coalesce(l.avant_mdp_formateur, s.mdp_formateur),
          mdp_stagiaire = coalesce(l.avant_mdp_stagiaire, s.mdp_stagiaire),
          modifie_le = ${at}, version = s.version + 1
        from imports_sejours l where ${ofImport} and l.avant_nom_stage is not null and s.id = l.stage_id`,
    ]),
  ];
}
