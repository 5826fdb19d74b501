import { sql } from 'kysely';
import type { Access, Database, Statement } from '#platform/server/db/database.ts';
import { jsonRows } from '#platform/server/db/json.ts';
import type { DirectorLine } from './directorLines.ts';
import { areUntouched, endOfImport, givenUp, markDone, undoOf } from './importsStore.ts';

/** SQL of director imports: a director is found by address, as in the form that adds one to a stay. */

const PERSON = { nom: 'text', prenom: 'text', mail: 'text', cle_mail: 'text', telephone: 'text' } as const;

/** Writes the directors that a file makes or changes and what they direct, in one transaction. */
export async function mergeDirectors(
  database: Database,
  importId: number,
  changed: readonly DirectorLine[],
  at: string,
): Promise<void> {
  const { engine } = database;
  await database.write(async (transaction) => {
    await markDone(transaction, importId);
    const ids = await insertDirectors(transaction, database, changed, at);
    await updateDirectors(transaction, database, changed, at);
    const idOf = ({ known, cle_mail }: DirectorLine) => known?.id ?? ids.get(cle_mail) ?? 0;
    const assigned = changed.filter(({ stage_id }) => stage_id !== null);
    const assignments = jsonRows(
      engine,
      'l',
      { formateur_id: 'bigint', stage_id: 'bigint', cat: 'text' },
      assigned.map((line) => [idOf(line), line.stage_id, line.cat ?? presentOf(line) ?? 'sejour']),
    );
    await sql`
      insert into affectations (formateur_id, stage_id, cat)
      select formateur_id, stage_id, cat from ${assignments} where true
      on conflict (formateur_id, stage_id) do update set cat = excluded.cat`.execute(transaction);
    const kept = jsonRows(
      engine,
      'l',
      {
        ...{ formateur_id: 'bigint', version: 'bigint', stage_id: 'bigint', avant_cat: 'text' },
        ...{ avant_nom: 'text', avant_prenom: 'text', avant_telephone: 'text' },
      },
      changed.map((line) => {
        // A further line of a new person changes what the first one made.
        const before = line.known ?? (line.isFurther ? line : undefined);
        return [
          ...[idOf(line), (line.known?.version ?? 0) + 1, line.stage_id, presentOf(line) ?? null],
          ...[before?.nom ?? null, before?.prenom ?? null, before?.telephone ?? null],
        ];
      }),
    );
    await sql`
      insert into imports_directeurs (import_id, formateur_id, version, stage_id, avant_cat, avant_nom, avant_prenom,
        avant_telephone)
      select cast(${importId} as bigint), formateur_id, version, stage_id, avant_cat, avant_nom, avant_prenom,
        avant_telephone from ${kept} where true`.execute(transaction);
    for (const { query } of endOfImport('directeurs', importId)) await query.execute(transaction);
  });
}

function presentOf({ known, stage_id }: DirectorLine) {
  return stage_id === null ? undefined : known?.stays.get(stage_id);
}

/** Adds the new directors; returns their ids by address. */
async function insertDirectors(
  transaction: Access,
  { engine }: Database,
  lines: readonly DirectorLine[],
  at: string,
): Promise<Map<string, number>> {
  const made = lines.filter(({ known, isFurther }) => !known && !isFurther);
  const values = made.map((line) => [line.nom, line.prenom, line.mail, line.cle_mail, line.telephone]);
  const { rows } = await sql<{ id: number; cle_mail: string }>`
    insert into formateurs (nom, prenom, mail, cle_mail, telephone, created_at, modifie_le)
    select nom, prenom, mail, cle_mail, telephone, cast(${at} as text), cast(${at} as text)
    from ${jsonRows(engine, 'l', PERSON, values)} where true
    returning id, cle_mail`.execute(transaction);
  return new Map(rows.map(({ id, cle_mail }) => [cle_mail, id]));
}

/** Updates the known directors, each once; their address keeps its spelling. */
async function updateDirectors(
  transaction: Access,
  { engine }: Database,
  lines: readonly DirectorLine[],
  at: string,
): Promise<void> {
  const people = new Map(lines.flatMap((line) => (line.known ? [[line.known, line] as const] : [])));
  const columns = {
    id: 'bigint',
    version: 'bigint',
    nom: 'text',
    prenom: 'text',
    telephone: 'text',
  } as const;
  const values = [...people].map(([{ id, version }, line]) => [
    ...[id, version, line.nom, line.prenom, line.telephone],
  ]);
  const { numAffectedRows } = await sql`
    update formateurs as f set nom = l.nom, prenom = l.prenom, telephone = l.telephone, modifie_le = ${at},
      version = f.version + 1
    from ${jsonRows(engine, 'l', columns, values)} where f.id = l.id and f.version = l.version`.execute(
    transaction,
  );
  if (numAffectedRows !== BigInt(values.length)) throw givenUp();
}

/** A change of what directors direct changes their version too, and a deleted stay takes its lines along. */
export const areDirectorsUntouched = areUntouched('directeurs');

export function directorUndo(importId: number, at: string): Statement[] {
  const isOfLine = sql`l.import_id = ${importId} and l.formateur_id = a.formateur_id and l.stage_id = a.stage_id`;
  return undoOf('directeurs', importId, areDirectorsUntouched, at, [
    sql`
      delete from affectations as a where exists (
        select 1 from imports_directeurs l where ${isOfLine} and l.avant_cat is null)`,
    sql`
      update affectations as a set cat = l.avant_cat from imports_directeurs l
      where ${isOfLine} and l.avant_cat is not null`,
    sql`
      update formateurs as f set nom = l.avant_nom, prenom = l.avant_prenom, telephone = l.avant_telephone,
        modifie_le = ${at}, version = f.version + 1
      from imports_directeurs l
      where l.import_id = ${importId} and l.avant_nom is not null and f.id = l.formateur_id`,
  ]);
}
