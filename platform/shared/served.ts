/** Where browsers say their version. The first that fits counts; on iPhones and iPads it is the system's, whichever the browser. */
const VERSIONS = {
  ios_saf: /\b(?:iPhone|iPad)\b.* OS (\d+)_(\d+)/,
  edge: /\bEdg\/(\d+)/,
  chrome: /\b(?:Chrome|Chromium)\/(\d+)/,
  firefox: /\bFirefox\/(\d+)/,
  safari: /\bVersion\/(\d+)\.(\d+).* Safari\//,
};

/** Whether a browser says that it is older than `served` names: « safari >= 16.4 ». One that is not named is taken as it is. */
export function isOlder(userAgent: string, served: readonly string[]): boolean {
  for (const [browser, version] of Object.entries(VERSIONS)) {
    const [said, major, minor = 0] = version.exec(userAgent) || [];
    if (!said) continue;
    const oldest = served.find((line) => line.startsWith(`${browser} `));
    const [, atLeast, andMinor = 0] = / >= (\d+)(?:\.(\d+))?$/.exec(oldest || '') || [];
    return 1_000 * Number(major) + Number(minor) < 1_000 * Number(atLeast) + Number(andMinor);
  }
  return false;
}
