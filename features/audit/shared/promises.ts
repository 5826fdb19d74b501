/* Numbers that pages promise and the server enforces. Free of zod, so that browsers need not load it. */

/** Days that a line of the journal is kept. */
export const JOURNAL_DAYS = 365;
