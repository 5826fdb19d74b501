import type { QueryClient } from '@tanstack/react-query';
import type { CallKey, ReplyOf } from '#platform/shared/call.ts';
import type { About, Question } from '#platform/shared/page.ts';
import { addressOfFolder, type Illustration } from '#platform/shared/pictures.ts';
import { answerKey } from '#platform/web/questions.ts';
import { illustrationOf, previewOf } from '#platform/web/ui/Picture.tsx';
import { DESCRIPTION, excerpt } from '#platform/web/ui/texts.ts';
import { SKIPPED_MAX } from '../../shared/limits.ts';

/** Address of the pictures of news, À la Une, partners and benefits, before the file name. */
export const FOLDER = addressOfFolder('images_stages');

/**
 * The latest twelve items are enough for the home page, with their first lines: whole texts have pages of their own.
 * À la Une has no other list, so it asks for as many as one answer can hold.
 */
const LATEST = { limite: 12, abrege: '1' };

export const HOME_QUESTIONS = {
  news: { key: 'GET /actualites', query: LATEST },
  featured: { key: 'GET /alaune', query: { ...LATEST, limite: 100 } },
  partners: { key: 'GET /logos' },
  events: { key: 'GET /events', query: { ...LATEST, limite: 3 } },
} as const satisfies Record<string, Question>;

/** What is shown in place of an item that is gone: the first of its list. */
const FIRST_THREE = { limite: 3, abrege: '1' };
export const INSTEAD_QUESTIONS = {
  news: { key: 'GET /actualites', query: FIRST_THREE },
  featured: { key: 'GET /alaune', query: FIRST_THREE },
  events: HOME_QUESTIONS.events,
  benefits: { key: 'GET /avantage', query: FIRST_THREE },
} as const satisfies Record<string, Question>;

export function neighboursQuestion(list: 'actualites' | 'alaune' | 'avantage' | 'events', id: string) {
  return { key: `GET /${list}/:id/voisins`, params: { id } } as const satisfies Question;
}

const byId =
  <K extends CallKey>(key: K) =>
  (id: string) => ({ key, params: { id } });

export const newsQuestion = byId('GET /actualites/:id');
export const featuredQuestion = byId('GET /alaune/:id');
export const eventQuestion = byId('GET /events/:id');
export const benefitQuestion = byId('GET /avantage/:id');

export const PER_PAGE = 12;

export function readPageNumber(text: string): number | undefined {
  if (!/^[1-9]\d{0,5}$/.test(text)) return undefined;
  const number = Number(text);
  return (number - 1) * PER_PAGE <= SKIPPED_MAX ? number : undefined;
}

/** Query of one page of all news, for one item more than it shows, which tells whether another page follows. */
export function allNewsQuestion(page: number) {
  const query = { debut: (page - 1) * PER_PAGE, limite: PER_PAGE + 1, abrege: '1' };
  return { key: 'GET /actualites', query } as const satisfies Question;
}

export function allNewsTitle(page: number): string {
  return page === 1 ? 'Toutes les actualités' : `Toutes les actualités, page ${page}`;
}

interface Pictured {
  image_url: string | null;
  illustrations: readonly Illustration[];
}

function aboutItem(title: string, text: string, item: Pictured, folder = FOLDER): About {
  const picture = previewOf(folder, illustrationOf(item.image_url, item.illustrations));
  return { title, description: excerpt(text, DESCRIPTION), picture };
}

export function aboutNews(id: string, answers: QueryClient): About | undefined {
  const news = answers.getQueryData<ReplyOf<'GET /actualites/:id'>>(answerKey(newsQuestion(id)))?.[0];
  return news && aboutItem(news.titre, news.description, news);
}

export function aboutFeatured(id: string, answers: QueryClient): About | undefined {
  const item = answers.getQueryData<ReplyOf<'GET /alaune/:id'>>(answerKey(featuredQuestion(id)));
  return item && aboutItem(item.titre, item.resume, item);
}

export function aboutBenefit(id: string, answers: QueryClient): About | undefined {
  const benefit = answers.getQueryData<ReplyOf<'GET /avantage/:id'>>(answerKey(benefitQuestion(id)));
  return benefit && aboutItem(benefit.titre, benefit.resume, benefit);
}

export function aboutEvent(id: string, answers: QueryClient): About | undefined {
  const event = answers.getQueryData<ReplyOf<'GET /events/:id'>>(answerKey(eventQuestion(id)))?.[0];
  return event && aboutItem(event.title, event.summary, event, EVENT_FOLDER);
}

/** Title and description of a page of all news; undefined when it is empty, except for the first page. */
export function aboutAllNews(text: string, answers: QueryClient): About | undefined {
  const page = readPageNumber(text);
  if (page === undefined) return undefined;
  const items = answers.getQueryData<ReplyOf<'GET /actualites'>>(answerKey(allNewsQuestion(page)));
  if (!items || (items.length === 0 && page > 1)) return undefined;
  return {
    title: allNewsTitle(page),
    description: 'Les actualités du comité social et économique, de la plus récente à la plus ancienne.',
  };
}

export const BENEFITS_QUESTION = {
  key: 'GET /avantage',
  query: { abrege: '1' },
} as const satisfies Question;

/** Address of the pictures of events, before the file name. */
export const EVENT_FOLDER = addressOfFolder('images');

export const EVENTS_QUESTION = {
  key: 'GET /events',
  query: { abrege: '1' },
} as const satisfies Question;

/** Whether an event is still to come or goes on: its last day counts until midnight. */
export function isUpcoming({ date, fin }: { date: string; fin: string }, today: string): boolean {
  return (fin || date).slice(0, 10) >= today;
}
