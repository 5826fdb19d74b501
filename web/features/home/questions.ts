import type { QueryClient } from '@tanstack/react-query';
import type { ReplyOf } from '../../../shared/api.ts';
import { type Question, questionName } from '../../../shared/page.ts';
import { excerpt } from '../../ui/texts.ts';

/** The latest twelve are enough for a first page, and their first lines: whole texts have pages of their own. */
const LATEST = { limite: 12, abrege: '1' };

export const HOME_QUESTIONS = {
  news: { key: 'GET /actualites', query: LATEST },
  featured: { key: 'GET /alaune', query: LATEST },
  partners: { key: 'GET /logos' },
} as const satisfies Record<string, Question>;

export function newsQuestion(id: string) {
  return { key: 'GET /actualites/:id', params: { id } } as const satisfies Question;
}

export function featuredQuestion(id: string) {
  return { key: 'GET /alaune/:id', params: { id } } as const satisfies Question;
}

/** Characters that search engines show of a description. */
const DESCRIPTION = 160;

export function aboutNews(id: string, answers: QueryClient) {
  const news = answers.getQueryData<ReplyOf<'GET /actualites/:id'>>([questionName(newsQuestion(id))])?.[0];
  return news && { title: news.titre, description: excerpt(news.description, DESCRIPTION) };
}

export function aboutFeatured(id: string, answers: QueryClient) {
  const item = answers.getQueryData<ReplyOf<'GET /alaune/:id'>>([questionName(featuredQuestion(id))]);
  return item && { title: item.titre, description: excerpt(item.resume, DESCRIPTION) };
}
