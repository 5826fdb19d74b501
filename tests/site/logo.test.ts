import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { form, picture } from '#tests/support/forms.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

/* The logo of the organisation, in place of the drawn mark. */

let site: TestSite;
beforeAll(async () => {
  site = await openSite({ pages: true });
});
afterAll(() => site?.close());

const send = async (what: string, body?: FormData) =>
  site.call(what, { token: await site.tokenOf('admin'), body });
const shown = async () => {
  const answer = await fetch(`${site.origin}/api/api/logo.webp`);
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
};
const mark = async () => {
  const { text } = await site.ask('GET /');
  return /<img[^>]*? src="([^"]*(?:icon\.svg|logo\.webp)[^"]*)"/.exec(text)?.[1];
};

/** A clear PNG, twice as wide as high, with the place where its camera stood. */
const wide = async (): Promise<[Uint8Array, string, string]> => {
  const drawn = sharp({ create: { width: 900, height: 450, channels: 4, background: '#0e4d4580' } });
  const bytes = await drawn
    .withExif({ IFD3: { GPSLatitude: '48/1 51/1 0/1' } })
    .png()
    .toBuffer();
  return [bytes, 'logo.png', 'image/png'];
};

test('a picture is decoded, made small in its proportions, and shown in place of the drawing until it is taken away', async () => {
  expect(await mark()).toBe('/icon.svg');
  expect((await shown()).answer.status).toBe(404);

  const { status, json, text } = await send('PUT /reglages/logo', form({ logo: await wide() }));
  expect(status, text).toBe(200);
  expect(json).toEqual({ message: 'Logo enregistré', logo: expect.stringMatching(/^[\da-f]{16} 160 80$/) });
  const { answer, bytes } = await shown();
  expect(answer.headers.get('content-type')).toBe('image/webp');
  const made = await sharp(bytes).metadata();
  expect([made.format, made.width, made.height, made.hasAlpha, made.exif]).toEqual([
    'webp',
    160,
    80,
    true,
    undefined,
  ]);
  const etag = answer.headers.get('etag') ?? '';
  const again = await fetch(`${site.origin}/api/api/logo.webp`, { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
  expect(await mark()).toBe(`/api/api/logo.webp?v=${json.logo.slice(0, 16)}`);
  expect((await send('GET /reglages?mot_de_passe=non')).json.logo).toBe(json.logo);

  // Another one has another address, so that no browser shows the one before.
  const next = await send('PUT /reglages/logo', form({ logo: await picture() }));
  expect(next.json.logo).not.toBe(json.logo);
  expect((await send('DELETE /reglages/logo')).json.message).toBe('Le dessin du site est de retour');
  expect(await mark()).toBe('/icon.svg');
  expect((await shown()).answer.status).toBe(404);
});

test('what is no picture is refused, and the logo stays', async () => {
  await send('PUT /reglages/logo', form({ logo: await wide() }));
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  for (const logo of [svg, Buffer.from('GIF89a'), (await wide())[0].subarray(0, 900)]) {
    const answer = await send('PUT /reglages/logo', form({ logo: [logo, 'logo.png', 'image/png'] }));
    expect(
      [answer.status >= 400 && answer.status < 500, Object.keys(answer.json.champs)],
      answer.text,
    ).toEqual([true, ['logo']]);
  }
  expect((await send('PUT /reglages/logo', form({}))).status).toBe(422);
  expect((await shown()).answer.status).toBe(200);
});
