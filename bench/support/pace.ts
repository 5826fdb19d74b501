import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Asked, Line } from './line.ts';

/*
 * Requests at a constant pace, whatever the answers do: how long each took counts from the instant at which it was
 * planned, so that a server which stops for a second is told of all those who stood waiting, not of one.
 */

export interface Answered extends Answer {
  /** Since the start, in s, at which it was planned. */
  at: number;
  /** From then to the last byte, in ms. */
  ms: number;
}

interface Pace {
  perSecond: number;
  seconds: number;
  /** Answers that have not come this long after the end of the pace, in ms, never will. */
  patience?: number;
}

/** Through connections that are kept open; each takes its turn. */
export async function paced(
  lines: readonly Line[],
  { perSecond, seconds, patience = 30_000 }: Pace,
  next: (index: number) => Asked,
): Promise<Answered[]> {
  const free = [...lines];
  const answers: Answered[] = [];
  const count = Math.round(perSecond * seconds);
  const start = performance.now();
  const elapsed = () => performance.now() - start;
  const dueAt = (index: number) => (index * 1000) / perSecond;
  let sent = 0;
  let isOver = false;

  function note(index: number, answer: Answer): void {
    answers.push({ at: dueAt(index) / 1000, ms: elapsed() - dueAt(index), ...answer });
  }
  function sendDue(): void {
    while (!isOver && sent < count && dueAt(sent) <= elapsed()) {
      const line = free.shift();
      if (!line) return;
      const index = sent++;
      void line.ask(next(index)).then((answer) => {
        note(index, answer);
        free.push(line);
        sendDue();
      });
    }
  }
  while (answers.length < count && elapsed() < seconds * 1000 + patience) {
    sendDue();
    await pause(1);
  }
  isOver = true;
  // Those that still wait.
  for (const line of lines) if (!free.includes(line)) line.close();
  await pause(0);
  while (sent < count) note(sent++, { status: 0, hasRetryAfter: false });
  return answers;
}
