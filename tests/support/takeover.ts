import { openOrigin } from '#features/takeover/server/origin.ts';
import { bringIn, type Outcome, type Plan, planTakeover } from '#features/takeover/server/takeover.ts';
import { clearFolders } from './commands.ts';
import { fillOriginalSite, ORIGINAL_TOKEN, type OriginalSite, openOriginalSite } from './originalSite.ts';
import type { TestSite } from './people.ts';
import { openSite } from './site.ts';

/** A site that takes over the stand-in of the original one. */
export interface Takeover {
  site: TestSite;
  original: OriginalSite;
  /** The token of an admin. */
  staff: string;
  originOf(token?: string): ReturnType<typeof openOrigin>;
  takeOver(keepsNumbers?: boolean): Promise<{ plan: Plan; outcome: Outcome }>;
  /** The answer of a call, as staff read it. */
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what is under test
  read(path: string): Promise<any>;
  close(): Promise<void>;
}

export async function openTakeover(): Promise<Takeover> {
  const [site, original] = await Promise.all([openSite(), openOriginalSite()]);
  const staff = await site.tokenOf('admin');
  await fillOriginalSite(original);
  const originOf = (token = ORIGINAL_TOKEN) => openOrigin(original.address, token, { waits: [1, 1] });
  return {
    ...{ site, original, staff, originOf },
    async takeOver(keepsNumbers = false) {
      const origin = originOf();
      const plan = await planTakeover(site.services, origin, () => {});
      const outcome = await bringIn(site.services, origin, plan, { keepsNumbers, tell: () => {} });
      await site.jobs.idle();
      return { plan, outcome };
    },
    read: async (path) => (await site.call(`GET ${path}`, { token: staff })).json,
    async close() {
      await Promise.all([site.close(), original.close()]);
      clearFolders();
    },
  };
}

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

/** What comes otherwise than it was there. */
export const remarksOf = (all: Plan['candidates']) =>
  all.flatMap(({ name, remarks }) => remarks.map((remark) => plain(`${name} : ${remark}`)));

/** What does not come. */
export const problemsOf = (all: Plan['candidates']) =>
  all.flatMap(({ name, problem }) => (problem ? [plain(`${name} : ${problem}`)] : []));
