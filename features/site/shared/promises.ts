/*
 * Numbers that people are told and that the server keeps to, said once for both. Free of zod, so that browsers
 * need not load it.
 */

/** Days that the counts of visits of a day are kept; the totals, which tell nothing of anybody, stay. */
export const AUDIENCE_DAYS = 760;

/** Days after which a contact message is erased for good. */
export const CONTACT_DAYS = 180;

/** Contact messages that staff are shown at most, the newest; deleting some shows older ones. */
export const CONTACT_LISTED = 200;
