import { journal } from '#features/audit/server/journal.ts';
import type { Actor } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import { invalid } from '#platform/server/errors.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { Session } from '#platform/server/sessionsStore.ts';
import { folded } from '#platform/shared/fold.ts';
import type { Director, directorCalls } from '../calls.ts';
import type { Category } from '../shared/terms.ts';
import {
  deleteAssignments,
  deleteDirector,
  getDirector,
  getIdByIdentity,
  holdDirector,
  listDirectors,
  listDirectorsOfStay,
  putAssignments,
  putDirector,
  updateDirector,
} from './directorsStore.ts';
import { rememberRemovals, removalMark } from './removalsStore.ts';
import { getStay, holdStays, noSuchStay, requireOwnStay } from './staysStore.ts';

const TABLE = 'formateurs';
const SAVED = 'Formateur traité avec succès';
const DELETED = 'Formateur supprimé avec succès';

export function directorHandlers(services: Services): HandlersOf<typeof directorCalls> {
  const { database, clock, secrets } = services;

  /** Runs `work`, which returns the id of a director, and writes it to the journal; returns the director as changed. */
  function saving(
    actor: Actor,
    action: string,
    work: (transaction: Access, now: Date) => Promise<number>,
  ): Promise<Director> {
    return database.write(async (transaction) => {
      const now = clock();
      const id = await work(transaction, now);
      await journal(transaction, actor, now, action, { table: TABLE, id });
      return getDirector(transaction, id);
    });
  }

  async function assign(transaction: Access, id: number, stageId: number, cat: Category): Promise<void> {
    const known = await holdStays(database, transaction, [stageId]);
    if (!known.has(stageId)) throw noSuchStay();
    await putAssignments(transaction, id, [stageId], cat);
  }

  async function erase(transaction: Access, id: number, actor: Actor): Promise<{ message: string }> {
    const address = await deleteDirector(transaction, id);
    await rememberRemovals(transaction, [removalMark(secrets, 'formateurs', address)], clock());
    await journal(transaction, actor, clock(), 'suppression', { table: TABLE, id });
    return { message: DELETED };
  }

  async function ofStay(session: Session | undefined, stageId: number, cat?: Category) {
    requireOwnStay(session, stageId);
    await getStay(database.db, stageId);
    const rows = await listDirectorsOfStay(database.db, stageId, cat);
    if (session?.role === 'admin') return rows;
    return rows.map(({ mail: _mail, telephone: _telephone, ...seen }) => seen);
  }

  return {
    'GET /formateurs': () => listDirectors(database.db),
    'GET /formateurs/by-stage/:id': ({ params, session }) => ofStay(session, params.id),
    'GET /formateurs/by-stage/:id/:type': ({ params, session }) => ofStay(session, params.id, params.type),
    'POST /formateurs/add': async ({ body, ...context }) => {
      const director = await saving(context, 'ajout à un séjour', async (transaction, now) => {
        const id = await putDirector(transaction, body, now);
        await assign(transaction, id, body.stageId, body.cat);
        return id;
      });
      return { message: SAVED, ...director };
    },
    'PUT /formateurs/update/:id': async ({ params: { id }, body, ...context }) => {
      const { stageId, cat } = body;
      const director = await saving(context, 'modification', async (transaction, now) => {
        await holdDirector(database, transaction, id, body.version);
        await updateDirector(transaction, id, body, now);
        if (stageId !== undefined && cat !== undefined) await assign(transaction, id, stageId, cat);
        return id;
      });
      return { message: SAVED, ...director };
    },
    'PUT /formateurs/:id': async ({ params: { id }, body, ...context }) => {
      const director = await saving(context, 'changement de séjours', async (transaction, now) => {
        await holdDirector(database, transaction, id, body.version);
        const before = await getDirector(transaction, id);
        await updateDirector(transaction, id, body, now);
        const wanted = await holdStays(database, transaction, body.stageIds);
        if (body.stageIds.some((one) => !wanted.has(one)))
          throw invalid(
            { stageIds: 'un des séjours n’existe pas ou n’existe plus.' },
            { stageIds: 'Séjours' },
          );
        const present = before.sejours.map(({ stageId }) => stageId);
        const gone = present.filter((one) => !wanted.has(one));
        const added = [...wanted.keys()].filter((one) => !present.includes(one));
        await deleteAssignments(transaction, id, gone);
        const marks = [before.mail, body.mail].flatMap((mail) =>
          gone.map((stageId) => removalMark(secrets, 'affectations', stageId, folded(mail))),
        );
        await rememberRemovals(transaction, marks, now);
        await putAssignments(transaction, id, added, body.cat);
        return id;
      });
      return { message: 'Mise à jour réussie du formateur', ...director };
    },
    'DELETE /formateurs/delete/:id': ({ params, ...context }) =>
      database.write((transaction) => erase(transaction, params.id, context)),
    'POST /formateurs/delete': ({ body, ...context }) =>
      database.write(async (transaction) =>
        erase(transaction, await getIdByIdentity(transaction, body), context),
      ),
  };
}
