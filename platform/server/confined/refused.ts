/** A received file that cannot be taken; `reason` is a French sentence. */
export class FileRefused extends Error {
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}

/** A file whose process did not finish: the file may be a trap, or the machine was busy, asleep, or short of memory. */
export class WorkerLost extends FileRefused {}
