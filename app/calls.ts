import type { z } from 'zod';
import { adminCalls } from '#features/accounts/calls.ts';
import { authCalls } from '#features/accounts/sign-in-calls.ts';
import { binCalls } from '#features/content/bin-calls.ts';
import { calendarCalls } from '#features/content/calendar-calls.ts';
import { contentCalls } from '#features/content/calls.ts';
import { benefits } from '#features/content/shared/benefits.ts';
import { events } from '#features/content/shared/events.ts';
import { featured } from '#features/content/shared/featured.ts';
import { minutes } from '#features/content/shared/minutes.ts';
import { news } from '#features/content/shared/news.ts';
import { partners } from '#features/content/shared/partners.ts';
import { dashboardCalls } from '#features/dashboard/calls.ts';
import { exampleCalls } from '#features/example/calls.ts';
import { importCalls } from '#features/imports/calls.ts';
import { mailCalls } from '#features/mails/calls.ts';
import { staffCalls } from '#features/members/calls.ts';
import { photoCalls } from '#features/photos/calls.ts';
import { personalCalls } from '#features/privacy/calls.ts';
import { audienceCalls } from '#features/site/audience-calls.ts';
import { settingsCalls } from '#features/site/calls.ts';
import { contactCalls } from '#features/site/contact-calls.ts';
import { bookletCalls } from '#features/stays/booklets-calls.ts';
import { stayCalls } from '#features/stays/calls.ts';
import { directorCalls } from '#features/stays/directors-calls.ts';
import { familyCalls } from '#features/stays/families-calls.ts';
import { reviewCalls } from '#features/stays/reviews-calls.ts';
import type { Call, PathOf } from '#platform/shared/call.ts';

/**
 * Every call of the product, under `/api/api`, in the order of the specification. Access, validation,
 * replies, the documentation page, the browser's client and the access tests all come from this table.
 */
export const api = {
  ...contentCalls(news),
  ...contentCalls(featured),
  ...contentCalls(partners),
  ...contentCalls(events),
  ...calendarCalls,
  ...contentCalls(benefits),
  ...contentCalls(minutes),
  ...staffCalls,
  ...stayCalls,
  ...authCalls,
  ...importCalls,
  ...directorCalls,
  ...familyCalls,
  ...bookletCalls,
  ...reviewCalls,
  ...photoCalls,
  ...mailCalls,
  ...binCalls,
  ...adminCalls,
  ...settingsCalls,
  ...contactCalls,
  ...personalCalls,
  ...audienceCalls,
  ...dashboardCalls,
  ...exampleCalls,
};

export type Api = typeof api;
export type CallKey = keyof Api;

/** The table as data, for code that walks it. */
export const calls = Object.entries(api as unknown as Record<CallKey, Call>).map(([key, definition]) => {
  const [method, path] = key.split(' ') as [string, string];
  return { key: key as CallKey, method, path, call: definition };
});

type Schema<C, F extends string> = C extends Record<F, infer S> ? S : undefined;
type Out<S> = S extends z.ZodType ? z.output<S> : undefined;
type In<S> = S extends z.ZodType ? z.input<S> : undefined;
type BodySchema<C> = C extends { body: { schema: infer S } } ? S : undefined;

/** What a handler receives. */
export type ParamsOf<K extends CallKey> = Out<Schema<Api[K], 'params'>>;
export type QueryOf<K extends CallKey> = Out<Schema<Api[K], 'query'>>;
export type BodyOf<K extends CallKey> = Out<BodySchema<Api[K]>>;
export type ReplyOf<K extends CallKey> = Out<Schema<Api[K], 'reply'>>;

/** What a client sends: the path's parameters, and the body as JSON or as the form itself. */
export type PathParams<P> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string | number> & PathParams<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Record<Name, string | number>
    : unknown;
export type ClientBody<K extends CallKey> = Api[K] extends { body: { as: 'multipart' } }
  ? FormData
  : Api[K] extends { body: { as: 'form' } }
    ? URLSearchParams
    : In<BodySchema<Api[K]>>;
export type { PathOf };
