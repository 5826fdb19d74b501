import pino from 'pino';

export type Log = pino.Logger;

/** Serialises an error by what names the fault only: drivers attach values of the row (PostgreSQL's `detail`). */
function plainError(error: Error & { code?: unknown }): Record<string, unknown> {
  return { type: error.name, code: error.code, stack: error.stack ?? error.message };
}

/**
 * JSON lines on standard output. What is logged is chosen at each call: call names, statuses, durations and
 * request ids; never a body, an address, a name, a token or a query string.
 */
export function openLog(level: string, to: pino.DestinationStream = pino.destination(1)): Log {
  const options: pino.LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: plainError },
  };
  return pino(options, to);
}
