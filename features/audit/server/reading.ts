import type { Access } from '#platform/server/db/database.ts';
import { type Context, type HandlersOf, MadeFile } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { QueryOf } from '#platform/shared/call.ts';
import type { Right } from '#platform/shared/roles.ts';
import { dayAfter, dayAt, instantAt } from '#platform/shared/time.ts';
import type { auditCalls } from '../calls.ts';
import { journal } from './journal.ts';
import {
  type Chosen,
  type JournalRow,
  listActors,
  listNewestLines,
  listTables,
  walkChosenLines,
} from './store.ts';

/* The journal as staff read it. */

export function auditHandlers(
  { database, config, clock }: Services,
  tables: readonly NamedTable[],
): HandlersOf<typeof auditCalls> {
  const { db } = database;

  /** The file of the lines chosen, each slice of them as `write` has it; the export is a line of the journal too. */
  async function exported(
    { query, ...actor }: Context<'GET /journal/csv' | 'GET /journal/jsonl'>,
    extension: string,
    write: (lines: JournalRow[], isFirst: boolean) => string | Promise<string>,
  ): Promise<MadeFile> {
    const now = clock();
    await database.write((transaction) => journal(transaction, actor, now, 'export du journal'));
    const pieces: Buffer[] = [];
    for await (const slice of walkChosenLines(db, chosenBy(query, config.TIME_ZONE)))
      pieces.push(Buffer.from(await write(slice, pieces.length === 0)));
    if (pieces.length === 0) pieces.push(Buffer.from(await write([], true)));
    return new MadeFile(Buffer.concat(pieces), `journal-${dayAt(now, config.TIME_ZONE)}.${extension}`, 0);
  }

  return {
    'GET /journal/csv': (context) => exported(context, 'csv', csvOf),
    'GET /journal/jsonl': (context) =>
      exported(context, 'jsonl', (lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    'GET /journal': async ({ query, session }) => {
      const chosen = chosenBy(query, config.TIME_ZONE);
      const rows = await listNewestLines(db, chosen, query.avant, query.limite + 1);
      const lines = rows.slice(0, query.limite);
      const suite = rows.length > query.limite ? (lines.at(-1)?.id ?? null) : null;
      if (!query.noms) return { entrees: lines, suite };
      const rights = session?.rights ?? [];
      const names = await namesOf(db, tables, lines, rights);
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

const COLUMNS = ['id', 'instant', 'acteur', 'action', 'objet', 'objet_id', 'ip', 'chaine'] as const;

/**
 * Lines of a CSV file, after their titles for the first of them. A text that a spreadsheet would take for a formula, as
 * the name of an account may be, begins with an apostrophe.
 */
async function csvOf(lines: JournalRow[], isFirst: boolean): Promise<string> {
  const { default: csv } = await import('papaparse');
  const data = lines.map((line) => COLUMNS.map((name) => line[name]));
  const text = csv.unparse(isFirst ? { fields: [...COLUMNS], data } : data, {
    delimiter: ';',
    escapeFormulae: true,
  });
  // With the byte order mark, spreadsheets read the accents correctly.
  return `${isFirst ? '\ufeff' : ''}${text.trimEnd()}\r\n`;
}

function chosenBy({ qui, quoi, du, au }: QueryOf<'GET /journal/csv'>, timeZone: string): Chosen {
  const midnight = (day: string) => instantAt(`${day}T00:00:00.000Z`, timeZone).toISOString();
  return {
    actor: qui || undefined,
    table: quoi || undefined,
    from: du ? midnight(du) : undefined,
    until: au ? midnight(dayAfter(au, 1)) : undefined,
  };
}

/* Words for what lines of the journal are about: lines hold a table and an id, which tell staff nothing. */

export interface NamedTable {
  table: string;
  /** « Enfant ». */
  label: string;
  gone: 'effacé' | 'effacée';
  /** The right that opens its rows: nobody else reads their names. */
  right: Right;
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
  rights: readonly Right[],
): Promise<(string | null)[]> {
  const known = new Map<string, Map<number, string>>();
  for (const { table, names, right } of tables) {
    if (!rights.includes(right)) continue;
    const ids = lines.flatMap(({ objet, objet_id }) => (objet === table ? (objet_id ?? []) : []));
    if (ids.length > 0) known.set(table, await names(db, [...new Set(ids)]));
  }
  return lines.map(({ objet, objet_id }) => {
    const named = tables.find(({ table }) => table === objet);
    if (objet === null || objet_id === null) return named?.label ?? objet;
    if (!named) return `${objet} n°\u00a0${objet_id}`;
    const bare = `${named.label} n°\u00a0${objet_id}`;
    if (!rights.includes(named.right)) return bare;
    return known.get(objet)?.get(objet_id) ?? `${bare} (${named.gone})`;
  });
}
