import type { QueryClient } from '@tanstack/react-query';
import type { CallKey, ReplyOf } from '#platform/shared/call.ts';
import type { About, Question } from '#platform/shared/page.ts';
import { addressOfFolder } from '#platform/shared/pictures.ts';
import { answerKey } from '#platform/web/questions.ts';
import { illustrationOf, previewOf } from '#platform/web/ui/Picture.tsx';
import { DESCRIPTION, excerpt } from '#platform/web/ui/texts.ts';
import { SKIPPED_MAX } from '../../shared/limits.ts';

/** Address of the pictures of news, À la Une, partners and benefits, before the file name. */
export const FOLDER = addressOfFolder('images_stages');

/** The latest twelve items are enough for the home page, with their first lines: the rest has pages of its own. */
const LATEST = { limite: 12, abrege: '1' };

export const HOME_QUESTIONS = {
  news: { key: 'GET /actualites', query: LATEST },
  featured: { key: 'GET /alaune', query: LATEST },
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

/** Items on a page of a list that has several. */
export const PER_PAGE = 12;

/** The lists that have pages, by the parameter of the address that numbers these. */
export const PAGED = {
  actualites: { key: 'GET /actualites', title: 'Toutes les actualités' },
  unes: { key: 'GET /alaune', title: 'Toutes les unes' },
  page: { key: 'GET /events', title: 'Nos événements' },
} as const;

export type Paged = keyof typeof PAGED;

/** The number of a page as its address says it, the first one where that says none; undefined for what is no number. */
export function readPageNumber(text = '1'): number | undefined {
  if (!/^[1-9]\d{0,5}$/.test(text)) return undefined;
  const number = Number(text);
  return (number - 1) * PER_PAGE <= SKIPPED_MAX ? number : undefined;
}

/** Query of one page of a list, for one item more than it shows, which tells whether another page follows. */
export function pageQuestion<L extends Paged>(list: L, page = 1) {
  const key: (typeof PAGED)[L]['key'] = PAGED[list].key;
  return { key, query: { debut: (page - 1) * PER_PAGE, limite: PER_PAGE + 1, abrege: '1' } };
}

export function pageTitle(list: Paged, page = 1): string {
  return page === 1 ? PAGED[list].title : `${PAGED[list].title}, page ${page}`;
}

type Item =
  | ReplyOf<'GET /actualites/:id'>[number]
  | ReplyOf<'GET /alaune/:id'>
  | ReplyOf<'GET /events/:id'>[number]
  | ReplyOf<'GET /avantage/:id'>;

/** What the answer to a question about one item says of it. */
export function aboutItem(question: Question, answers: QueryClient): About | undefined {
  const [item] = [answers.getQueryData<Item | Item[]>(answerKey(question))].flat();
  if (!item) return undefined;
  const { title, text, folder } =
    'title' in item
      ? { title: item.title, text: item.summary, folder: EVENT_FOLDER }
      : { title: item.titre, text: 'resume' in item ? item.resume : item.description, folder: FOLDER };
  const picture = previewOf(folder, illustrationOf(item.image_url, item.illustrations));
  return { title, description: excerpt(text, DESCRIPTION), picture };
}

/** The title of a page of a list; undefined when it is empty, except for the first page. */
export function titleOfPage(list: Paged, text: string | undefined, answers: QueryClient): string | undefined {
  const page = readPageNumber(text);
  const items = answers.getQueryData<readonly unknown[]>(answerKey(pageQuestion(list, page)));
  return page && items && (items.length > 0 || page === 1) ? pageTitle(list, page) : undefined;
}

export const BENEFITS_QUESTION = {
  key: 'GET /avantage',
  query: { abrege: '1' },
} as const satisfies Question;

/** Address of the pictures of events, before the file name. */
export const EVENT_FOLDER = addressOfFolder('images');

/** Whether an event is still to come or goes on: its last day counts until midnight. */
export function isUpcoming({ date, fin }: { date: string; fin: string }, today: string): boolean {
  return (fin || date).slice(0, 10) >= today;
}
