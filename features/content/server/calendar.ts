import { create as contentDisposition } from 'content-disposition';
import ical from 'ical-generator';
import { notFound } from '#platform/server/errors.ts';
import type { Context } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { instantAt, readMoment } from '#platform/shared/time.ts';
import { events } from '../shared/kinds.ts';
import { findRow, isPublished, itemOf } from './store.ts';

export async function calendarOf(
  { database, clock, publicUrl, config }: Services,
  { params: { id }, header }: Context<'GET /events/:id/agenda'>,
): Promise<string> {
  const now = clock();
  const row = await findRow(database.db, events, id);
  if (!row || !isPublished(row, now)) throw notFound(events.texts.notFound);
  const { title, date, fin, location, summary, version } = itemOf(events, row);
  // Stored as the clocks of the site show it; of a time without a zone, calendars make what they like.
  const instant = (text: string) => {
    const wall = readMoment(text);
    return wall && instantAt(wall, config.TIME_ZONE);
  };
  const start = instant(date);
  if (!start) throw notFound('Cet événement n’a pas de date.');
  const page = `${publicUrl}${events.byId.seenAt}${id}`;
  const calendar = ical({ prodId: { company: 'Passerelle', product: 'Portail CSE', language: 'FR' } });
  calendar.createEvent({
    // The id stays and the sequence rises with each change, so that a calendar updates the entry it has.
    id: `event-${id}@${new URL(publicUrl).host}`,
    sequence: version - 1,
    stamp: now,
    start,
    end: instant(fin) ?? null,
    summary: title,
    location,
    description: `${summary}\n\n${page}`,
    url: page,
  });
  header('content-disposition', contentDisposition(`${title.replace(/[/\\]/g, '-')}.ics`));
  // Some readers miss a last line without its end.
  return `${calendar.toString()}\r\n`;
}
