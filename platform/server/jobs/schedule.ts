import { type Access, type Database, databaseTrouble } from '#platform/server/db/database.ts';
import type { Services } from '#platform/server/services.ts';

/** Work that is repeated. Each run happens once however many processes there are, and catches up after a stop. */
export interface Scheduled {
  name: string;
  /** Name of the work, as staff read it. */
  label: string;
  /** Milliseconds between the starts of two runs. */
  every: number;
  run(): Promise<void>;
  /** Called in its place, at each tick, while the database cannot be written because its disk is full. */
  runOnFullDisk?(): Promise<void>;
}

const TICK_MS = 30_000;

export interface Schedule {
  /** Runs all work that is due, each once at most. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

/** With `isTimed` false, nothing is run but by `tick`. */
export function startSchedule(
  { database, clock, log }: Services,
  works: readonly Scheduled[],
  isTimed = true,
): Schedule {
  let running: Promise<void> | undefined;

  async function run(work: Scheduled): Promise<void> {
    try {
      if (!(await take(database, work, clock()))) return;
      await work.run();
      await markDone(database, work, clock());
    } catch (error) {
      log.error({ err: error, schedule: work.name }, 'scheduled work failed');
      if (databaseTrouble(error) === 'full') await work.runOnFullDisk?.();
    }
  }

  async function tick(): Promise<void> {
    for (const work of works) {
      await run(work).catch((error) =>
        log.error({ err: error, schedule: work.name }, 'what is done on a full disk failed'),
      );
    }
  }
  function start(): Promise<void> {
    running ??= tick().finally(() => {
      running = undefined;
    });
    return running;
  }
  const timer = isTimed ? setInterval(start, TICK_MS).unref() : undefined;
  return {
    async tick() {
      // A tick under way may have checked before something was due.
      await running;
      await start();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** Claims a due run; true for the one process that gets it. */
async function take(database: Database, work: Scheduled, now: Date): Promise<boolean> {
  const at = now.toISOString();
  const next = new Date(now.getTime() + work.every).toISOString();
  return database.write(async (transaction) => {
    await transaction
      .insertInto('planifications')
      .values({ nom: work.name, prochaine_le: at, derniere_le: null })
      .onConflict((conflict) => conflict.column('nom').doNothing())
      .execute();
    const taken = await transaction
      .updateTable('planifications')
      .set({ prochaine_le: next, derniere_le: at })
      .set(({ fn, ref, val }) => ({ reussie_le: fn.coalesce(ref('reussie_le'), val(at)) }))
      .where('nom', '=', work.name)
      // A next run further away than one period was set by a clock that ran ahead.
      .where((where) => where.or([where('prochaine_le', '<=', at), where('prochaine_le', '>', next)]))
      .executeTakeFirst();
    return taken.numUpdatedRows === 1n;
  });
}

async function markDone(database: Database, work: Scheduled, now: Date): Promise<void> {
  await database.write((transaction) =>
    transaction
      .updateTable('planifications')
      .set({ reussie_le: now.toISOString() })
      .where('nom', '=', work.name)
      .execute(),
  );
}

/** Lists the works whose last completed run, or first try, is more than two of their periods old. */
export async function listMissed(db: Access, works: readonly Scheduled[], now: Date): Promise<Scheduled[]> {
  const successes = await listSuccesses(db);
  return works.filter(({ name, every }) => {
    const last = successes.get(name);
    return last ? Date.parse(last) + 2 * every + TICK_MS < now.getTime() : false;
  });
}

/** Row of a work outside the schedule: the backup command records in `reussie_le` when it last succeeded. */
export const BACKUP = 'sauvegarde';
/** The scheduled work that checks the integrity of stored files. */
export const INTEGRITY_CHECK = 'relecture';

/** When each work last completed, by name; null before its first try. */
export async function listSuccesses(db: Access): Promise<Map<string, string | null>> {
  const rows = await db.selectFrom('planifications').select(['nom', 'reussie_le']).execute();
  return new Map(rows.map(({ nom, reussie_le }) => [nom, reussie_le]));
}

/** Records that the site has just been backed up. */
export async function recordBackup(database: Database, now: Date): Promise<void> {
  const at = now.toISOString();
  const done = { prochaine_le: at, derniere_le: at, reussie_le: at };
  await database.write((transaction) =>
    transaction
      .insertInto('planifications')
      .values({ nom: BACKUP, ...done })
      .onConflict((clash) => clash.column('nom').doUpdateSet(done))
      .execute(),
  );
}
