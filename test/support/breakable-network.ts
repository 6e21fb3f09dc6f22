import { once } from 'node:events';
import net from 'node:net';

/** The way from a client to a server, which a test can block and break. Close it in `afterAll`. */
export interface BreakableNetwork {
  /** Leads to the server, without a trailing slash. */
  readonly url: string;
  /** Whatever the server sends stays on its way until `release`. */
  hold(): void;
  release(): void;
  /** Breaks every connection that is open. */
  cut(): void;
  /** Breaks every connection, and every new one, until `up`. */
  down(): void;
  up(): void;
  close(): void;
}

/** @param target the URL of the server */
export async function startBreakableNetwork(target: string): Promise<BreakableNetwork> {
  const { hostname, port } = new URL(target);
  const open = new Set<{ readonly client: net.Socket; readonly server: net.Socket }>();
  let isHeld = false;
  let isDown = false;
  const listener = net.createServer((client) => {
    if (isDown) return client.destroy();
    const server = net.connect(Number(port), hostname);
    const pair = { client, server };
    open.add(pair);
    client.on('data', (bytes) => server.write(bytes));
    server.on('data', (bytes) => client.write(bytes));
    if (isHeld) server.pause();
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one
        .on('error', () => undefined)
        .on('close', () => {
          other.destroy();
          open.delete(pair);
        });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  const cut = () => {
    for (const { client, server } of open) {
      client.resetAndDestroy();
      server.destroy();
    }
  };
  return {
    url: `http://127.0.0.1:${(listener.address() as net.AddressInfo).port}`,
    hold() {
      isHeld = true;
      for (const { server } of open) server.pause();
    },
    release() {
      isHeld = false;
      for (const { server } of open) server.resume();
    },
    cut,
    down() {
      isDown = true;
      cut();
    },
    up() {
      isDown = false;
    },
    close() {
      isDown = true;
      cut();
      listener.close();
    },
  };
}
