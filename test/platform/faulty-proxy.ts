import { once } from 'node:events';
import net from 'node:net';

/** A TCP proxy in front of a server, that fails the way networks do. */
export interface FaultyProxy {
  /** The server's URL, by way of the proxy. */
  readonly url: string;
  /** Open connections stay open and carry nothing any more; new ones work. */
  silence(): void;
  /** Open connections break; new ones work. */
  cut(): void;
  /** What the server says is held back until `resume`. */
  hold(): void;
  resume(): void;
  /** Open connections break as soon as the server answers, and new ones are refused until `accept`. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  close(): Promise<void>;
}

interface Link {
  readonly client: net.Socket;
  readonly server: net.Socket;
  silent: boolean;
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const links = new Set<Link>();
  let refusing = false;
  const listener = net.createServer((client) => {
    const link = { client, server: net.connect(Number(port), hostname), silent: false };
    links.add(link);
    client.on('data', (data) => link.silent || link.server.write(data));
    link.server.on('data', (data) => {
      if (refusing) client.destroy();
      else if (!link.silent) client.write(data);
    });
    for (const [one, other] of [
      [client, link.server],
      [link.server, client],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => {
        links.delete(link);
        other.destroy();
      });
    }
  });
  async function listen(on: number): Promise<number> {
    listener.listen(on, '127.0.0.1');
    await once(listener, 'listening');
    return (listener.address() as net.AddressInfo).port;
  }
  const own = await listen(0);
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(own);
  const cut = (): void => {
    for (const { client } of links) client.destroy();
  };
  return {
    url: url.toString(),
    silence() {
      for (const link of links) link.silent = true;
    },
    cut,
    hold() {
      for (const { server } of links) server.pause();
    },
    resume() {
      for (const { server } of links) server.resume();
    },
    async refuse() {
      refusing = true;
      listener.close();
    },
    async accept() {
      refusing = false;
      await listen(own);
    },
    async close() {
      listener.close();
      cut();
    },
  };
}
