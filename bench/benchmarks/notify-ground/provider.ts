import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Child, startChild } from '../../harness/child.ts';
import type { Arrivals, ProviderAccount, ProviderMethods } from './provider-process.ts';

/** Where pushes arrive: a process of its own. */
export interface Provider {
  readonly pid: number | undefined;
  readonly account: ProviderAccount;
  /** What points a worker at it. */
  readonly environment: NodeJS.ProcessEnv;
  /**
   * Waits until so many messages have arrived.
   *
   * @param stallMs how long nothing may arrive
   * @throws when nothing more arrives
   */
  untilArrived(count: number, stallMs?: number): Promise<void>;
  /** How many messages arrived so far. */
  count(): Promise<number>;
  arrivals(): Promise<Arrivals>;
  forget(): Promise<void>;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 20;

export async function startProvider(): Promise<Provider> {
  const child: Child<ProviderMethods> = startChild(new URL('./provider-process.ts', import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), 'bench-authority-'));
  const stop = async (): Promise<void> => {
    await child.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const account = await child.call('listen');
    const authority = join(folder, 'ca.pem');
    await writeFile(authority, account.ca);
    return {
      pid: child.pid,
      account,
      environment: {
        NODE_EXTRA_CA_CERTS: authority,
        APNS_URL: account.url,
        APNS_TEAM_ID: account.teamId,
        APNS_KEY_ID: account.keyId,
        APNS_PRIVATE_KEY: account.privateKey,
        APNS_TOPIC: account.topic,
      },
      async untilArrived(count, stallMs = 30_000) {
        let seen = -1;
        let deadline = 0;
        for (;;) {
          const arrived = await child.call('count');
          if (arrived >= count) return;
          if (arrived > seen) deadline = performance.now() + stallMs;
          else if (performance.now() > deadline)
            throw new Error(`${arrived} of ${count} messages arrived, then none for ${stallMs} ms`);
          seen = arrived;
          await pause(LOOK_EVERY_MS);
        }
      },
      count: () => child.call('count'),
      arrivals: () => child.call('arrivals'),
      forget: () => child.call('forget'),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
