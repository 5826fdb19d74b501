export const CODES_SUBJECT = 'Vos codes d’accès au site photos du séjour';
export const SUBJECT_MAX = 150;
export const TEXT_MAX = 10_000;
export const MAILING_STAYS_MAX = 500;

/** Days after the end of a mail for which the portal still shows its text and the provider's answer. */
export const MAIL_TEXT_DAYS = 7;

/** Days after the end of a mail until it is erased, with every record of when and to whom it was sent. */
export const MAIL_DAYS = 183;

/** Most days that a mail which could not be sent is kept waiting. */
export const MAIL_WAIT_DAYS = 30;
