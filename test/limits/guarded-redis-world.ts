import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { vi } from 'vitest';
import { type GuardedRedis, openGuardedRedis } from '../../src/domains/limits/counters/guarded-redis.js';
import { StoreUnreachable } from '../../src/domains/limits/counters/store.js';
import type { Script } from '../../src/platform/redis/redis.js';

export const script = (source: string): Script => ({
  source,
  sha: createHash('sha1').update(source).digest('hex'),
});

/** Counts one at KEYS[1]; answers the new count. */
export const countOne = script("return redis.call('INCR', KEYS[1])");

export type Outcome = 'counted' | StoreUnreachable['errorType'] | 'surprise';

/** A guarded connection, what it reported, and the outcomes of its runs. */
export interface Guarded {
  readonly redis: GuardedRedis;
  /** What `onState` was called with. */
  readonly states: ('open' | 'closed')[];
  readonly errors: Error[];
  run(key?: string): Promise<Outcome>;
}

/** Four times what the product allows: a busy machine must not look like an outage. */
export const TIMEOUT_MS = 200;

/** Opens a connection and waits until it counts. */
export async function openGuarded(
  urls: readonly string[],
  options: { timeoutMs?: number } = {},
): Promise<Guarded> {
  const guarded = guard(urls, options);
  await untilCounted(guarded);
  guarded.states.length = 0;
  return guarded;
}

/** Opens a connection and does not wait. */
export function guard(urls: readonly string[], options: { timeoutMs?: number } = {}): Guarded {
  const states: ('open' | 'closed')[] = [];
  const errors: Error[] = [];
  const redis = openGuardedRedis({
    urls,
    timeoutMs: TIMEOUT_MS,
    onError: (error) => errors.push(error),
    onState: (state) => states.push(state),
    ...options,
  });
  return {
    redis,
    states,
    errors,
    run: (key = '{counter}') =>
      redis.run(countOne, [key], []).then(
        () => 'counted' as const,
        (error: unknown) => (error instanceof StoreUnreachable ? error.errorType : 'surprise'),
      ),
  };
}

export async function untilCounted(guarded: Guarded, key?: string): Promise<void> {
  await vi.waitFor(async () => {
    const outcome = await guarded.run(key);
    if (outcome !== 'counted') throw new Error(`not counted: ${outcome}`);
  }, 10_000);
}

export interface Run {
  readonly startedWhile: 'closed' | 'open';
  outcome?: Outcome;
  tookMs?: number;
}

/** A run every other millisecond until `stop`, which waits for the last one. */
export function startLoad(guarded: Guarded): { runs: readonly Run[]; stop(): Promise<void> } {
  const runs: Run[] = [];
  const all: Promise<void>[] = [];
  const timer = setInterval(() => {
    const run: Run = { startedWhile: guarded.states.at(-1) === 'open' ? 'open' : 'closed' };
    const started = performance.now();
    runs.push(run);
    all.push(
      guarded.run().then((outcome) => {
        run.outcome = outcome;
        run.tookMs = performance.now() - started;
      }),
    );
  }, 2);
  return {
    runs,
    async stop() {
      clearInterval(timer);
      await Promise.all(all);
    },
  };
}

/** How often a server has run a command, by its own count. */
export async function timesRun(url: string, command: string): Promise<number> {
  const client = new Redis(url);
  const stats = await client.info('commandstats');
  client.disconnect();
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
}
