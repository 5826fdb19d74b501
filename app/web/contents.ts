import { accountsContents } from '#features/accounts/web/pages.ts';
import { contentContents } from '#features/content/web/pages.ts';
import { membersContents } from '#features/members/web/pages.ts';
import { photosContents } from '#features/photos/web/pages.ts';
import { privacyContents } from '#features/privacy/web/pages.ts';
import { siteContents } from '#features/site/web/pages.ts';
import { staysContents } from '#features/stays/web/pages.ts';
import type { PageContent } from '#platform/web/pages.tsx';

/** What the server asks of each page; only its bundle holds this. */
const CONTENTS: Record<string, PageContent> = {
  ...contentContents,
  ...siteContents,
  ...privacyContents,
  ...membersContents,
  ...accountsContents,
  ...staysContents,
  ...photosContents,
  'app/web/portal/PortalPage.tsx': {
    description: 'Le portail des administrateurs.',
    isIndexed: false,
  },
  'app/web/NotFoundPage.tsx': {
    description: 'Cette page n’existe pas.',
    isIndexed: false,
  },
};

export function contentOf(module: string): PageContent {
  const content = CONTENTS[module];
  if (!content) throw new Error(`No content for ${module}`);
  return content;
}
