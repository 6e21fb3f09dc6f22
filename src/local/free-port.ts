import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range from which systems take the ports of outgoing connections, and clear of well-known ones. */
const lowest = 20_000;
const beyond = 32_000;

/** A port of 127.0.0.1 on which nobody listens now. Random, so that two runs at once rarely meet. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, beyond);
    if (await isFree(port)) return port;
  }
}

/** Whether a server could listen on this port of `host` now. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
