import { browserslist } from '#package.json';
import { isOlder } from '#platform/shared/served.ts';

/*
 * The first, small script of a page, which runs before anything is seen of it. It delays the other scripts until the
 * server-rendered page has loaded, so that text and pictures come first on a slow connection. A touch or a key, or a long
 * wait, starts them earlier. Until they have come, it answers what is pressed.
 * Browsers that are too old for them read this one all the same: served.ts and it do without `?.` and `??`.
 */

/** Time, in ms, after which the scripts no longer wait for the pictures. */
const PATIENCE_MS = 2_000;
const TOUCHES = ['pointerdown', 'keydown', 'touchstart'];

let isStarted = false;
/** The button pressed last before hydration; it is clicked again afterwards. */
let pressed: HTMLButtonElement | undefined;
/** The photo shown for it. */
let early: HTMLElement | undefined;
/** Resolved by `free` once the line is free for the scripts: the file of that photo has come, or failed, or is not wanted. */
let isFree: Promise<void> = Promise.resolve();
let free = () => {};

const parsed = new Promise<void>((resolve) => {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => resolve());
  else resolve();
});

function start(): void {
  if (isStarted || !mayRunScripts) return;
  isStarted = true;
  for (const name of TOUCHES) window.removeEventListener(name, startUnlessOnPhoto, true);
  // The server names all modules that this page needs, the entry last.
  const { modules = '' } = (document.getElementById('boot') as HTMLElement).dataset;
  isFree.then(() => run(modules.split(' '))).catch(sayIncomplete);
}

/** A press on a photo first shows it: the line is left to its file, and the scripts come after that. */
function startUnlessOnPhoto({ target }: Event): void {
  if (!(target instanceof Element && target.closest('[data-large]'))) start();
}

/** Fetches the modules side by side, then runs them one after the other. The browser can handle input in between. */
async function run(modules: readonly string[]): Promise<void> {
  for (const file of modules) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = file;
    document.head.append(link);
    // Beginning to fetch one takes a slow phone ten milliseconds.
    await nextTask();
  }
  await parsed;
  for (const module of modules) await import(/* @vite-ignore */ module);
}

/** Resolves in a task of its own. A message makes one, as in React's scheduler: a timer would wait in a tab out of sight. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    port2.postMessage(undefined);
  });
}

/** Asks to reload the page: browsers remember a failed import, so that only a reload fetches it again. */
function sayIncomplete(): void {
  forget();
  const notice = document.createElement('p');
  notice.className = 'well';
  notice.setAttribute('role', 'alert');
  const again = document.createElement('a');
  again.href = window.location.href;
  again.textContent = 'Recharger la page';
  notice.append('La page n’a pas pu se charger entièrement\u202f: ses boutons ne répondent pas. ', again);
  document.body.prepend(notice);
}

/** Our scripts stop without it, and browsers have had it no longer than they are served. */
const mayRunScripts = 'isWellFormed' in String.prototype;

/** Says above the page that the browser is too old, when it is. */
function tellOlder(): void {
  if (mayRunScripts && !isOlder(navigator.userAgent, browserslist)) return;
  const notice = document.createElement('p');
  notice.className = 'well print:hidden';
  notice.setAttribute('role', 'alert');
  notice.textContent =
    'Ce navigateur est trop ancien pour ce site\u202f: les pages se lisent, mais des boutons peuvent ne pas répondre. Mettez à jour l’appareil ou le navigateur, ou prenez-en un autre.';
  document.body.prepend(notice);
}

/** Runs `work` once the browser has painted what has arrived: in the frame after that of the last picture. */
function whenPainted(work: () => void): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (window.requestIdleCallback) window.requestIdleCallback(work, { timeout: 500 });
      else setTimeout(work, 100);
    }),
  );
}

function remember({ target }: Event): void {
  if (early ? early.contains(target as Element) : false) return;
  const button = (target as Element).closest('button');
  forget();
  if (!button) return;
  pressed = button;
  button.ariaBusy = 'true';
  if (button.dataset.large) showPhoto(button, button.dataset.large);
}

function forget(): void {
  free();
  if (pressed) pressed.removeAttribute('aria-busy');
  if (early) early.remove();
  pressed = early = undefined;
}

/** Shows a photo over the page, where the page itself will show it: its thumbnail, until the file at `large` has come. */
function showPhoto(tile: HTMLElement, large: string): void {
  const make = <K extends keyof HTMLElementTagNameMap>(name: K, given: Partial<HTMLElementTagNameMap[K]>) =>
    Object.assign(document.createElement(name), given);
  isFree = new Promise((resolve) => {
    free = resolve;
  });
  // Those of the page, which asks for them again, would hold it up.
  for (const one of document.querySelectorAll<HTMLImageElement>('.first-rows img'))
    if (!one.complete) for (const name of ['srcset', 'src']) one.removeAttribute(name);
  const coming = make('span', { className: 'large-photo-coming' });
  const end = () => {
    coming.remove();
    free();
  };
  const photo = make('img', {
    className: 'photo-early',
    fetchPriority: 'high',
    alt: tile.getAttribute('aria-label') || '',
  });
  Object.assign(photo, { onload: end, onerror: end, src: large });
  const close = make('button', {
    ...{ className: 'photo-opening-close', ariaLabel: 'Fermer', textContent: '✕', onclick: forget },
    onkeydown: ({ key }) => key === 'Escape' && forget(),
  });
  early = make('div', { className: 'photo-opening early' });
  const thumbnail = tile.querySelector('img');
  if (thumbnail) early.append(make('img', { className: 'photo-early', src: thumbnail.currentSrc, alt: '' }));
  early.append(photo, coming, close);
  document.body.append(early);
  close.focus();
  start();
}

document.addEventListener('click', remember, true);
document.addEventListener('page-alive', async () => {
  document.removeEventListener('click', remember, true);
  if (pressed) pressed.removeAttribute('aria-busy');
  // It comes out of React, which brings what a click is on to life at once only from outside of itself.
  await nextTask();
  // Photos that the server rendered have given way to those of the page.
  const { first } = pressed ? pressed.dataset : {};
  const photo = first && document.querySelector<HTMLButtonElement>(`[data-photo="${first}"]`);
  const button = photo || pressed;
  if (button) button.click();
});

for (const name of TOUCHES)
  window.addEventListener(name, startUnlessOnPhoto, { capture: true, passive: true });
void parsed.then(() => {
  tellOlder();
  // As the server rendered it, the page can be read; it stands as for whoever runs no scripts.
  if (!mayRunScripts) {
    document.documentElement.dataset.scripts = 'none';
    return;
  }
  const isShown = document.querySelector('#root main h1') !== null;
  if (!isShown || document.readyState === 'complete') return start();
  window.addEventListener('load', () => whenPainted(start));
  window.setTimeout(start, PATIENCE_MS);
});
