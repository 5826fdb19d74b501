import { connect, createServer, type Socket } from 'node:net';

/** `losing`: what is asked passes, and the line is cut when the answer comes. */
export type RelayState = 'open' | 'hanging' | 'losing' | 'closed';

export interface Relay {
  /** `127.0.0.1:port` */
  host: string;
  turn(next: RelayState): void;
  close(): Promise<unknown>;
}

/** A line to a server that can be cut, or accept and never answer. */
export async function openRelay(to: string): Promise<Relay> {
  const { hostname, port } = new URL(to);
  let state: RelayState = 'open';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    if (state === 'closed') return socket.destroy();
    if (state === 'hanging') return socket.resume();
    const store = connect({ host: hostname, port: Number(port) });
    store.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => store.destroy());
    if (state === 'losing') {
      store.once('data', () => socket.destroy());
      return socket.pipe(store);
    }
    return socket.pipe(store).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = server.address() as { port: number };
  return {
    host: `127.0.0.1:${own.port}`,
    turn(next) {
      state = next;
      // Those that are kept for later would still lead there.
      for (const socket of sockets) socket.destroy();
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
