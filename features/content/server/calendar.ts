import { create as contentDisposition } from 'content-disposition';
import ical from 'ical-generator';
import type { calendarCalls } from '#features/content/calls.ts';
import { events } from '#features/content/shared/kinds.ts';
import { notFound } from '#platform/server/http/errors.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { findRow, isPublished, itemOf } from './store.ts';

export function calendarHandlers(
  services: Pick<Services, 'database' | 'clock' | 'publicUrl'>,
): HandlersOf<typeof calendarCalls> {
  const { database, clock } = services;
  return {
    'GET /events/:id/agenda': async ({ params: { id }, header }) => {
      const now = clock();
      const row = await findRow(database.db, events, id);
      if (!row || !isPublished(row, now)) throw notFound(events.texts.notFound);
      const { title, date, location, summary, version } = itemOf(events, row);
      const start = Date.parse(date);
      if (Number.isNaN(start)) throw notFound('Cet événement n’a pas de date.');
      const page = `${services.publicUrl}${events.byId.seenAt}${id}`;
      const calendar = ical({ prodId: { company: 'Passerelle', product: 'Portail CSE', language: 'FR' } });
      calendar.createEvent({
        // The id stays and the sequence rises with each change, so that a calendar updates the entry it has.
        id: `event-${id}@${new URL(services.publicUrl).host}`,
        sequence: version - 1,
        stamp: now,
        start: date,
        // No field says how long an event lasts: one hour is assumed.
        end: new Date(start + HOUR_MS).toISOString(),
        // Local time at the event's place, whatever the calendar's time zone.
        floating: true,
        summary: title,
        location,
        description: `${summary}\n\n${page}`,
        url: page,
      });
      header('content-disposition', contentDisposition(`${title.replace(/[/\\]/g, '-')}.ics`));
      return calendar.toString();
    },
  };
}
