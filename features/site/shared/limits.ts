/*
 * Limits that pages tell and the server enforces, defined once for both. Free of zod, so that browsers need not
 * load it.
 */

/** Days that daily visit counts are kept; the totals, which concern nobody in particular, stay. */
export const AUDIENCE_DAYS = 760;

/** Days after which a contact message is erased for good. */
export const CONTACT_DAYS = 180;

/** Maximum number of contact messages shown to staff, the newest; deleting some shows older ones. */
export const CONTACT_LISTED = 200;

/** Maximum length, in characters, of what is searched on the site; the page cuts what is longer. */
export const SEARCH_MAX = 100;
