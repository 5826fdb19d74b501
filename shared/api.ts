import type { z } from 'zod';
import { adminCalls } from './admins.ts';
import { audienceCalls } from './audience.ts';
import { authCalls } from './auth.ts';
import { binCalls } from './bin.ts';
import { calendarCalls } from './calendar.ts';
import { contactCalls } from './contact.ts';
import { benefits } from './content/benefits.ts';
import { contentCalls } from './content/calls.ts';
import { events } from './content/events.ts';
import { featured } from './content/featured.ts';
import { minutes } from './content/minutes.ts';
import { news } from './content/news.ts';
import { partners } from './content/partners.ts';
import { dashboardCalls } from './dashboard.ts';
import { exampleCalls } from './example.ts';
import { mailCalls } from './mails/mails.ts';
import { personalCalls } from './personal.ts';
import { photoCalls } from './photos/photos.ts';
import type { Call, PathOf } from './route.ts';
import { settingsCalls } from './settings.ts';
import { staffCalls } from './staff.ts';
import { bookletCalls } from './stays/booklets.ts';
import { directorCalls } from './stays/directors.ts';
import { familyCalls } from './stays/families.ts';
import { importCalls } from './stays/imports.ts';
import { reviewCalls } from './stays/reviews.ts';
import { stayCalls } from './stays/stays.ts';

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
