import type { auditCalls } from '#features/audit/calls.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { QueryOf } from '#platform/shared/call.ts';
import { dayAfter, instantAt } from '#platform/shared/time.ts';
import { type NamedTable, namesOf } from './names.ts';
import { type Chosen, listActors, listNewestLines, listTables } from './store.ts';

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
