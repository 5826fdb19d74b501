import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/* The process of a visitor: asks for an address every 10 ms, over one connection, and tells at the end how long it took. */

const [url = '', headers = '{}'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const times: number[] = [];
let isOver = false;
process.once('message', () => {
  isOver = true;
});

const ask = () =>
  new Promise<void>((resolve, reject) => {
    request(url, { agent, headers: JSON.parse(headers) }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`));
      answer.resume().once('end', resolve).once('error', reject);
    })
      .once('error', reject)
      .end();
  });

while (!isOver) {
  const start = performance.now();
  await ask();
  times.push(performance.now() - start);
  await pause(10);
}
agent.destroy();
process.send?.(times);
process.disconnect();
