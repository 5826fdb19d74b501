import {
  adminCalls,
  authCalls,
  ownSessionCalls,
  passkeyCalls,
  secondFactorCalls,
} from '#features/accounts/calls.ts';
import { auditCalls } from '#features/audit/calls.ts';
import { binCalls, contentCalls } from '#features/content/calls.ts';
import { dashboardCalls } from '#features/dashboard/calls.ts';
import { eveningCalls } from '#features/evenings/calls.ts';
import { exampleCalls } from '#features/example/calls.ts';
import { importCalls } from '#features/imports/calls.ts';
import {
  codeCalls,
  freeMailCalls,
  linkCalls,
  lostCodeCalls,
  mailingCalls,
  slipCalls,
} from '#features/mails/calls.ts';
import { employeeCalls } from '#features/members/calls.ts';
import { photoCalls } from '#features/photos/calls.ts';
import { personalCalls } from '#features/privacy/calls.ts';
import { audienceCalls, contactCalls, searchCalls, settingsCalls } from '#features/site/calls.ts';
import {
  bookletCalls,
  directorCalls,
  familyCalls,
  reportCalls,
  reviewCalls,
  stayCalls,
  stayPasswordCalls,
  staySessionCalls,
  staySignInCalls,
} from '#features/stays/calls.ts';
import { exportCalls } from '#features/takeover/calls.ts';
import type { Call, CallKey } from '#platform/shared/call.ts';

/**
 * Every call of the product, under `/api/api`, in the order of the specification. Access, validation,
 * replies, the documentation page, the browser's client and the access tests all come from this table.
 */
const api = {
  ...contentCalls,
  ...employeeCalls,
  ...stayCalls,
  ...stayPasswordCalls,
  ...staySessionCalls,
  ...authCalls,
  ...staySignInCalls,
  ...importCalls,
  ...directorCalls,
  ...familyCalls,
  ...bookletCalls,
  ...reviewCalls,
  ...reportCalls,
  ...photoCalls,
  ...codeCalls,
  ...mailingCalls,
  ...freeMailCalls,
  ...linkCalls,
  ...lostCodeCalls,
  ...eveningCalls,
  ...slipCalls,
  ...binCalls,
  ...adminCalls,
  ...ownSessionCalls,
  ...passkeyCalls,
  ...secondFactorCalls,
  ...auditCalls,
  ...settingsCalls,
  ...contactCalls,
  ...searchCalls,
  ...personalCalls,
  ...audienceCalls,
  ...dashboardCalls,
  ...exampleCalls,
  ...exportCalls,
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
