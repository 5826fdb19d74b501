/** The question that tells one’s own passkeys, second factor and recovery codes. */
export const OWN_FACTORS = { key: 'GET /admins/moi/second-facteur' } as const;
