import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range from which systems take the ports of outgoing connections, and clear of well-known ones. */
const LOWEST = 20_000;
const BLOCKS = 240;
const PORTS_OF_A_BLOCK = 50;

let next = 0;
let beyond = 0;

/**
 * A port of 127.0.0.1 on which nobody listens now, and which no other caller is given, in this process or in another, for as
 * long as this process runs: a server that is started again finds its port free.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    if (next === beyond) {
      const first = await claimBlock();
      next = first + 1;
      beyond = first + PORTS_OF_A_BLOCK;
    }
    const port = next;
    next += 1;
    if (await isFree(port)) return port;
  }
}

/**
 * Starts a server on a port; without one on a free port, or where somebody else has taken that in between on another, in three
 * tries.
 */
export async function startOnPort<T>(
  port: number | undefined,
  start: (port: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(port || (await freePort()));
    } catch (error) {
      if (port || attempt === 3) throw error;
    }
  }
}

/** Who listens on a block's first port has the others. @returns that first port; it is held until the process ends */
async function claimBlock(): Promise<number> {
  for (;;) {
    const first = LOWEST + PORTS_OF_A_BLOCK * randomInt(BLOCKS);
    const claim = createServer((socket) => socket.destroy());
    try {
      await once(claim.listen({ port: first, host: '127.0.0.1', exclusive: true }), 'listening');
      claim.unref();
      return first;
    } catch {
      // Another process has it.
    }
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
