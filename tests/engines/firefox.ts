import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Driver, type Place, startProgram, told } from './driver.ts';

/** Nothing that it would ask or fetch by itself; downloads without a question. */
const SETTINGS = {
  'intl.accept_languages': 'fr-FR,fr',
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'browser.download.folderList': 2,
  'browser.download.alwaysOpenPanel': false,
  // Few processes: each costs a second.
  'fission.autostart': false,
  'dom.ipc.processCount': 1,
  'dom.ipc.processPrelaunch.enabled': false,
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
};

interface Waiting {
  resolve(result: Record<string, unknown>): void;
  reject(error: Error): void;
}

/** Firefox as Debian has it, without a window, by WebDriver BiDi. */
export async function startFirefox({ folder, width, height }: Place): Promise<Driver> {
  const profile = join(folder, 'profile');
  mkdirSync(profile, { recursive: true });
  const settings = { ...SETTINGS, 'browser.download.dir': join(folder, 'downloads') };
  writeFileSync(
    join(profile, 'user.js'),
    Object.entries(settings)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(''),
  );
  const program = startProgram(
    'firefox-esr',
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank'],
    { env: { HOME: folder, LANG: 'fr_FR.UTF-8', TZ: 'Europe/Paris' }, log: join(folder, 'firefox.log') },
  );
  const address = await told(program, /BiDi listening on (\S+)/);
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const errors: string[] = [];
  const waiting = new Map<number, Waiting>();
  let last = 0;
  socket.onmessage = ({ data }) => {
    const { id, method, params, result, error, message } = JSON.parse(data);
    if (method === 'log.entryAdded' && params.level === 'error') errors.push(params.text);
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error) asked?.reject(new Error(`${error}: ${message}`));
    else asked?.resolve(result);
  };
  // biome-ignore lint/suspicious/noExplicitAny: what WebDriver answers
  const ask = (method: string, params: object): Promise<any> =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  await ask('session.new', {
    capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: 'accept' } } },
  });
  await ask('session.subscribe', { events: ['log.entryAdded'] });
  const { contexts } = await ask('browsingContext.getTree', {});
  const { context } = contexts[0];
  await ask('browsingContext.setViewport', { context, viewport: { width, height } });
  const call = async (functionDeclaration: string) => {
    const target = { context };
    const { result, exceptionDetails } = await ask('script.callFunction', {
      functionDeclaration,
      awaitPromise: true,
      target,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result;
  };
  return {
    goto: (url) => ask('browsingContext.navigate', { context, url, wait: 'complete' }),
    run: async (source) => (await call(source)).value,
    act: (source) => ask('input.performActions', { context, actions: [source] }),
    async setFiles(selector, files) {
      const { sharedId } = await call(`() => document.querySelector(${JSON.stringify(selector)})`);
      await ask('input.setFiles', { context, element: { sharedId }, files });
    },
    async screenshot() {
      const { data } = await ask('browsingContext.captureScreenshot', { context });
      return Buffer.from(data, 'base64');
    },
    errors: () => errors.splice(0),
    async close() {
      const gone = new Promise((resolve) => program.child.once('exit', resolve));
      // It keeps what it has before it goes.
      await ask('browser.close', {});
      await gone;
      socket.close();
    },
  };
}
