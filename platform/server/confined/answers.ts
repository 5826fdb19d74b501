/* What a confined process answers, and what the site makes of it. */

export function answerTasks<Task>(run: (task: Task) => Promise<object>): void {
  // The site has ended, perhaps killed: nobody waits for an answer, and nobody needs to know that it cannot be sent.
  process.on('disconnect', () => process.exit());
  process.on('message', async (task) => process.send?.(await run(task as Task), () => {}));
}

/** A received file that cannot be taken; `reason` is a French sentence. */
export class FileRefused extends Error {
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}

/** What a process answers for a file that it refuses. */
export interface RefusedResult {
  ok: false;
  /** A French sentence that says what to do. */
  refused: string;
  detail?: string;
}

/** What a process made of a file; throws `FileRefused` for one that it refused. */
export function taken<Result extends { ok: true }>(result: Result | RefusedResult): Result {
  if (result.ok) return result;
  throw new FileRefused(result.refused, { cause: result.detail });
}

/** A file whose process did not finish: the file may be a trap, or the machine was busy, asleep, or short of memory. */
export class WorkerLost extends FileRefused {}
