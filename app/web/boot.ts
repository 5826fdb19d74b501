/*
 * The first, small script of a page. It delays the other scripts until the server-rendered page has loaded, so that
 * text and pictures come first on a slow connection. A touch or a key, or a long wait, starts them earlier.
 */

/** Time, in ms, after which the scripts no longer wait for the pictures. */
const PATIENCE_MS = 2_000;
const TOUCHES = ['pointerdown', 'keydown', 'touchstart'];

let isStarted = false;
/** The button pressed last before hydration; it is clicked again afterwards. */
let pressed: HTMLButtonElement | undefined;

function start(): void {
  if (isStarted) return;
  isStarted = true;
  for (const name of TOUCHES) window.removeEventListener(name, start, true);
  // The server names all modules that this page needs, the entry last.
  const modules = document.getElementById('boot')?.dataset.modules?.split(' ') ?? [];
  run(modules).catch(sayIncomplete);
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
  const notice = document.createElement('p');
  notice.className = 'well';
  notice.setAttribute('role', 'alert');
  const again = document.createElement('a');
  again.href = window.location.href;
  again.textContent = 'Recharger la page';
  notice.append('La page n’a pas pu se charger entièrement\u202f: ses boutons ne répondent pas. ', again);
  document.body.prepend(notice);
}

/** Runs `work` once the browser has painted what has arrived: in the frame after that of the last picture. */
function whenPainted(work: () => void): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 500 });
      else setTimeout(work, 100);
    }),
  );
}

function remember({ target }: Event): void {
  pressed = (target as Element).closest('button') ?? undefined;
}

document.addEventListener('click', remember, true);
document.addEventListener('page-alive', () => {
  document.removeEventListener('click', remember, true);
  // Photos that the server rendered have given way to those of the page.
  const { first } = pressed?.dataset ?? {};
  const photo = first && document.querySelector<HTMLButtonElement>(`[data-photo="${first}"]`);
  (photo || pressed)?.click();
});

const isShown = document.querySelector('#root main h1') !== null;
if (isShown && document.readyState !== 'complete') {
  window.addEventListener('load', () => whenPainted(start));
  window.setTimeout(start, PATIENCE_MS);
  for (const name of TOUCHES) window.addEventListener(name, start, { capture: true, passive: true });
} else start();
