import '../styles.css';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import type { PageData } from '../../shared/page.ts';
import { openAnswers } from '../questions.ts';
import { App } from './App.tsx';

const root = document.getElementById('root');
const data = document.getElementById('page-data')?.textContent;
if (!root || !data) throw new Error('this page was not rendered by the site');

const { site, answers } = JSON.parse(data) as PageData;
hydrateRoot(
  root,
  <BrowserRouter>
    <App site={site} answers={openAnswers(answers)} />
  </BrowserRouter>,
);
