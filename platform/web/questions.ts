import { keepPreviousData, QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import type { CallKey, ReplyOf } from '#platform/shared/call.ts';
import { type Question, questionName, type VisitData } from '#platform/shared/page.ts';
import { CallError, type CallInput, call } from './api.ts';
import type { AskedAs } from './session.ts';

/** Time, in ms, during which an answer, such as one that came with the page, is not fetched again. */
export const FRESH_MS = 60_000;

/**
 * Makes a cache holding the answers that came with the page; `null` stands for what does not exist. `visits`: those given
 * to whoever is signed in to the stays of the page.
 */
export function openAnswers(answers: Record<string, unknown>, visits: readonly VisitData[]): QueryClient {
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
  for (const { as, at, answers: given } of visits) {
    for (const [name, answer] of Object.entries(given))
      client.setQueryData([name, as], answer, { updatedAt: at });
  }
  return client;
}

/** Allows one retry when the network or the server failed; none when the answer was a refusal. */
function isWorthAnotherTry(failures: number, error: Error): boolean {
  const isRefusal = error instanceof CallError && error.status >= 400 && error.status < 500;
  return failures < 1 && !isRefusal;
}

/** Delay before a retry, in ms: for a busy site (503), a random two to five seconds. */
function waitBeforeAnotherTry(_failures: number, error: Error): number {
  const isBusy = error instanceof CallError && error.status === 503;
  return isBusy ? 2_000 + 3_000 * Math.random() : 1_000;
}

/** A question of a page, and in which role it is asked: by default as staff, which public calls ignore. */
export interface AskedQuestion extends Question {
  as?: AskedAs | undefined;
}

/** Suffix of the cache key of answers fetched with `isFresh`. */
const FRESH = 'à neuf';

/** The cache key of the answer to a question; with `isFresh`, what those of the separate answers fetched anew begin with. */
export function answerKey(question: AskedQuestion, { isFresh = false } = {}): readonly string[] {
  // The answer may differ with the role.
  const name = [questionName(question), ...(question.as ? [question.as] : [])];
  return isFresh ? [...name, FRESH] : name;
}

interface AskOptions<R> {
  /** What a failure is logged with, where the site has always had words of its own for it. */
  failure?: string;
  /** What is already known of the answer, shown until it arrives. */
  meanwhile?: R | undefined;
  isAsked?: boolean;
  /** When true, fetched once, now, whatever the cache holds; for content that is about to be edited. */
  isFresh?: boolean;
  /** When true, the answer of the cache is shown and fetched again: for counts that change all over the portal. */
  isRefreshed?: boolean;
  /** Time, in ms, after which an answer is fetched again while it is shown; false for never. */
  every?(answer: R): number | false;
  /** When true, the previous question's answer is shown until this one's arrives; for a search as it is typed. */
  keepsLast?: boolean;
}

/** The answer to a question of the page. A failure is logged. */
export function useQuestion<K extends CallKey>(
  question: AskedQuestion & { key: K },
  options: AskOptions<ReplyOf<K>> = {},
) {
  return useAnswer(question, (signal) => ask(question, signal), options);
}

/** Like `useQuestion`, for content that may not exist or no longer: a 404 gives `null` instead of an error. */
export function useThing<K extends CallKey>(
  question: AskedQuestion & { key: K },
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
  return useAnswer(question, orNull, options);
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
  {
    failure = `Erreur lors de la récupération (${question.key}):`,
    meanwhile,
    isAsked = true,
    isFresh = false,
    isRefreshed = false,
    every,
    keepsLast = false,
  }: AskOptions<R>,
) {
  const id = useId();
  const query = useQuery({
    // Fresh answers have a key of their own, one each time they are shown: a form must not start from an older answer
    // cached for a page, nor from that of the form whose place it takes.
    queryKey: isFresh ? [...answerKey(question, { isFresh }), id] : answerKey(question),
    queryFn: ({ signal }) => read(signal),
    enabled: ({ state }) => isAsked && !(isFresh && state.data !== undefined),
    refetchInterval: ({ state }) => (every && state.data !== undefined ? every(state.data) : false),
    gcTime: isFresh ? 0 : undefined,
    refetchOnMount: isRefreshed ? 'always' : true,
    placeholderData: keepsLast ? keepPreviousData : (meanwhile as never),
  });
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: the site has always logged its failed loads
    if (query.error) console.error(failure, query.error);
  }, [query.error, failure]);
  return query;
}
