import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What depends on the colours alone; the rest is the same by day and by night. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** What axe finds wrong with a page, as `rule: element`; `rules`: those alone. */
export async function violationsOf(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    // Else a second page is opened to put the findings of frames together: ours have none.
    .setLegacyMode()
    .options({ resultTypes: ['violations'], preload: false });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
