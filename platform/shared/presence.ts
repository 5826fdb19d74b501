/** Header of a request that a page sends by itself, as nobody has touched it for a while; absent: it counts as a person's. */
export const UNATTENDED = 'x-sans-personne';

/** Header of a creation that is made once however often it is sent, and of an answer that was given before. */
export const KEY_HEADER = 'idempotency-key';
export const REPLAYED = 'idempotent-replayed';
