import { getStay, requireOwnStay } from '#features/stays/server/staysStore.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';

/** What has arrived already, asked before a byte is sent. */
export function knownHandlers({ database: { db } }: Services) {
  return {
    'POST /photos/connues': async ({ body: { stageId, empreintes }, session }) => {
      requireOwnStay(session, stageId);
      await getStay(db, stageId);
      if (empreintes.length === 0) return { connues: [] };
      const connues = await db
        .selectFrom('photos')
        .select(['empreinte', 'id', 'version', 'statut', 'refus'])
        .where('stage_id', '=', stageId)
        .where('empreinte', 'in', empreintes)
        .execute();
      return { connues };
    },
  } satisfies Partial<Handlers>;
}
