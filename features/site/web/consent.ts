import { useSyncExternalStore } from 'react';
import type { Site } from '#platform/shared/page.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { createListeners } from '#platform/web/session.ts';
import { useSite } from '#platform/web/site.tsx';

/*
 * The visitor's consent to audience measurement, stored on this device. External services are not contacted before a
 * « oui »: no answer, an expired answer, an answer about other services, a browser that refuses for its owner and one
 * that refuses storage all count as a refusal. The site's own counts are anonymous, and continue until the visitor
 * objects.
 */

export type Choice = 'oui' | 'non';
/** State of the banner: hidden, shown by itself, or called for by the visitor. */
type Asking = 'no' | 'first' | 'again';

const KEY = 'consentement';
const OPT_OUT = 'sans-comptage';
/** Days that a choice is valid: thirteen months of thirty days each, so never more than thirteen real months. */
const KEPT_DAYS = 13 * 30;

/** What the visitor did with the banner since the page was loaded; undefined: nothing yet. */
let told: 'answered' | 'called for' | undefined;
const { tell: notify, subscribe } = createListeners();

/** Host names of the configured external services, in the order they are named to visitors. */
export function outsideHosts({ counterUrl, analyticsUrl }: Site): string[] {
  const hosts = [counterUrl, analyticsUrl].filter((url) => url !== '').map((url) => new URL(url).host);
  return [...new Set(hosts)];
}

function servicesOf(site: Site): string {
  return outsideHosts(site).join(' ');
}

/** True when the browser sends Global Privacy Control: its owner refuses tracking by third parties. */
function hasRefusedForAll(): boolean {
  return (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;
}

function readChoice(services: string): Choice | undefined {
  if (hasRefusedForAll()) return 'non';
  try {
    const { choix, le, services: asked } = JSON.parse(window.localStorage.getItem(KEY) ?? '{}') ?? {};
    const age = Date.now() - Date.parse(le);
    const isGood = age >= 0 && age < KEPT_DAYS * DAY_MS && asked === services;
    return isGood && (choix === 'oui' || choix === 'non') ? choix : undefined;
  } catch {
    return undefined;
  }
}

function askingOf(services: string): Asking {
  if (services === '') return 'no';
  if (told !== undefined) return told === 'answered' ? 'no' : 'again';
  return readChoice(services) === undefined ? 'first' : 'no';
}

/** Stores the answer and hides the banner; false when the browser does not store it. */
export function keepChoice(choix: Choice, site: Site): boolean {
  const services = servicesOf(site);
  try {
    // Removed first: an old « oui » must not outlive a « non » that storage has no room for.
    window.localStorage.removeItem(KEY);
    window.localStorage.setItem(KEY, JSON.stringify({ choix, le: new Date().toISOString(), services }));
  } catch {
    // Not stored: asked again at the next visit.
  }
  tell('answered');
  return readChoice(services) === choix;
}

export function callForBanner(): void {
  tell('called for');
}

function tell(news: typeof told): void {
  told = news;
  notify();
}

/** What is stored; `atFirst` on the server and during hydration. */
function useStored<T>(read: () => T, atFirst: T): T {
  return useSyncExternalStore(subscribe, read, () => atFirst);
}

export function useChoice(): Choice | undefined {
  const services = servicesOf(useSite());
  return useStored(() => readChoice(services), undefined);
}

export function useAsking(): Asking {
  const services = servicesOf(useSite());
  return useStored(() => askingOf(services), 'no');
}

/** True when there are external services and the browser has not refused already. */
export function useMayChoose(): boolean {
  const isAsked = servicesOf(useSite()) !== '';
  return useStored(() => isAsked && !hasRefusedForAll(), isAsked);
}

/** True when visits from this browser must not be counted, neither by the site nor by others. */
export function hasOptedOut(): boolean {
  try {
    return window.localStorage.getItem(OPT_OUT) !== null;
  } catch {
    return false;
  }
}

export function useHasOptedOut(): boolean {
  return useStored(hasOptedOut, false);
}

/** Stores or removes the objection; false when the browser did not do so. */
export function keepOptOut(isOut: boolean): boolean {
  try {
    if (isOut) window.localStorage.setItem(OPT_OUT, '1');
    else window.localStorage.removeItem(OPT_OUT);
  } catch {
    // The page goes on showing the stored state.
  }
  notify();
  return hasOptedOut() === isOut;
}

/** Addresses of the external services that may be contacted now; blank: none. */
export function useOutside(): Pick<Site, 'counterUrl' | 'analyticsUrl'> {
  const { counterUrl, analyticsUrl } = useSite();
  const hasRefused = useHasOptedOut();
  return useChoice() === 'oui' && !hasRefused
    ? { counterUrl, analyticsUrl }
    : { counterUrl: '', analyticsUrl: '' };
}
