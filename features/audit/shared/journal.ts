/* What pages and the server agree on about the journal. Free of zod, so that browsers need not load it. */

/** Days that a line of the journal is kept. */
export const JOURNAL_DAYS = 365;

/** Asks for the lines that are about no table, in the place of its name. */
export const NO_TABLE = 'aucun';
