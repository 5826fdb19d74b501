import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A service that is not the site's: draws a counter, takes page views, and remembers all that it was asked. */
export interface OutsideService {
  url: string;
  host: string;
  received: Received[];
  stop(): Promise<void>;
}

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"><rect width="80" height="20"/></svg>';

export async function startOutside(): Promise<OutsideService> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://outside');
    const { method = '', headers } = request;
    received.push({ method, path: pathname, query: Object.fromEntries(searchParams), headers, body });
    if (method === 'GET') response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(PICTURE);
    else response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    received,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
