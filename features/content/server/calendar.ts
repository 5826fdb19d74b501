import { create as contentDisposition } from 'content-disposition';
import ical from 'ical-generator';
import { events } from '#features/content/shared/kinds.ts';
import { notFound } from '#platform/server/http/errors.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import { publishedAt } from './store.ts';

/** Nothing says how long an event lasts. */

type CalendarKeys = Extract<CallKey, `${string}/agenda`>;

export function calendarHandlers(services: Services): Pick<Handlers, CalendarKeys> {
  const { database, clock } = services;
  return {
    'GET /events/:id/agenda': async ({ params: { id }, header }) => {
      const now = clock();
      const event = await database.db
        .selectFrom('events')
        .select(['title', 'date', 'location', 'summary', 'version'])
        .where('id', '=', id)
        .where(publishedAt(now))
        .executeTakeFirst();
      if (!event) throw notFound(events.texts.notFound);
      const { title, date, location, summary, version } = event;
      const start = Date.parse(date);
      if (Number.isNaN(start)) throw notFound('Cet événement n’a pas de date.');
      const page = `${services.publicUrl}${events.byId.seenAt}${id}`;
      const calendar = ical({ prodId: { company: 'Passerelle', product: 'Portail CSE', language: 'FR' } });
      calendar.createEvent({
        // The same at every change, with a higher sequence: a calendar then changes what it has.
        id: `event-${id}@${new URL(services.publicUrl).host}`,
        sequence: version - 1,
        stamp: now,
        start: date,
        end: new Date(start + HOUR_MS).toISOString(),
        // What clocks show at the place, wherever the calendar is.
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
