export const MESSAGES = { key: 'GET /contact' } as const;
