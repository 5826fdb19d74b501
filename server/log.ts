import pino from 'pino';

export type Log = pino.Logger;

/**
 * JSON lines on standard output. What is logged is chosen at each call: call names, statuses, durations and
 * request ids; never a body, an address, a name, a token or a query string.
 */
export function openLog(level: string): Log {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}
