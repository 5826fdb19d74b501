/*
 * The first script of a page, and a small one. What the server rendered is shown before the rest is fetched: on
 * a slow line the text and the pictures come first. Whoever touches the page, or waits long, does not wait for it.
 */

/** Time, in ms, after which the pictures have had their chance. */
const PATIENCE_MS = 2_000;
const TOUCHES = ['pointerdown', 'keydown', 'touchstart'];

let isStarted = false;
/** A button pressed before anything listened to it. */
let pressed: HTMLButtonElement | undefined;

function start(): void {
  if (isStarted) return;
  isStarted = true;
  for (const name of TOUCHES) window.removeEventListener(name, start, true);
  // Named by the server: all that this page needs, the entry last.
  const modules = document.getElementById('boot')?.dataset.modules?.split(' ') ?? [];
  for (const file of modules) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = file;
    document.head.append(link);
  }
  run(modules).catch(sayIncomplete);
}

/** One after the other, all of which are on their way: in between, the browser answers whoever scrolls or types. */
async function run(modules: readonly string[]): Promise<void> {
  for (const module of modules) await import(/* @vite-ignore */ module);
}

/** Browsers remember a script that failed: only loading the page anew asks for it again. */
function sayIncomplete(): void {
  const notice = document.createElement('p');
  notice.className = 'well';
  notice.setAttribute('role', 'alert');
  const again = document.createElement('a');
  again.href = window.location.href;
  again.textContent = 'Recharger la page';
  notice.append('La page n’a pas pu se charger entièrement\u202f: ses boutons ne répondent pas. ', again);
  document.body.prepend(notice);
}

/** Once what has arrived is painted. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 500 });
  else setTimeout(work, 100);
}

function remember({ target }: Event): void {
  pressed = (target as Element).closest('button') ?? undefined;
}

document.addEventListener('click', remember, true);
document.addEventListener('page-alive', () => {
  document.removeEventListener('click', remember, true);
  pressed?.click();
});

const isShown = document.querySelector('#root main h1') !== null;
if (isShown && document.readyState !== 'complete') {
  window.addEventListener('load', () => whenIdle(start));
  window.setTimeout(start, PATIENCE_MS);
  for (const name of TOUCHES) window.addEventListener(name, start, { capture: true, passive: true });
} else start();
