import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#platform/server/db/database.ts';
import { newSqlite } from '#tests/support/database.ts';

let database: Database;
beforeAll(async () => {
  database = await newSqlite();
});
afterAll(() => database?.close());

test('SQLite refuses a write outside of a transaction, which would not wait for a long one', async () => {
  await expect(database.db.deleteFrom('imports').execute()).rejects.toThrow('database.write');
  await database.write((transaction) => transaction.deleteFrom('imports').execute());
});

test('long works asked for at once run one after the other, and the writes meanwhile after them', async () => {
  const note = (name: string) =>
    sql`insert into planifications (nom, prochaine_le) values (${name}, cast(${name} as text))`;
  const slow = sql`
    update planifications set derniere_le = (
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select count(*) from n)`;
  const work = (name: string) => database.apart([{ query: note(name) }, { query: slow }]);
  const write = (name: string) => database.write((transaction) => note(name).execute(transaction));
  const works = ['a', 'b', 'c', 'd'].map(work);
  let isOver = false;
  const all = Promise.all(works).then(() => {
    isOver = true;
  });
  // The others are still to come: what is written from now on waits for the last of them.
  await Promise.race(works);
  for (let turn = 0; turn === 0 || !isOver; turn++) await write(`écriture ${turn}`);
  await all;
  const rows = await database.db.selectFrom('planifications').select('nom').orderBy('nom').execute();
  expect(rows.map(({ nom }) => nom)).toEqual(['a', 'b', 'c', 'd', 'écriture 0']);
});

test('what was erased is not left readable in the file', async () => {
  const query = sql<{ secure_delete: number }>`pragma secure_delete`;
  expect((await query.execute(database.db)).rows).toEqual([{ secure_delete: 1 }]);
});
