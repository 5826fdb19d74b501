import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { freePort } from '#tests/support/ports.ts';
import { type Driver, type Place, startProgram, told, until } from './driver.ts';

/** WebKit as Debian has it (WebKitGTK), in a window of webkit.py on a screen of its own, by WebDriver. */
export async function startWebkit({ folder, width, height, off = [], before = '' }: Place): Promise<Driver> {
  for (const name of ['profile', 'downloads', 'screen']) mkdirSync(join(folder, name), { recursive: true });
  const screen = startProgram(
    'Xvfb',
    [
      '-displayfd',
      '2',
      '-screen',
      '0',
      `${width}x${height}x24`,
      '-nolisten',
      'tcp',
      '-fbdir',
      join(folder, 'screen'),
    ],
    { env: {}, log: join(folder, 'screen.log') },
  );
  const display = await told(screen, /^(\d+)$/m);
  const port = await freePort();
  const driver = startProgram('WebKitWebDriver', [`--port=${port}`], {
    env: {
      DISPLAY: `:${display}`,
      GDK_BACKEND: 'x11',
      HOME: folder,
      LANG: 'fr_FR.UTF-8',
      TZ: 'Europe/Paris',
      NO_AT_BRIDGE: '1',
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      LIBGL_ALWAYS_SOFTWARE: '1',
      // Its own walls need rights that a container does not give.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
    log: join(folder, 'webkit.log'),
  });
  let root = `http://127.0.0.1:${port}`;
  // biome-ignore lint/suspicious/noExplicitAny: what WebDriver answers
  const ask = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await fetch(root + path, { method, body: body ? JSON.stringify(body) : null });
    const { value } = (await answer.json()) as { value: { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`${path}: ${value.error} ${value.message}`);
    return value;
  };
  await until(() => ask('GET', '/status').then(Boolean, () => false), driver.said);
  const asked = {
    folder: join(folder, 'profile'),
    downloads: join(folder, 'downloads'),
    width,
    height,
    off,
    before,
  };
  const { sessionId } = await ask('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        unhandledPromptBehavior: 'accept',
        'webkitgtk:browserOptions': {
          binary: '/usr/bin/python3',
          args: [join(import.meta.dirname, 'webkit.py'), JSON.stringify(asked)],
        },
      },
    },
  });
  root += `/session/${sessionId}`;
  await ask('POST', '/timeouts', { script: 60_000, pageLoad: 120_000 });
  await ask('POST', '/window/rect', { x: 0, y: 0, width, height });
  const run = (source: string) =>
    ask('POST', '/execute/async', { script: `(${source})().then(arguments[0])`, args: [] });
  const isSized = async () =>
    (await run('async () => [innerWidth, innerHeight].join()')) === `${width},${height}`;
  await until(isSized, () => `no window of ${width} × ${height}`);
  return {
    async goto(url) {
      // What a page asks before it goes would keep this driver waiting for ever.
      await run(
        'async () => addEventListener("beforeunload", (event) => event.stopImmediatePropagation(), true)',
      );
      await ask('POST', '/url', { url });
    },
    run,
    act: (source) => ask('POST', '/actions', { actions: [source] }),
    async setFiles(selector, paths) {
      const element = await ask('POST', '/element', { using: 'css selector', value: selector });
      await ask('POST', `/element/${Object.values(element)[0]}/value`, { text: paths.join('\n') });
    },
    // Its own picture never comes: the screen is read, on which nothing else is.
    screenshot: () => pictureOf(readFileSync(join(folder, 'screen', 'Xvfb_screen0'))),
    errors: () => driver.said().match(/^CONSOLE (?:JS|SECURITY) ERROR.*$/gm) ?? [],
    async close() {
      await ask('DELETE', '');
      await driver.end();
      await screen.end();
    },
  };
}

/** The picture of a screen as Xvfb keeps it in a file, which is an X window dump. */
function pictureOf(dump: Buffer): Promise<Buffer> {
  const field = (index: number) => dump.readUInt32BE(4 * index);
  const [headerSize, width, height, bytesPerLine, colours] = [
    field(0),
    field(4),
    field(5),
    field(12),
    field(19),
  ];
  const start = headerSize + 12 * colours;
  const rows = Array.from({ length: height }, (_, row) =>
    dump.subarray(start + row * bytesPerLine, start + row * bytesPerLine + 4 * width),
  );
  const pixels = Buffer.concat(rows);
  for (let at = 0; at < pixels.length; at += 4) {
    // Blue comes first there, and the fourth byte says nothing.
    const blue = pixels[at] ?? 0;
    pixels[at] = pixels[at + 2] ?? 0;
    pixels[at + 2] = blue;
    pixels[at + 3] = 255;
  }
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}
