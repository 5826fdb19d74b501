import './styles.css';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import type { PageData } from '#platform/shared/page.ts';
import { SiteRouter } from '#platform/web/history.tsx';
import { openAnswers } from '#platform/web/questions.ts';
import { App } from './App.tsx';
import { pageAt } from './pages.tsx';

const root = document.getElementById('root');
const data = document.getElementById('page-data')?.textContent;
if (!root || !data) throw new Error('this page was not rendered by the site');

const { site, answers } = JSON.parse(data) as PageData;
const { page } = pageAt(location.pathname, location.search);
// The page's chunk must be loaded before hydration, or « Chargement… » would replace what the server rendered.
if (page.isRendered) await page.Component.preload();
// As a transition, hydration runs in slices, between which the browser handles input.
startTransition(() => {
  hydrateRoot(
    root,
    <SiteRouter>
      <App site={site} answers={openAnswers(answers)} />
    </SiteRouter>,
  );
});
