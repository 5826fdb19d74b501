import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { type PageRequest, type PageResult, questionName } from '../../shared/page.ts';
import { openAnswers } from '../questions.ts';
import { App } from './App.tsx';
import { pageAt } from './pages.tsx';

/**
 * Renders the page of an address with the answers it needs. A question that fails is left out: the rest of the
 * page is shown, and the browser asks again by itself. One that has no answer makes the page a 404;
 * when all fail it is a 503, as nothing of it is there.
 */
export async function render({ url, site, load }: PageRequest): Promise<PageResult> {
  // Not by URL, which reads « // » as the start of a host.
  const at = url.indexOf('?');
  const [pathname, search] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
  const { page, place, isFound } = pageAt(pathname, search);
  const questions = page.questions(place);
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
  const { title, description } = page.about?.(place, answers) ?? page;
  return {
    status: isAnswered ? (isComplete ? 200 : 404) : 503,
    title,
    description,
    isIndexed: page.isIndexed,
    html,
    answers: given,
    modules: [page.module],
  };
}
