import type { QueryClient } from '@tanstack/react-query';
import { addressOfFolder } from '#features/content/shared/kind.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import type { About, Question } from '#platform/shared/page.ts';
import { answerKey } from '#platform/web/questions.ts';
import { illustrationOf, previewOf } from '#platform/web/ui/illustrations.ts';
import { DESCRIPTION, excerpt } from '#platform/web/ui/texts.ts';

/** Address of the pictures of events, before their name. */
export const FOLDER = addressOfFolder('images');

export const EVENTS_QUESTION = {
  key: 'GET /events',
  query: { abrege: '1' },
} as const satisfies Question;

export function eventQuestion(id: string) {
  return { key: 'GET /events/:id', params: { id } } as const satisfies Question;
}

export function aboutEvent(id: string, answers: QueryClient): About | undefined {
  const event = answers.getQueryData<ReplyOf<'GET /events/:id'>>(answerKey(eventQuestion(id)))?.[0];
  if (!event) return undefined;
  return {
    title: event.title,
    description: excerpt(event.summary, DESCRIPTION),
    picture: previewOf(FOLDER, illustrationOf(event.image_url, event.illustrations)),
  };
}
