import type { Question } from '#platform/shared/page.ts';
import { SEARCH_MAX } from '../shared/limits.ts';

export const IDENTITY = { key: 'GET /identite' } as const satisfies Question;

export const SEARCH_PATH = '/recherche';

/** What is searched for a text that somebody typed or put into an address: one line, as long as the server takes. */
export function readAsked(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return [...line].slice(0, SEARCH_MAX).join('').trim();
}

/** Whether the minutes are open to whoever knows their password. */
export const MINUTES_ACCESS = { key: 'GET /documents/acces' } as const satisfies Question;

export function siteQuestion(asked: string) {
  return { key: 'GET /recherche-site', query: { q: asked } } as const satisfies Question;
}
