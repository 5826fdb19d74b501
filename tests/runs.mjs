/*
 * What an ordinary run leaves to `npm run test:all`, which has every test on every engine, all rounds and both widths, before
 * a release.
 */

/** Files that take minutes on what seldom changes. */
export const LONG = [
  'tests/operations/debian.sqlite.test.ts',
  'tests/operations/image.sqlite.test.ts',
  'tests/operations/recipe.test.ts',
];

/**
 * Of the files that both engines can run, those that ask something that an engine changes: every run has them on both. In
 * them PostgreSQL carries out nine of ten statements that all files send it.
 */
export const ON_BOTH = [
  // The schema, and two versions on it.
  ...['app/start', 'mails/upgrade', 'operations/recipe', 'operations/upgrade'],
  // Killed, cut off, several at once, by timers.
  ...['app/crash', 'mails/mail-crash', 'photos/photos-crash', 'sending/photos-sending'],
  ...[
    'operations/database-away',
    'operations/processes',
    'photos/photos-live',
    'platform/clock',
    'platform/limits',
    'platform/once',
  ],
  // The queue and what it does.
  ...[
    'evenings/evenings',
    'mails/links',
    'mails/mail-sender',
    'mails/family-word',
    'mails/mailings',
    'mails/mails',
    'example/example-settings',
  ],
  // The journal, and what is erased.
  ...[
    'audit/journal',
    'dashboard/journal',
    'privacy/personal',
    'privacy/retention',
    'privacy/retention-stays',
  ],
  ...[
    'checking/photos-before',
    'shelf/photos-bin',
    'photos/photos-bursts',
    'photos/photos-retention',
    'photos/photos-jpeg',
  ],
  // Copies, moves, and what reads a whole site.
  ...['operations/backups', 'operations/move', 'operations/export', 'operations/secret-key'],
  ...['operations/doctor', 'operations/integrity', 'operations/metrics'],
  // Search, order, and statements of thousands of rows.
  ...[
    'content/minutes-search',
    'site/search',
    'dashboard/search',
    'photos/photos-lists',
    'shelf/photos-order',
  ],
  ...['imports/imports', 'imports/directors', 'imports/headers', 'imports/promises'],
  // The other stores.
  ...[
    'accounts/auth',
    'accounts/invitations',
    'accounts/passkeys',
    'accounts/sessions',
    'content/content',
    'dashboard/preparation',
  ],
  // What counts and compares at the end of each transaction.
  ...['app/thief'],
  ...[
    'members/employees',
    'stayPages/photos-siblings',
    'site/contact',
    'site/logo',
    'site/settings',
    'stays/booklets',
    'stays/directors',
  ],
  ...[
    'stays/families',
    'stays/reports',
    'stays/reviews',
    'stays/stay-sign-in',
    'stays/stays',
    'takeover/takeover',
  ],
].map((name) => `tests/${name}.test.ts`);

/** The others: rules, files and sentences that no engine changes, or their statements again. SQLite alone runs them. */
export const ON_ONE = [
  ...[
    'accounts/admins',
    'accounts/second-factor',
    'app/access',
    'app/access-stays',
    'app/disk-full',
    'app/fuzz',
    'app/rules',
  ],
  ...['content/minutes', 'dashboard/checks', 'dashboard/dashboard', 'example/example', 'mails/lost-code'],
  ...['imports/permuted', 'imports/reading'],
  ...['checking/photos-clocks', 'checking/photos-decisions', 'photos/photos-journey'],
  ...['checking/photos-retouch', 'site/audience', 'site/missions'],
].map((name) => `tests/${name}.test.ts`);
