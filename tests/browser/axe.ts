import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** By night, what depends on the colours: the rest is as by day. `npm run test:all` asks for all rules again. */
export const NIGHT_RULES = process.env.TEST_ALL ? undefined : ['color-contrast', 'link-in-text-block'];

/** What axe finds wrong with a page, as `rule: element`; `rules`: those alone. */
export async function violationsOf(page: Page, rules?: string[]): Promise<string[]> {
  // Once per document: reading its half a megabyte takes as long as its rules.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const options = { resultTypes: ['violations' as const], preload: false, ...(runOnly && { runOnly }) };
    // Colours on their way to others have a contrast that nobody reads. What moves for ever is looked at as it is.
    const moving = document
      .getAnimations()
      .filter(
        ({ playState, timeline, effect }) =>
          playState === 'running' &&
          timeline === document.timeline &&
          effect?.getComputedTiming().endTime !== Infinity,
      );
    await Promise.allSettled(moving.map(({ finished }) => finished));
    const { violations } = await axe.run(options);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, rules);
}

/** Expects nothing that axe finds wrong with a page by day, nor with its colours by night. */
export async function expectNoViolation(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect(await violationsOf(page), 'by day').toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violationsOf(page, NIGHT_RULES), 'by night').toEqual([]);
}

/** Expects a page as wide as its screen, and nothing that axe finds wrong with it by day or by night. */
export async function expectFine(page: Page, width: number): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  await expectNoViolation(page);
}
