import type { auditCalls } from '#features/audit/calls.ts';
import type { Access } from '#platform/server/db/open.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { QueryOf } from '#platform/shared/call.ts';
import { dayAfter, instantAt } from '#platform/shared/time.ts';
import { type Chosen, listActors, listNewestLines, listTables } from './store.ts';

/* The journal as staff read it. */

/** Serves the journal to staff, a page at a time. */
export function auditHandlers(
  { database: { db }, config }: Pick<Services, 'database' | 'config'>,
  tables: readonly NamedTable[],
): HandlersOf<typeof auditCalls> {
  return {
    'GET /journal': async ({ query }) => {
      const chosen = chosenBy(query, config.TIME_ZONE);
      const rows = await listNewestLines(db, chosen, query.avant, query.limite + 1);
      const lines = rows.slice(0, query.limite);
      const suite = rows.length > query.limite ? (lines.at(-1)?.id ?? null) : null;
      if (!query.noms) return { entrees: lines, suite };
      const names = await namesOf(db, tables, lines);
      return { entrees: lines.map((line, index) => ({ ...line, nom: names[index] ?? null })), suite };
    },
    'GET /journal/choix': async () => {
      const labels = new Map(tables.map(({ table, label }) => [table, label]));
      const objets = (await listTables(db)).map((objet) => ({ objet, nom: labels.get(objet) ?? objet }));
      return {
        acteurs: await listActors(db),
        objets: objets.sort((one, other) => one.nom.localeCompare(other.nom, 'fr')),
      };
    },
  };
}

/** The lines asked for; days are whole, on the clocks of the site. */
function chosenBy({ qui, quoi, du, au }: QueryOf<'GET /journal'>, timeZone: string): Chosen {
  const midnight = (day: string) => instantAt(`${day}T00:00:00.000Z`, timeZone).toISOString();
  return {
    actor: qui || undefined,
    table: quoi || undefined,
    from: du ? midnight(du) : undefined,
    until: au ? midnight(dayAfter(au, 1)) : undefined,
  };
}

/* Words for what lines of the journal are about: lines hold a table and an id, which tell staff nothing. */

/** A table that lines are about. */
export interface NamedTable {
  table: string;
  /** « Enfant ». */
  label: string;
  gone: 'effacé' | 'effacée';
  /**
   * Words for the rows that are still there, by id. They are looked up when the journal is read and never stored with
   * it, so that a name goes with its row.
   */
  names(db: Access, ids: readonly number[]): Promise<Map<number, string>>;
}

interface About {
  objet: string | null;
  objet_id: number | null;
}

/** Words for what each of these lines is about, in their order; null where that is nothing. */
async function namesOf(
  db: Access,
  tables: readonly NamedTable[],
  lines: readonly About[],
): Promise<(string | null)[]> {
  const known = new Map<string, Map<number, string>>();
  for (const { table, names } of tables) {
    const ids = lines.flatMap(({ objet, objet_id }) => (objet === table ? (objet_id ?? []) : []));
    if (ids.length > 0) known.set(table, await names(db, [...new Set(ids)]));
  }
  return lines.map(({ objet, objet_id }) => {
    const named = tables.find(({ table }) => table === objet);
    if (objet === null || objet_id === null) return named?.label ?? objet;
    if (!named) return `${objet} n°\u00a0${objet_id}`;
    return known.get(objet)?.get(objet_id) ?? `${named.label} n°\u00a0${objet_id} (${named.gone})`;
  });
}
