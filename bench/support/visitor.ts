import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Who asks for one address again and again, until told to stop. */
export interface Visitor {
  /** How long each answer took, in ms. */
  stop(): Promise<number[]>;
}

/** A visitor in a process of its own, who does not wait for what the bench itself does. */
export function startVisitor(url: string, headers: Record<string, string> = {}): Visitor {
  const child = fork(new URL('./visit.ts', import.meta.url), [url, JSON.stringify(headers)]);
  process.once('exit', () => child.kill());
  return {
    async stop() {
      const failed = once(child, 'exit').then(() => {
        throw new Error('The visitor was not answered');
      });
      const told = once(child, 'message');
      child.send('stop');
      const [times] = (await Promise.race([told, failed])) as [number[]];
      return times;
    },
  };
}
