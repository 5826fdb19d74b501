import { COOKIES } from '#platform/server/sessionsStore.ts';
import { API_PREFIX } from '#platform/shared/call.ts';

/**
 * A line of the events of a stay's photos, as a browser keeps it open by its cookie; `next` answers at the next event, and
 * `undefined` once it has ended.
 */
export async function listenTo(origin: string, token: string, stageId: number, address = '192.0.2.1') {
  // A cookie counts only under the name of its own role.
  const cookie = Object.values(COOKIES).map((name) => `${name}=${token}`);
  const response = await fetch(`${origin}${API_PREFIX}/stages/${stageId}/flux`, {
    headers: { cookie: cookie.join('; '), 'x-forwarded-for': address },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    async next(): Promise<string | undefined> {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const event = text.slice(0, end);
          text = text.slice(end + 2);
          if (event !== ':') return event;
        } else {
          const read = await reader?.read();
          if (!read || read.done) return undefined;
          text += read.value;
        }
      }
    },
  };
}
