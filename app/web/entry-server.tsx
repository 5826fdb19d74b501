import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { type About, type PageRequest, type PageResult, questionName } from '#platform/shared/page.ts';
import type { Page, Place } from '#platform/web/pages.tsx';
import { openAnswers } from '#platform/web/questions.ts';
import { App } from './App.tsx';
import { contentOf } from './contents.ts';
import { PAGES, pageAt } from './pages.tsx';

/** The addresses that search engines are to know, but for those of single things. */
export const indexedPaths: readonly string[] = PAGES.flatMap(({ path, query, module }) => {
  const { isIndexed, firstAddress } = contentOf(module);
  if (!isIndexed) return [];
  const isOne = query === undefined && !path.includes(':');
  return firstAddress ?? (isOne ? path : []);
});

/**
 * Renders the page of an address with the answers it needs. A question that fails is left out: the rest of the
 * page is shown, and the browser asks again by itself. One that has no answer, or answers that are none of this
 * page, make it a 404; when all fail it is a 503, as nothing of it is there.
 */
export async function render({ url, site, load }: PageRequest): Promise<PageResult> {
  // Not by URL, which reads « // » as the start of a host.
  const at = url.indexOf('?');
  const [pathname, search] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
  const { page, place, isFound } = pageAt(pathname, search);
  const content = contentOf(page.module);
  const questions = content.questions?.(place) ?? [];
  const results = await Promise.allSettled(questions.map(load));
  const given: Record<string, unknown> = {};
  let isComplete = isFound;
  let isAnswered = questions.length === 0;
  for (const [index, question] of questions.entries()) {
    const result = results[index];
    if (result?.status !== 'fulfilled') continue;
    isAnswered = true;
    if (result.value === undefined) isComplete = false;
    given[questionName(question)] = result.value ?? null;
  }
  if (page.isRendered) await page.Component.preload();
  const answers = openAnswers(given);
  const html = renderToString(
    <StaticRouter location={url}>
      <App site={site} answers={answers} />
    </StaticRouter>,
  );
  const own: About = { title: page.title, description: content.description };
  const about = content.about ? content.about(place, answers) : own;
  const { title, description, picture } = about ?? own;
  const status = isAnswered ? (isComplete && about ? 200 : 404) : 503;
  return {
    status,
    title,
    description,
    picture,
    address: content.isIndexed && status === 200 ? addressOf(page, place) : undefined,
    isItem: content.about !== undefined,
    html,
    answers: given,
    modules: [page.module],
  };
}

/** As the table writes it, with that much of the query which tells it from another page. */
function addressOf({ path, query }: Page, place: Place): string {
  const own = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(place[name] ?? ''));
  return query === undefined ? own : `${own}?${query}=${encodeURIComponent(place[query] ?? '')}`;
}
