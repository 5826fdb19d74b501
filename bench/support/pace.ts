import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/*
 * Requests at a constant pace, whatever the answers do: how long each took counts from the instant at which it was
 * planned, so that a server which stops for a second is told of all those who stood waiting, not of one.
 */

export interface Asked {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Answered {
  /** Since the start, in s, at which it was planned. */
  at: number;
  /** From then to the last byte, in ms. */
  ms: number;
  /** 0: none came. */
  status: number;
  hasRetryAfter: boolean;
}

interface Pace {
  perSecond: number;
  seconds: number;
  /** Connections that are kept open. */
  connections: number;
  /** Answers that have not come this long after the end of the pace, in ms, never will. */
  patience?: number;
}

export async function paced(
  base: string,
  { perSecond, seconds, connections, patience = 30_000 }: Pace,
  next: (index: number) => Asked,
): Promise<Answered[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  const answers: Answered[] = [];
  const count = Math.round(perSecond * seconds);
  const start = performance.now();
  const stopped = new AbortController();
  const pending = new Set<Promise<void>>();
  for (let index = 0; index < count; ) {
    const due = Math.min(count, Math.floor(((performance.now() - start) / 1000) * perSecond) + 1);
    for (; index < due; index++) {
      const planned = start + (index * 1000) / perSecond;
      const answer = ask(base, agent, next(index), stopped.signal).then(({ status, hasRetryAfter }) => {
        answers.push({
          at: (planned - start) / 1000,
          ms: performance.now() - planned,
          status,
          hasRetryAfter,
        });
        pending.delete(answer);
      });
      pending.add(answer);
    }
    await pause(1);
  }
  await Promise.race([Promise.all(pending), pause(patience, undefined, { ref: false })]);
  stopped.abort();
  await Promise.all(pending);
  agent.destroy();
  return answers;
}

function ask(
  base: string,
  agent: Agent,
  { method = 'GET', path, headers, body }: Asked,
  signal: AbortSignal,
): Promise<Pick<Answered, 'status' | 'hasRetryAfter'>> {
  return new Promise((resolve) => {
    const none = () => resolve({ status: 0, hasRetryAfter: false });
    const asked = request(new URL(path, base), { agent, method, ...(headers ? { headers } : {}), signal });
    asked.on('response', (response) => {
      const { statusCode = 0, headers } = response;
      response.on('error', none).on('close', none).resume();
      response.on('end', () => resolve({ status: statusCode, hasRetryAfter: 'retry-after' in headers }));
    });
    asked.on('error', none).end(body);
  });
}
