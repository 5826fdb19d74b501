/** Header of a request that a page sends by itself, as nobody has touched it for a while; absent: it counts as a person's. */
export const UNATTENDED = 'x-sans-personne';
