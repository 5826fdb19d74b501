import './styles.css';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { sessionsFor } from '#features/stays/web/sessions.ts';
import type { PageData } from '#platform/shared/page.ts';
import { knowClockChanges } from '#platform/shared/time.ts';
import { SiteRouter } from '#platform/web/history.tsx';
import { openAnswers } from '#platform/web/questions.ts';
import { App } from './App.tsx';
import { pageAt } from './pages.tsx';

const root = document.getElementById('root');
const data = document.getElementById('page-data')?.textContent;
if (!root || !data) throw new Error('this page was not rendered by the site');

const { site, answers, visits = [] } = JSON.parse(data) as PageData;
knowClockChanges(site.timeZone, site.clockChanges);
const { page } = pageAt(location.pathname, location.search);
const visited = sessionsFor(visits);
// The page's chunk must be loaded before hydration, or « Chargement… » would replace what the server rendered.
if (page.isRendered || visited?.length) await page.Component.preload();
const app = (
  <SiteRouter>
    <App site={site} answers={openAnswers(answers, visited ? visits : [])} visited={visited ?? []} />
  </SiteRouter>
);
if (!visited) {
  // It was rendered for cookies that this browser has, and for other sign-ins than it has by now: nothing of it stays.
  root.replaceChildren();
  createRoot(root).render(app);
} else {
  // As a transition, hydration runs in slices, between which the browser handles input.
  startTransition(() => {
    hydrateRoot(root, app);
  });
}
