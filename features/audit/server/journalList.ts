import type { auditCalls } from '#features/audit/calls.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';

/** The journal as staff read it, a page at a time. */
export function auditHandlers({ database: { db } }: Services): HandlersOf<typeof auditCalls> {
  return {
    'GET /journal': async ({ query }) => {
      const rows = await db
        .selectFrom('journal')
        .selectAll()
        .$if(query.avant !== undefined, (select) => select.where('id', '<', query.avant as number))
        .orderBy('id', 'desc')
        .limit(query.limite + 1)
        .execute();
      const entrees = rows.slice(0, query.limite);
      return { entrees, suite: rows.length > query.limite ? (entrees.at(-1)?.id ?? null) : null };
    },
  };
}
