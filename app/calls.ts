import { adminCalls } from '#features/accounts/calls.ts';
import { authCalls } from '#features/accounts/sign-in-calls.ts';
import { auditCalls } from '#features/audit/calls.ts';
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
import { staySignInCalls } from '#features/stays/sign-in-calls.ts';
import type { Call, CallKey } from '#platform/shared/call.ts';

/**
 * Every call of the product, under `/api/api`, in the order of the specification. Access, validation,
 * replies, the documentation page, the browser's client and the access tests all come from this table.
 */
const api = {
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
  ...staySignInCalls,
  ...importCalls,
  ...directorCalls,
  ...familyCalls,
  ...bookletCalls,
  ...reviewCalls,
  ...photoCalls,
  ...mailCalls,
  ...binCalls,
  ...adminCalls,
  ...auditCalls,
  ...settingsCalls,
  ...contactCalls,
  ...personalCalls,
  ...audienceCalls,
  ...dashboardCalls,
  ...exampleCalls,
};

declare module '#platform/shared/call.ts' {
  interface Product {
    calls: typeof api;
  }
}

/** The table as data, for code that walks it. */
export const calls = Object.entries(api as unknown as Record<CallKey, Call>).map(([key, definition]) => {
  const [method, path] = key.split(' ') as [string, string];
  return { key: key as CallKey, method, path, call: definition };
});
