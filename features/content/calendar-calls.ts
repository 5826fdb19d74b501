import { z } from 'zod';
import { call, idParams } from '#platform/shared/call.ts';

/** What people take away to their own calendars. */
export const calendarCalls = {
  'GET /events/:id/agenda': call({
    summary: 'Un événement, pour un agenda',
    access: 'anyone',
    params: idParams,
    status: 200,
    media: 'text/calendar; charset=utf-8',
    reply: z.string(),
  }),
};
