import { keepPreviousData, QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CallKey, ReplyOf } from '#platform/shared/call.ts';
import { type Question, questionName } from '#platform/shared/page.ts';
import { CallError, type CallInput, call } from './api.ts';
import type { AskedAs } from './session.ts';

/** Time, in ms, during which an answer that the server rendered with the page is not asked again. */
const FRESH_MS = 60_000;

/** A cache holding the answers that came with the page; `null` is that of what does not exist. */
export function openAnswers(answers: Record<string, unknown>): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        retry: isWorthAnotherTry,
        retryDelay: waitBeforeAnotherTry,
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

/** In ms. Whoever is told that the site is busy is asked to come back in two to five seconds. */
function waitBeforeAnotherTry(_failures: number, error: Error): number {
  const isBusy = error instanceof CallError && error.status === 503;
  return isBusy ? 2_000 + 3_000 * Math.random() : 1_000;
}

/** A question of a page, and as whom it is asked: by default as staff, of whom public pages know nothing. */
export interface AskedQuestion extends Question {
  as?: AskedAs;
}

/** Added to the key of what is asked anew. */
const FRESH = 'à neuf';

/** Where the cache keeps the answer to a question; `isFresh`: the one that was asked anew. */
export function answerKey(question: AskedQuestion, { isFresh = false } = {}): readonly string[] {
  // Others may be answered otherwise.
  const name = [questionName(question), ...(question.as ? [question.as] : [])];
  return isFresh ? [...name, FRESH] : name;
}

interface AskOptions<R> {
  /** False: not asked for now. */
  isAsked?: boolean;
  /** True: asked once, now, whatever is remembered; for what somebody is about to change. */
  isFresh?: boolean;
  /** Time, in ms, after which an answer is asked for again while it is shown; false: never. */
  every?(answer: R): number | false;
  /** True: the answer to the question before is shown until this one has its own; for a search as it is typed. */
  keepsLast?: boolean;
}

/** The answer to a question of the page. A failure is logged with `failure`, the site's usual words. */
export function useQuestion<K extends CallKey>(
  question: AskedQuestion & { key: K },
  failure: string,
  options: AskOptions<ReplyOf<K>> = {},
) {
  return useAnswer(question, (signal) => ask(question, signal), failure, options);
}

/** The same for what may not exist, or no longer: the answer is then `null`, and nothing has failed. */
export function useThing<K extends CallKey>(
  question: AskedQuestion & { key: K },
  failure: string,
  options: AskOptions<ReplyOf<K> | null> = {},
) {
  const orNull = async (signal: AbortSignal) => {
    try {
      return await ask(question, signal);
    } catch (error) {
      if (error instanceof CallError && error.status === 404) return null;
      throw error;
    }
  };
  return useAnswer(question, orNull, failure, options);
}

function ask<K extends CallKey>(
  question: AskedQuestion & { key: K },
  signal: AbortSignal,
): Promise<ReplyOf<K>> {
  const { key, params, query, as } = question;
  return call(key, { params, query, as, signal } as unknown as CallInput<K>);
}

function useAnswer<R>(
  question: AskedQuestion,
  read: (signal: AbortSignal) => Promise<R>,
  failure: string,
  { isAsked = true, isFresh = false, every, keepsLast = false }: AskOptions<R>,
) {
  const query = useQuery({
    // What is asked anew is kept apart: an answer that a page remembers is none for a form.
    queryKey: answerKey(question, { isFresh }),
    queryFn: ({ signal }) => read(signal),
    enabled: ({ state }) => isAsked && !(isFresh && state.data !== undefined),
    refetchInterval: ({ state }) => (every && state.data !== undefined ? every(state.data) : false),
    ...(isFresh && { gcTime: 0 }),
    ...(keepsLast && { placeholderData: keepPreviousData }),
  });
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: the site has always logged its failed loads in these words
    if (query.error) console.error(failure, query.error);
  }, [query.error, failure]);
  return query;
}

/** Asks these again wherever they are shown. Settles when the answers are there. */
export function useAskAgain(...questions: readonly AskedQuestion[]): () => Promise<unknown> {
  const answers = useQueryClient();
  return () =>
    Promise.all(
      questions.map((question) => answers.invalidateQueries({ queryKey: answerKey(question), exact: true })),
    );
}
