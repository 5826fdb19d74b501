import lighthouse from 'lighthouse';

const KB = 1000;

/** What Lighthouse sees of a page with its slow phone: times in seconds and ms, scripts in kB as transferred. */
export interface Seen {
  score: number;
  lcp: number;
  tbt: number;
  cls: number;
  js: number;
}

/** Times that a page is looked at once more, where the browser lost the record of it. */
const AGAIN = 3;

/** Looks at an address; `isSignedIn`: the browser keeps what it knows of us. */
export async function lookAt(
  port: number,
  address: string,
  isSignedIn = false,
  again = AGAIN,
): Promise<Seen> {
  const seen = await lighthouse(address, {
    ...{ port, onlyCategories: ['performance'], logLevel: 'error', output: 'json' },
    disableStorageReset: isSignedIn,
  });
  if (seen?.lhr.runtimeError?.code === 'NO_NAVSTART' && again > 0)
    return lookAt(port, address, isSignedIn, again - 1);
  if (!seen || seen.lhr.runtimeError) throw new Error(`${address}: ${seen?.lhr.runtimeError?.message}`);
  const { audits, categories } = seen.lhr;
  const number = (name: string) => audits[name]?.numericValue ?? Number.NaN;
  const requests = audits['network-requests']?.details as
    | { items: { resourceType: string; transferSize: number }[] }
    | undefined;
  const scripts = (requests?.items ?? []).filter(({ resourceType }) => resourceType === 'Script');
  return {
    score: 100 * (categories.performance?.score ?? Number.NaN),
    lcp: number('largest-contentful-paint') / 1000,
    tbt: number('total-blocking-time'),
    cls: number('cumulative-layout-shift'),
    js: scripts.reduce((sum, { transferSize }) => sum + transferSize, 0) / KB,
  };
}
