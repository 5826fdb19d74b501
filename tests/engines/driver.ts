import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Real browsers of other engines than Chromium's, as Debian has them, behind what both can do. */

export interface Place {
  /** What the browser keeps from one start to the next is in it, and what it downloads. */
  folder: string;
  width: number;
  height: number;
  /** Of WebKit: the names of features that it is to be without, and JavaScript that each page runs before its own. */
  off?: string[];
  before?: string;
}

/** Input as WebDriver has it, one source of it at a time. */
export type Action = Record<string, unknown>;

/** What an engine has to bring. */
export interface Driver {
  goto(url: string): Promise<unknown>;
  /** Runs the source of an async function in the page, which gives a text. */
  run(source: string): Promise<string>;
  act(source: { type: string; id: string; parameters?: object; actions: Action[] }): Promise<unknown>;
  setFiles(selector: string, paths: string[]): Promise<unknown>;
  /** What is on the screen: a picture of the window, as PNG. */
  screenshot(): Promise<Buffer>;
  /** What the pages said was wrong. */
  errors(): string[];
  close(): Promise<void>;
}

const KEYS: Record<string, string> = {
  Escape: '\uE00C',
  Enter: '\uE007',
  ArrowRight: '\uE014',
  Control: '\uE009',
  Backspace: '\uE003',
};

/** How long something may be awaited that a quiet machine shows at once, in ms: a guard, not a measure. */
const PATIENCE_MS = 240_000;

/** Asks again until it is given something, and gives that; throws what `why` says when it never is. */
export async function until<T>(
  ask: () => Promise<T> | T,
  why: () => Promise<string> | string,
): Promise<NonNullable<T>> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await ask();
    if (found) return found;
    if (Date.now() > end) throw new Error(await why());
    await pause(50);
  }
}

/** A tab of a real browser, used as a person does: by what is seen, by mouse and keys. */
export class Tab {
  readonly #driver: Driver;
  readonly #origin: string;
  readonly downloads: string;

  constructor(driver: Driver, origin: string, { folder }: Place) {
    this.#driver = driver;
    this.#origin = origin;
    this.downloads = join(folder, 'downloads');
  }

  open(path: string): Promise<unknown> {
    return this.#driver.goto(new URL(path, this.#origin).href);
  }

  /** What a function gives in the page, of an element that it is there; it and its values go there as text. */
  async evaluate<T, A extends unknown[]>(fn: (...values: A) => T, ...values: A): Promise<Awaited<T>> {
    const call = `(${fn})(...${JSON.stringify(values)})`;
    const answer = await this.#driver.run(
      `async () => { try { const value = await ${call}; return JSON.stringify({ value: value instanceof Node || value }); } catch (error) { return JSON.stringify({ error: String(error) }); } }`,
    );
    const { value, error } = JSON.parse(answer);
    if (error) throw new Error(error);
    return value;
  }

  /** Waits until a function gives something in the page, and gives that. */
  waitFor<T, A extends unknown[]>(
    what: string,
    fn: (...values: A) => T,
    ...values: A
  ): Promise<NonNullable<Awaited<T>>> {
    return until(
      // The page may be another one meanwhile.
      () => this.evaluate(fn, ...values).catch(() => undefined),
      async () => `${what} never came; the page: ${await this.words()}`,
    );
  }

  words(): Promise<string> {
    return this.evaluate(() => `${location.pathname} ${document.body.innerText.replace(/\s+/g, ' ')}`);
  }

  says(text: string): Promise<unknown> {
    return this.waitFor(
      `« ${text} »`,
      (wanted) => document.body.innerText.replace(/\s+/g, ' ').includes(wanted),
      text,
    );
  }

  /** The middle of the first thing in sight that fits and stands still; with a name, of the first that is called so or begins so. */
  async #middleOf(selector: string, name: string): Promise<{ x: number; y: number }> {
    const find = async (wanted: string, called: string) => {
      const open = [...document.querySelectorAll('dialog[open], [role=dialog]')].at(-1);
      const nameOf = (element: Element) =>
        (element.getAttribute('aria-label') ?? element.textContent ?? '').replace(/\s+/g, ' ').trim();
      const fits = (element: Element) =>
        element.checkVisibility?.({ visibilityProperty: true }) !== false &&
        element.getBoundingClientRect().width > 0 &&
        !element.closest('[inert]') &&
        nameOf(element).startsWith(called);
      const found = [...(open?.querySelectorAll(wanted) ?? []), ...document.querySelectorAll(wanted)].find(
        fits,
      );
      if (!found) return undefined;
      found.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      const before = found.getBoundingClientRect();
      await new Promise((resolve) => setTimeout(resolve, 60));
      const { x, y, width, height } = found.getBoundingClientRect();
      if (x !== before.x || y !== before.y) return undefined;
      const middle = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
      // Something may lie over it, such as a notice that is about to leave.
      const top = document.elementFromPoint(middle.x, middle.y);
      return top && (found.contains(top) || top.contains(found)) ? middle : undefined;
    };
    return this.waitFor(`${selector} ${name && `« ${name} »`}`, find, selector, name);
  }

  /** Presses the mouse on it; `by`: drawn so many pixels to the right meanwhile. */
  async press(selector: string, name = '', by = 0): Promise<void> {
    const { x, y } = await this.#middleOf(selector, name);
    const move = (part: number) => ({
      type: 'pointerMove',
      x: Math.round(x + by * (part - 0.5)),
      y,
      duration: 20,
      origin: 'viewport',
    });
    await this.#driver.act({
      type: 'pointer',
      id: 'mouse',
      parameters: { pointerType: 'mouse' },
      actions: [
        move(by === 0 ? 0.5 : 0),
        { type: 'pointerDown', button: 0 },
        ...(by === 0 ? [{ type: 'pause', duration: 20 }] : [0.25, 0.5, 0.75, 1].map(move)),
        { type: 'pointerUp', button: 0 },
      ],
    });
  }

  /** Scrolls a list sideways to its second item, as two fingers on a touchpad: neither engine takes a touch here. */
  async swipe(selector: string): Promise<void> {
    const at = await this.#middleOf(selector, '');
    const deltaX = await this.evaluate((wanted) => {
      const [first, second] = document.querySelectorAll<HTMLElement>(`${wanted} > *`);
      return (second?.offsetLeft ?? 0) - (first?.offsetLeft ?? 0);
    }, selector);
    const scroll = { type: 'scroll', ...at, deltaX, deltaY: 0, duration: 0, origin: 'viewport' };
    await this.#driver.act({ type: 'wheel', id: 'wheel', actions: [scroll] });
  }

  /** Presses keys together. */
  async key(...names: string[]): Promise<void> {
    const values = names.map((name) => KEYS[name] ?? name);
    await this.#driver.act({
      type: 'key',
      id: 'keys',
      actions: [
        ...values.map((value) => ({ type: 'keyDown', value })),
        ...values.toReversed().map((value) => ({ type: 'keyUp', value })),
      ],
    });
  }

  async type(text: string): Promise<void> {
    const actions = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.#driver.act({ type: 'key', id: 'keys', actions });
  }

  /** Types into the field of this label. */
  async fill(label: string, text: string): Promise<void> {
    await this.waitFor(
      `the field « ${label} »`,
      (wanted) => {
        const labels = [...document.querySelectorAll('label')];
        const { control } = labels.find((one) => one.textContent?.trim().startsWith(wanted)) ?? {};
        // Alive: what is typed before that is not known to the page.
        if (!control || !Object.keys(control).some((key) => key.startsWith('__react'))) return false;
        control.scrollIntoView({ block: 'center', behavior: 'instant' });
        control.focus();
        return true;
      },
      label,
    );
    await this.type(text);
    const isThere = (wanted: string) => (document.activeElement as HTMLInputElement).value === wanted;
    await this.waitFor(`« ${text} » typed`, isThere, text);
  }

  /** Gives a field of files, which need not be in sight, some of them. */
  async upload(selector: string, paths: string[]): Promise<void> {
    await this.waitFor(selector, (wanted) => document.querySelector(wanted) !== null, selector);
    await this.#driver.setFiles(selector, paths);
  }

  /** The files that came down whole, by their names. */
  async downloaded(): Promise<string[]> {
    const names = () => (existsSync(this.downloads) ? readdirSync(this.downloads) : []);
    const isWhole = () => names().length > 0 && !names().some((name) => /\.(part|wkdownload)$/.test(name));
    await until(isWhole, () => `nothing came down: ${names()}`);
    return names().map((name) => join(this.downloads, name));
  }

  screenshot(): Promise<Buffer> {
    return this.#driver.screenshot();
  }

  errors(): string[] {
    return this.#driver.errors();
  }

  close(): Promise<void> {
    return this.#driver.close();
  }
}

/** A program that ends with those that it started, and what it said. */
export interface Program {
  child: ChildProcess;
  said(): string;
  end(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const { pid } of running) process.kill(-(pid ?? 0), 'SIGKILL');
});

/** `log`: the file of what it says. */
export function startProgram(
  command: string,
  args: string[],
  { env, log }: { env: Record<string, string>; log: string },
): Program {
  const out = openSync(log, 'w');
  const child = spawn(command, args, {
    // A group of its own, which ends as one.
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', out, out, 'pipe'],
  });
  running.add(child);
  child.on('exit', () => running.delete(child));
  return {
    child,
    said: () => readFileSync(log, 'utf8'),
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      const late = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 5_000);
      await gone;
      clearTimeout(late);
    },
  };
}

/** Waits for what a program says. */
export function told({ child, said }: Program, words: RegExp): Promise<string> {
  return until(
    () => {
      if (child.exitCode !== null) throw new Error(`it ended: ${said()}`);
      return words.exec(said())?.[1];
    },
    () => `it did not start: ${said()}`,
  );
}
