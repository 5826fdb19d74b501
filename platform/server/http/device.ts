/*
 * The device of a request, as its browser describes itself: enough for a person to recognise it, and nothing that would
 * tell it from others.
 */

/** Browsers by what they say, the most particular first: most of them also claim to be Chrome or Safari. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrom(e|ium)\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

/** Systems, likewise: Android also says Linux, an iPhone also says Mac OS X. */
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/Linux|X11/, 'Linux'],
];

/** The browser and system of a `User-Agent`, `Firefox sur Windows`; blank when neither is known. */
export function deviceOf(userAgent: string | undefined): string {
  const find = (names: readonly [RegExp, string][]) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  return [find(BROWSERS), find(SYSTEMS)].filter((name) => name !== undefined).join(' sur ');
}
