import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { sessionOfVisit } from '#features/stays/web/sessions.ts';
import {
  type About,
  type PageRequest,
  type PageResult,
  type Question,
  questionName,
  type VisitData,
} from '#platform/shared/page.ts';
import type { Page, PageContent, Place, StayVisits } from '#platform/web/pages.tsx';
import { openAnswers } from '#platform/web/questions.ts';
import { App } from './App.tsx';
import { PAGES, pageAt } from './pages.tsx';

function contentOf({ path, server }: Page): PageContent {
  if (!server) throw new Error(`${path} was built for browsers`);
  return server;
}

/** The addresses of the sitemap, except those of single items. */
export const indexedPaths: readonly string[] = PAGES.flatMap((page) => {
  const { path, query } = page;
  const { isIndexed, firstAddress } = contentOf(page);
  if (!isIndexed) return [];
  const isOne = query === undefined && !path.includes(':');
  return firstAddress ?? (isOne ? path : []);
});

/**
 * Renders the page of an address with the answers it needs. A question that fails is left out: the rest of the page
 * is shown, and the browser asks again by itself. The status is 404 when a question has no answer or `about` rejects
 * the answers, and 503 when what the page is about failed, as nothing can be shown.
 */
export async function render({ url, site, load, findVisitors, turn }: PageRequest): Promise<PageResult> {
  const { page, place, isFound } = pageOf(url);
  const content = contentOf(page);
  const questions = content.questions?.(place) ?? [];
  const given = await answersTo(questions, load);
  const failed = questions.length - Object.keys(given).length;
  const isComplete = isFound && !Object.values(given).includes(null);
  if (isFound && !isComplete) Object.assign(given, await answersTo(content.questionsIfAbsent ?? [], load));
  const visits = await visitsOf(content.visits?.(place), findVisitors);
  if (page.isRendered || visits.length > 0) await page.Component.preload();
  await turn();
  const answers = openAnswers(given, visits);
  const html = renderToString(
    <StaticRouter location={url}>
      <App site={site} answers={answers} visited={visits.map(sessionOfVisit)} />
    </StaticRouter>,
  );
  const own: About = { title: page.title, description: content.description };
  const about = content.about ? content.about(place, answers) : own;
  const { title, description, picture } = about ?? own;
  const isUnanswered = failed > 0 && (failed === questions.length || (isComplete && !about));
  const status = isUnanswered ? 503 : isComplete && about ? 200 : 404;
  return {
    status,
    title,
    description,
    picture,
    address: content.isIndexed && status === 200 ? addressOf(page, place) : undefined,
    isItem: content.about !== undefined,
    html,
    answers: given,
    visits,
    modules: [content.module],
  };
}

function pageOf(url: string): ReturnType<typeof pageAt> {
  // Not parsed with `URL`, which reads « // » as the start of a host.
  const at = url.indexOf('?');
  return at < 0 ? pageAt(url, '') : pageAt(url.slice(0, at), url.slice(at + 1));
}

/** The answers by name: `null` for what does not exist, and nothing for a question that fails. */
async function answersTo(
  questions: readonly Question[],
  load: PageRequest['load'],
): Promise<Record<string, unknown>> {
  const results = await Promise.allSettled(questions.map(load));
  return Object.fromEntries(
    questions.flatMap((question, index) => {
      const result = results[index];
      return result?.status === 'fulfilled' ? [[questionName(question), result.value ?? null]] : [];
    }),
  );
}

/** What the first screen shows of stays to whoever is signed in to them; nothing of one that refuses any of it. */
async function visitsOf(
  wanted: StayVisits | undefined,
  findVisitors: PageRequest['findVisitors'],
): Promise<VisitData[]> {
  if (!wanted) return [];
  const visitors = await findVisitors(wanted.stageId);
  const visits = visitors.map(async ({ stageId, role, load }): Promise<VisitData[]> => {
    const at = Date.now();
    const questions = wanted.questions(stageId, role);
    const answers = await answersTo(questions, load);
    if (questions.some((question) => (answers[questionName(question)] ?? null) === null)) return [];
    return [{ stageId, role, as: wanted.as(stageId), at, answers }];
  });
  return (await Promise.all(visits)).flat();
}

/** The canonical address of a page: its path, and only the query parameter that identifies it, if any. */
function addressOf(page: Page, place: Place): string {
  const { path, query } = page;
  const own = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(place[name] ?? ''));
  const parameter = query ?? contentOf(page).numberedBy;
  const value = parameter && (place[parameter] ?? (query && ''));
  return value === undefined ? own : `${own}?${parameter}=${encodeURIComponent(value)}`;
}
