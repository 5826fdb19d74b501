/** What a mail of codes is called unless staff call it otherwise. */
export const CODES_SUBJECT = 'Vos codes d’accès au site photos du séjour';

/** Characters of a subject and of a text, at most. */
export const SUBJECT_MAX = 150;

export const TEXT_MAX = 10_000;

/** Stays that one mailing of codes takes. */
export const MAILING_STAYS_MAX = 500;

/** Days after a mail ended during which the portal still shows what it said and what its provider answered. */
export const MAIL_TEXT_DAYS = 7;

/** Days after which a mail is erased, and with it that it was sent, when and to whom. */
export const MAIL_DAYS = 183;

/** Days during which a mail that could not leave is kept waiting. */
export const MAIL_WAIT_DAYS = 30;
