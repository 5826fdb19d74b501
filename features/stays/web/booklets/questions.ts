export const BOOKLETS = { key: 'GET /livrets' } as const;
