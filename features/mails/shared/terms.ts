/** Default subject of a mail of codes. */
export const CODES_SUBJECT = 'Vos codes d’accès au site photos du séjour';

/** Most characters of a subject. */
export const SUBJECT_MAX = 150;

/** Most characters of a text. */
export const TEXT_MAX = 10_000;

/** Most stays in one mailing of codes. */
export const MAILING_STAYS_MAX = 500;

/** Days after the end of a mail for which the portal still shows its text and the provider's answer. */
export const MAIL_TEXT_DAYS = 7;

/** Days after the end of a mail until it is erased, with every record of when and to whom it was sent. */
export const MAIL_DAYS = 183;

/** Most days that a mail which could not be sent is kept waiting. */
export const MAIL_WAIT_DAYS = 30;
