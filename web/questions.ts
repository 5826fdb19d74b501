import { QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CallKey, ReplyOf } from '../shared/api.ts';
import { type Question, questionName } from '../shared/page.ts';
import { CallError, type CallInput, call } from './api.ts';

/** Time, in ms, during which an answer that the server rendered with the page is not asked again. */
const FRESH_MS = 60_000;

/** A cache holding the answers that came with the page. */
export function openAnswers(answers: Record<string, unknown>): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        retry: isWorthAnotherTry,
      },
    },
  });
  for (const [name, answer] of Object.entries(answers)) client.setQueryData([name], answer);
  return client;
}

/** Once more when the line or the server failed; never when the answer was a refusal. */
function isWorthAnotherTry(failures: number, error: Error): boolean {
  const isRefusal = error instanceof CallError && error.status >= 400 && error.status < 500;
  return failures < 1 && !isRefusal;
}

/** The answer to a question of the page. A failure is logged with `failure`, the site's usual words. */
export function useQuestion<K extends CallKey>(question: Question & { key: K }, failure: string) {
  const query = useQuery({
    queryKey: [questionName(question)],
    queryFn: ({ signal }): Promise<ReplyOf<K>> => {
      const { key, params, query: asked } = question;
      return call(key, { params, query: asked, signal } as unknown as CallInput<K>);
    },
  });
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: the site has always logged its failed loads in these words
    if (query.error) console.error(failure, query.error);
  }, [query.error, failure]);
  return query;
}
