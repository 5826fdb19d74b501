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

/** Days after a mail ended during which the portal still shows what it said and what its provider answered. */
export const MAIL_TEXT_DAYS = 7;

/** Days after which a mail is erased, and with it that it was sent, when and to whom. */
export const MAIL_DAYS = 183;

/** Days during which a mail that could not leave is kept waiting. */
export const MAIL_WAIT_DAYS = 30;

/** Days that a line of the journal is kept. */
export const JOURNAL_DAYS = 365;

/** Days after the end of their last stay during which directors are kept. */
export const DIRECTOR_DAYS = 365;

/** Days that the evaluations of families are kept. */
export const EVALUATION_DAYS = 365;

/** Days before the last one of a stay's photos on which its families are told by mail. */
export const PHOTO_NOTICE_DAYS = 7;

/** Years during which it can be proven, without a name, that the families of an erased stay had agreed to photos. */
export const CONSENT_PROOF_YEARS = 5;
