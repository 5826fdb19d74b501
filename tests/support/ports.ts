import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Ports of a worker of the runner, so that none is given twice before whoever asked has started to listen. */
const PORTS = 2_500;
const worker = (Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? -1) + 1) % 8;
let given = randomInt(PORTS);

/** A port that nobody listens on, below those that the system gives to outgoing connections, which could take it as well. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + worker * PORTS + (given++ % PORTS);
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer().once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
