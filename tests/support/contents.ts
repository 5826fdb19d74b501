import { expect } from 'vitest';
import { genreOf, KINDS } from '#features/content/shared/kinds.ts';
import { type FormValue, form } from './forms.ts';
import { minutesPdf } from './pdfs.ts';
import type { TestSite } from './people.ts';

/** What a creation of each kind must send beside its title. */
const REST: Record<string, Record<string, FormValue>> = {
  actualites: { description: 'x' },
  alaune: { resume: 'x', description: 'x' },
  avantage: { resume: 'x', description: 'x' },
  events: { date: '2026-09-20T18:30', location: 'Lyon', summary: 'x', article: 'x' },
  logos: { url_site: 'https://exemple.fr/' },
  documents: {
    date_ajout: '2026-06-12',
    url: [minutesPdf('Réunion', ['Rien.']), 'cr.pdf', 'application/pdf'],
  },
};
/** The least that a kind wants; `more`: further fields. */
export function bodyOf(genre: string, titre: string, more = {}): FormData {
  const titledBy = KINDS.find((kind) => genreOf(kind) === genre)?.titledBy ?? '';
  return form({ [titledBy]: titre, ...REST[genre], ...more });
}

export async function create(site: TestSite, token: string, genre: string, titre: string, more = {}) {
  const body = bodyOf(genre, titre, more);
  const answer = await site.call(`POST /${genre}`, { token, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as { id: number };
}
