import { afterAll, beforeAll, expect, test } from 'vitest';
import { form } from '#tests/support/forms.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

let site: TestSite;
let token: string;
beforeAll(async () => {
  site = await openSite({ env: { PUBLIC_URL: 'https://cse.example.org' } });
  token = await site.tokenOf('admin');
});
afterAll(() => site?.close());

const EVENT = {
  title: 'Fête de l’été',
  date: '2026-06-27T18:30',
  location: 'Lyon',
  summary: 'Un repas au bord de l’eau.',
  article: 'x',
};

async function publish(values: Record<string, string> = {}): Promise<number> {
  const { status, json } = await site.call('POST /events', { token, body: form({ ...EVENT, ...values }) });
  expect(status).toBe(201);
  return json.id;
}

const calendarOf = (id: number | string) => site.call(`GET /events/${id}/agenda`);

/** The properties of the event by name, unfolded. */
function read(text: string): Record<string, string> {
  const [, event = ''] = /BEGIN:VEVENT\r\n(.*)END:VEVENT\r\n/s.exec(text) ?? [];
  const lines = event.replaceAll('\r\n ', '').trimEnd().split('\r\n');
  return Object.fromEntries(lines.map((line) => [line.split(/[:;]/)[0], line.slice(line.indexOf(':') + 1)]));
}

test('an event goes to a calendar at the time of its poster, without an invented end, with its place and its page', async () => {
  const id = await publish();
  const { status, headers, text } = await calendarOf(id);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="F?te de l??t?.ics"; filename*=UTF-8''F%C3%AAte%20de%20l%E2%80%99%C3%A9t%C3%A9.ics`,
  );
  expect(text).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\nPRODID:/);
  expect(text).toMatch(/\r\nEND:VCALENDAR\r\n$/);
  const page = `https://cse.example.org/event-detail/${id}`;
  expect(read(text)).toEqual({
    UID: `event-${id}@cse.example.org`,
    SEQUENCE: '0',
    DTSTAMP: '20260620T090000Z',
    DTSTART: '20260627T163000Z',
    SUMMARY: 'Fête de l’été',
    LOCATION: 'Lyon',
    DESCRIPTION: `Un repas au bord de l’eau.\\n\\n${page}`,
    URL: page,
  });
});

test('an event that changed is the same one, later', async () => {
  const id = await publish({ fin: '2026-06-29T01:00' });
  const before = read((await calendarOf(id)).text);
  await site.call(`PUT /events/${id}`, { token, body: form({ date: '2026-06-28T23:30' }) });
  const after = read((await calendarOf(id)).text);
  expect(after.UID).toBe(before.UID);
  expect([before.SEQUENCE, after.SEQUENCE]).toEqual(['0', '1']);
  expect([after.DTSTART, after.DTEND]).toEqual(['20260628T213000Z', '20260628T230000Z']);
});

test('what people wrote stays text, in lines of 75 bytes at most', async () => {
  const title = `../a\\b;c,d "e" : END:VEVENT ${'🏕️é'.repeat(50)}`;
  const id = await publish({
    title,
    location: 'Salle 1; à gauche, en bas',
    summary: 'Un\r\nBEGIN:VEVENT\nDeux',
  });
  const { headers, text } = await calendarOf(id);
  expect(text.match(/^BEGIN:VEVENT/gm)).toHaveLength(1);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  const { SUMMARY, LOCATION, DESCRIPTION } = read(text);
  expect(SUMMARY).toBe(title.replace(/[\\;,]/g, '\\$&'));
  expect(LOCATION).toBe('Salle 1\\; à gauche\\, en bas');
  expect(DESCRIPTION).toMatch(/^Un\\nBEGIN:VEVENT\\nDeux\\n\\nhttps:/);
  expect(headers.get('content-disposition')).toContain('filename="..-a-b;c,d \\"e\\" : END:VEVENT');
});

test('an event whose date was lost is for no calendar', async () => {
  const id = await publish();
  await site.services.database.write((db) =>
    db.updateTable('events').set({ date: '' }).where('id', '=', id).execute(),
  );
  expect((await calendarOf(id)).status).toBe(404);
});

test('what is not published, not yet, no longer or in the bin is for no calendar', async () => {
  const binned = await publish();
  await site.call(`DELETE /events/${binned}`, { token });
  const soon = await publish({ publie_du: '2026-06-21T08:00' });
  const gone = await publish({ publie_au: '2026-06-19T08:00' });
  for (const id of [binned, soon, gone, 999_999, '0', 'x', '1.5']) {
    const { status, json } = await calendarOf(id);
    expect(status, String(id)).toBe(404);
    expect(json.message, String(id)).toBeTypeOf('string');
  }
});
