import { employees } from '#features/content/shared/employees.ts';
import { titleOf } from '#features/content/shared/kind.ts';
import { genreOf } from '#features/content/shared/kinds.ts';
import { byName } from '#platform/server/byName.ts';
import type { FileOwners } from '#platform/server/http/downloads.ts';
import { notFound } from '#platform/server/http/errors.ts';
import { type Handlers, RawJson } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import { addEmployee, changeEmployee } from './save.ts';
import { moveToBin } from './shelf.ts';
import { findEmployee, findEmployeeToChange, itemOf, listPresent } from './store.ts';
import { chartOf } from './tree.ts';

/** The calls of the employees, and their chart. */

const CHART = 'GET /employe/orgchart';
/** How long an answer is kept, though every write of this process drops it. */
const CHART_MS = 10_000;

type StaffKeys = Extract<
  CallKey,
  typeof CHART | 'POST /create-employes' | `${string} /employes${'' | '/:id'}`
>;

export function staffHandlers(services: Services): Pick<Handlers, StaffKeys> {
  const { database, clock, kept } = services;
  const { texts, byId } = employees;
  return {
    [CHART]: async () => {
      const { body, etag } = await kept.get(
        `${API_PREFIX}/employe/orgchart`,
        genreOf(employees),
        async () => ({
          body: Buffer.from(JSON.stringify(chartOf(await listPresent(database.db)))),
          // What another process was told to hide does not stay in sight here.
          until: new Date(clock().getTime() + CHART_MS),
        }),
      );
      return new RawJson(body, etag);
    },
    'GET /employes': async () => (await listPresent(database.db)).sort(byName).map(itemOf),
    'GET /employes/:id': async ({ params }) => {
      const row = await findEmployee(database.db, params.id);
      if (!row || row.supprime_le !== null) throw notFound(texts.notFound);
      return itemOf(row);
    },
    'POST /create-employes': async (context) => ({
      message: texts.created,
      ...itemOf(await addEmployee(services, context, context)),
    }),
    'PUT /employes/:id': async (context) => ({
      message: byId.updated,
      ...itemOf(await changeEmployee(services, context.params.id, context, context)),
    }),
    'DELETE /employes/:id': async (context) => {
      await database.write(async (transaction) => {
        const row = await findEmployeeToChange(database, transaction, context.params.id);
        if (!row || row.supprime_le !== null) throw notFound(texts.notFound);
        await moveToBin(transaction, row, context, clock());
      });
      await kept.drop(genreOf(employees));
      return { message: texts.deleted };
    },
  };
}

/** Who may open the photos: anyone where the person's tick says so. */
export function staffFileOwners({ database }: Services): FileOwners {
  return {
    [employees.table]: async (id) => {
      const row = await findEmployee(database.db, id);
      if (!row || row.supprime_le !== null) return undefined;
      const to = row.photo_public === 1 ? 'anyone' : 'closed';
      return { to, closedBut: ['admin'], label: titleOf(employees, row) };
    },
  };
}
