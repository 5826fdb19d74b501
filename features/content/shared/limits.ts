/*
 * Limits that pages tell and the server enforces, defined once for both. Free of zod and apart from the kinds, so
 * that public pages load neither.
 */

export const SKIPPED_MAX = 100_000;

/** Days that a deleted item stays in the bin before it and its files are erased. */
export const BIN_DAYS = 30;
