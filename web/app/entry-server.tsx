import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { type PageRequest, type PageResult, questionName } from '../../shared/page.ts';
import { openAnswers } from '../questions.ts';
import { App } from './App.tsx';
import { pageAt } from './pages.tsx';

/**
 * Renders the page of an address with the answers it needs. A question that fails is left out: the rest of the
 * page is shown, and the browser asks again by itself. One that has no answer makes the page a 404.
 */
export async function render({ url, site, load }: PageRequest): Promise<PageResult> {
  // Not by URL, which reads « // » as the start of a host.
  const [pathname = '/'] = url.split('?');
  const { page, isFound } = pageAt(pathname);
  const results = await Promise.allSettled(page.questions.map(load));
  const answers: Record<string, unknown> = {};
  let isComplete = isFound;
  for (const [index, question] of page.questions.entries()) {
    const result = results[index];
    if (result?.status !== 'fulfilled') continue;
    if (result.value === undefined) isComplete = false;
    else answers[questionName(question)] = result.value;
  }
  const html = renderToString(
    <StaticRouter location={url}>
      <App site={site} answers={openAnswers(answers)} />
    </StaticRouter>,
  );
  const { title, description, isIndexed } = page;
  return { status: isComplete ? 200 : 404, title, description, isIndexed, html, answers, modules: [] };
}
