import type { QueryClient } from '@tanstack/react-query';
import { addressOfFolder } from '#features/content/shared/kind.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import type { About, Question } from '#platform/shared/page.ts';
import { answerKey } from '#platform/web/questions.ts';
import { illustrationOf, previewOf } from '#platform/web/ui/illustrations.ts';
import { DESCRIPTION, excerpt } from '#platform/web/ui/texts.ts';

/** Address of the pictures of benefits, before their name. */
export const FOLDER = addressOfFolder('images_stages');

export const BENEFITS_QUESTION = {
  key: 'GET /avantage',
  query: { abrege: '1' },
} as const satisfies Question;

export function benefitQuestion(id: string) {
  return { key: 'GET /avantage/:id', params: { id } } as const satisfies Question;
}

export function aboutBenefit(id: string, answers: QueryClient): About | undefined {
  const benefit = answers.getQueryData<ReplyOf<'GET /avantage/:id'>>(answerKey(benefitQuestion(id)));
  if (!benefit) return undefined;
  return {
    title: benefit.titre,
    description: excerpt(benefit.resume, DESCRIPTION),
    picture: previewOf(FOLDER, illustrationOf(benefit.image_url, benefit.illustrations)),
  };
}
