import { journal } from '#features/audit/server/journal.ts';
import type { Access } from '#platform/server/db/database.ts';
import { conflict, HttpError } from '#platform/server/errors.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import { addJob, dropJobs, listJobs, type WaitingJob } from '#platform/server/jobs/jobsStore.ts';
import type { JobHandlers } from '#platform/server/jobs/worker.ts';
import type { Services } from '#platform/server/services.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import type { exampleCalls } from '../calls.ts';
import { type Followers, openAdapters } from './adapters.ts';
import { EXAMPLE, type ExampleItem, type Places } from './items.ts';
import {
  deleteAwaited,
  deleteRecord,
  type ExampleRecord,
  findRecord,
  listRecords,
  listRecordsToChange,
  markInPlace,
  planItems,
} from './store.ts';

/* The example content, put in and taken out by jobs of one item each. */

type State = ReplyOf<'GET /exemple'>['etat'];

/** Why neither of the two writes goes on from a state. */
const REFUSED: Record<State, string> = {
  absent: 'Le contenu d’exemple n’est pas en place.',
  arrive: 'Le contenu d’exemple est en train d’arriver : attendez qu’il soit là.',
  present: 'Le contenu d’exemple est déjà en place.',
  part: 'Le contenu d’exemple est en train de partir : attendez qu’il ne soit plus là.',
  interrompu: 'Le contenu d’exemple n’est là qu’en partie.',
};

export function exampleHandlers(services: Services): HandlersOf<typeof exampleCalls> {
  const { database, clock } = services;

  return {
    'GET /exemple': async () => {
      const jobs = await listJobs(database.db, 'example', clock());
      // Read last: when a job has ended meanwhile, its item is in place.
      const records = await listRecords(database.db);
      return {
        etat: stateOf(records, jobs),
        en_place: records.filter(isInPlace).length,
        total: EXAMPLE.length,
        erreur: jobs.find((job) => job.error !== null)?.error ?? null,
      };
    },
    'POST /exemple': async (context) => {
      await database.write(async (transaction) => {
        const now = clock();
        // First, as the unique keys are what two of these at once meet at: the second waits for the first.
        await planItems(transaction, EXAMPLE);
        const records = await listRecordsToChange(database, transaction);
        const state = await readState(transaction, records, now);
        // What has just been planned, or was left undone, is in part there; the refusal undoes the plan.
        if (state !== 'interrompu') throw conflict(REFUSED[state]);
        await dropJobs(transaction, 'example');
        for (const { cle } of records.filter((record) => !isInPlace(record)))
          await addJob(transaction, 'example', { cle, isComing: true }, now);
        await journal(transaction, context, now, 'mise en place du contenu d’exemple');
      });
      services.jobs.wake();
      return { message: 'Le contenu d’exemple arrive.' };
    },
    'DELETE /exemple': async (context) => {
      await database.write(async (transaction) => {
        const now = clock();
        const records = await listRecordsToChange(database, transaction);
        const state = await readState(transaction, records, now);
        if (state !== 'present' && state !== 'interrompu') throw conflict(REFUSED[state]);
        await dropJobs(transaction, 'example');
        // The last ones first: nobody leaves before those who depend on them, whom that would change.
        for (const { cle } of records.toReversed())
          await addJob(transaction, 'example', { cle, isComing: false }, now);
        await journal(transaction, context, now, 'retrait du contenu d’exemple');
      });
      services.jobs.wake();
      return { message: 'Le contenu d’exemple part.' };
    },
  };
}

async function readState(db: Access, records: readonly ExampleRecord[], now: Date): Promise<State> {
  return stateOf(records, await listJobs(db, 'example', now));
}

function isInPlace(record: ExampleRecord): boolean {
  return record.objet_id !== null;
}

/** Jobs say what is under way, records what is there: both outlive the process. All jobs go one way. */
function stateOf(records: readonly ExampleRecord[], jobs: readonly WaitingJob<'example'>[]): State {
  const underWay = jobs.find((job) => !job.isGivenUp);
  if (underWay) return underWay.payload.isComing ? 'arrive' : 'part';
  if (jobs.length > 0 || !records.every(isInPlace)) return 'interrompu';
  return records.length === 0 ? 'absent' : 'present';
}

/*
 * The job that puts the example in and takes it out, an item each: a stop waits for one item only, one that
 * fails holds no other up, and one done twice finds the first time's record.
 */

class NotAwaited extends Error {}

export function exampleJob(services: Services, followers: Followers): JobHandlers['example'] {
  const { database, clock } = services;
  const adapters = openAdapters(services, followers);

  async function putIn(cle: string): Promise<void> {
    const record = await findRecord(database.db, cle);
    if (record?.objet_id !== null) return;
    const item = EXAMPLE.find((one) => one.cle === cle);
    const adapter = adapters[record.objet];
    // Planned by another version of the product, whose example had it.
    if (!item || !adapter) return forget(cle);
    const places = await placesOf(database.db, item);
    const now = clock();
    try {
      const form = { texts: item.texts(now, places), files: (await item.files?.()) ?? {} };
      await adapter.add(form, async (transaction, id) => {
        // Another worker, which had taken this one for dead, was first.
        if (!(await markInPlace(transaction, cle, id))) throw new NotAwaited();
        await item.alongside?.({ database, transaction, id, now, places });
      });
    } catch (error) {
      if (error instanceof NotAwaited) return;
      // A stay, a director or a booklet of that name is the site's own, and stays what it is.
      if (error instanceof HttpError && error.status === 409) return forget(cle);
      throw error;
    }
  }

  /** But for what another worker has put in place meanwhile. */
  function forget(cle: string): Promise<void> {
    return database.write((transaction) => deleteAwaited(transaction, cle));
  }

  async function takeOut(cle: string): Promise<void> {
    const record = await findRecord(database.db, cle);
    const adapter = record && adapters[record.objet];
    // It never came.
    if (!adapter || record.objet_id === null)
      return database.write((transaction) => deleteRecord(transaction, cle));
    await adapter.remove(record.objet_id, (transaction) => deleteRecord(transaction, cle));
  }

  return ({ cle, isComing }) => (isComing ? putIn(cle) : takeOut(cle));
}

/** What an item depends on; thrown for as long as that is awaited, to be tried again. */
async function placesOf(db: Access, { after = [] }: ExampleItem): Promise<Places> {
  const places = new Map<string, number>();
  for (const cle of after) {
    const record = await findRecord(db, cle);
    if (record?.objet_id === null) throw conflict('Un élément de l’exemple attend celui dont il dépend.');
    if (record) places.set(cle, record.objet_id);
  }
  return places;
}

declare module '#platform/server/jobs/jobs.ts' {
  interface JobPayloads {
    example: { cle: string; isComing: boolean };
  }
}
