import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countPhotos, listEnding, listRequests, listUnsent } from '#features/dashboard/server/store.ts';
import { listPhotos } from '#features/photos/server/store.ts';
import { familyPlace, secondAddressPlace } from '#features/stays/server/familiesStore.ts';
import type { Database } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { countWaiting } from '#platform/server/mail/outboxStore.ts';
import { newSqlite } from '#tests/support/database.ts';

let database: Database;
beforeAll(async () => {
  database = await newSqlite();
});
afterAll(() => database?.close());

/** The queries that a work makes, on a database that answers none of them. */
async function queriesOf(work: (none: Pick<Database, 'db' | 'engine'>) => Promise<unknown>) {
  const queries: CompiledQuery[] = [];
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => new DummyDriver(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (of) => new SqliteIntrospector(of),
    },
    log: ({ query }) => {
      queries.push(query);
    },
  });
  // Some miss a row that is always there.
  await work({ db, engine: 'sqlite' }).catch(() => {});
  return queries;
}

/** Short, or an index of those rows alone that are asked for. */
const MAY_BE_READ_WHOLE = /^SCAN (stages|comptes|ligne|.* INDEX (photos_a_voir|photos_retraits_a_decider))\b/;

/** What SQLite would read from one end to the other for a query. */
async function readWhole({ sql, parameters }: CompiledQuery): Promise<string[]> {
  const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
  const { rows } = await database.db.executeQuery<{ detail: string }>(explained);
  return rows
    .map(({ detail }) => detail)
    .filter((detail) => detail.startsWith('SCAN') && !MAY_BE_READ_WHOLE.test(detail));
}

const soon = { today: '2026-07-01', until: '2026-07-15' };

test.each([
  ['a family', true],
  ['whoever checks them', false],
])(
  'The photos of a stay are read in the order of the page of %s, and sorted for none',
  async (_, isFamily) => {
    const after = { jour: '2026-07-01', rang: '2026-07-01T09:00:00.000Z', id: 1 };
    const queries = await queriesOf(async ({ db }) => {
      const viewer = { isFamily, now: new Date() };
      await listPhotos(db, 1, viewer, { statut: undefined, after: undefined, limit: 120 });
      await listPhotos(db, 1, viewer, { statut: undefined, after, limit: 120 });
    });
    expect(queries).toHaveLength(2);
    for (const { sql, parameters } of queries) {
      const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
      const { rows } = await database.db.executeQuery<{ detail: string }>(explained);
      expect(rows.map(({ detail }) => detail)).toEqual([expect.stringMatching(/^SEARCH photos USING INDEX/)]);
    }
  },
);

test.each<[string, Parameters<typeof queriesOf>[0]]>([
  ['The photos that ask for somebody', ({ db }) => countPhotos(db, new Date())],
  ['The removals of photos that wait', ({ db }) => listRequests(db)],
  ['The stays whose photos end', ({ db }) => listEnding(db, '2026-07-01')],
  ['The stays whose families have no codes', (none) => listUnsent(none, soon, () => '')],
  ['The mails that wait', ({ db }) => countWaiting(db)],
  ['The children of an address', ({ db }) => familyPlace.list(db, 'lea@example.org')],
  ['The children of a second address', ({ db }) => secondAddressPlace.list(db, 'lea@example.org')],
])('%s are found without reading what grows from one end to the other', async (_, work) => {
  const queries = await queriesOf(work);
  expect(queries.length).toBeGreaterThan(0);
  expect((await Promise.all(queries.map(readWhole))).flat()).toEqual([]);
});
