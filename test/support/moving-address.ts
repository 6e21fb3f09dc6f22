import { once } from 'node:events';
import net from 'node:net';

/** The address of whoever is master now, as a proxy or a name gives it. Close it in `afterAll`. */
export interface MovingAddress {
  readonly url: string;
  /** New connections lead there from now on. */
  moveTo(port: number): void;
  close(): void;
}

/** @param port of 127.0.0.1 where connections lead at first */
export async function startMovingAddress(port: number): Promise<MovingAddress> {
  let target = port;
  const listener = net.createServer((client) => {
    const upstream = net.connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.pipe(other);
      one.on('error', () => undefined).on('close', () => other.destroy());
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: `redis://127.0.0.1:${(listener.address() as net.AddressInfo).port}`,
    moveTo(other) {
      target = other;
    },
    close: () => void listener.close(),
  };
}
