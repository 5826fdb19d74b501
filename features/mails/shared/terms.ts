/** What a mail of codes is called unless staff call it otherwise. */
export const CODES_SUBJECT = 'Vos codes d’accès au site photos du séjour';

/** Characters of a subject and of a text, at most. */
export const SUBJECT_MAX = 150;

export const TEXT_MAX = 10_000;

/** Stays that one mailing of codes takes. */
export const MAILING_STAYS_MAX = 500;
