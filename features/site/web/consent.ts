import { useSyncExternalStore } from 'react';
import type { Site } from '#platform/shared/page.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { createListeners } from '#platform/web/listeners.ts';
import { useSite } from '#platform/web/site.tsx';

/*
 * What the visitor lets be counted, kept on this device. Services outside the site are asked nothing before a
 * « oui »: no answer, an answer of long ago or about other services, a browser that refuses for its owner and one
 * that refuses storage are all a refusal. The site itself counts without knowing anybody, until somebody objects.
 */

export type Choice = 'oui' | 'non';
/** Whether the banner is there, and whether the person called for it. */
type Asking = 'no' | 'first' | 'again';

const KEY = 'consentement';
const OPT_OUT = 'sans-comptage';
/** Days that a choice is good for: thirteen months, of thirty days so that none is longer. */
const KEPT_DAYS = 13 * 30;

/** What became of the banner since the page was loaded; undefined: nothing yet. */
let told: 'answered' | 'called for' | undefined;
const { tell: notify, subscribe } = createListeners();

/** The names of the services outside that the site is set up to ask, in the order they are spoken of. */
function servicesOf({ counterUrl, analyticsUrl }: Site): string {
  const hosts = [counterUrl, analyticsUrl].filter((url) => url !== '').map((url) => new URL(url).host);
  return [...new Set(hosts)].join(' ');
}

/** Global Privacy Control: the browser says for its owner that nobody else may follow. */
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

/** Keeps the answer and takes the banner away; false when the browser does not keep it. */
export function keepChoice(choix: Choice, site: Site): boolean {
  const services = servicesOf(site);
  try {
    // First: an old « oui » must not outlive a « non » that finds no room.
    window.localStorage.removeItem(KEY);
    window.localStorage.setItem(KEY, JSON.stringify({ choix, le: new Date().toISOString(), services }));
  } catch {
    // Asked again at the next visit.
  }
  tell('answered');
  return readChoice(services) === choix;
}

/** Shows the banner again. */
export function callForBanner(): void {
  tell('called for');
}

function tell(news: typeof told): void {
  told = news;
  notify();
}

/** The visitor's choice, while it is good; undefined as well on the server and while the page comes alive. */
export function useChoice(): Choice | undefined {
  const services = servicesOf(useSite());
  return useSyncExternalStore(
    subscribe,
    () => readChoice(services),
    () => undefined,
  );
}

export function useAsking(): Asking {
  const services = servicesOf(useSite());
  return useSyncExternalStore(
    subscribe,
    () => askingOf(services),
    () => 'no',
  );
}

/** True when there is something to choose. */
export function useMayChoose(): boolean {
  const isAsked = servicesOf(useSite()) !== '';
  return useSyncExternalStore(
    subscribe,
    () => isAsked && !hasRefusedForAll(),
    () => isAsked,
  );
}

/** True when no visit from this browser is to be counted by anybody. */
export function hasOptedOut(): boolean {
  try {
    return window.localStorage.getItem(OPT_OUT) !== null;
  } catch {
    return false;
  }
}

export function useHasOptedOut(): boolean {
  return useSyncExternalStore(subscribe, hasOptedOut, () => false);
}

/** Keeps the wish, or takes it back; false when the browser does not do so. */
export function keepOptOut(isOut: boolean): boolean {
  try {
    if (isOut) window.localStorage.setItem(OPT_OUT, '1');
    else window.localStorage.removeItem(OPT_OUT);
  } catch {
    // The page goes on showing what is kept.
  }
  notify();
  return hasOptedOut() === isOut;
}

/** The addresses outside that may be asked now; blank: none. */
export function useOutside(): Pick<Site, 'counterUrl' | 'analyticsUrl'> {
  const { counterUrl, analyticsUrl } = useSite();
  const hasRefused = useHasOptedOut();
  return useChoice() === 'oui' && !hasRefused
    ? { counterUrl, analyticsUrl }
    : { counterUrl: '', analyticsUrl: '' };
}
