import type { Question } from '../../../shared/page.ts';

/** The latest twelve are enough for a first page; the whole lists have pages of their own. */
const LATEST = { limite: 12 };

export const HOME_QUESTIONS = {
  news: { key: 'GET /actualites', query: LATEST },
  featured: { key: 'GET /alaune', query: LATEST },
  partners: { key: 'GET /logos' },
} as const satisfies Record<string, Question>;
