import { expect, it, type TestContext, vi } from 'vitest';
import { createTestDatabase } from '../support/database.js';
import { startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis } from '../support/redis.js';
import { skewedClock } from '../support/skewed-clock.js';

const HOUR = 3_600_000;
/** Those that recur within seconds. */
const OFTEN = [
  'notifications.release',
  'notifications.digests',
  'notifications.recurring',
  'notifications.sweep',
  'notifications.alerts',
  'notifications.count-steps',
  'notifications.reconcile-counts',
  'sweep-outbox feed.fan-out',
  'settle-celebrities',
  'sweep-media',
  'sweep-outbox feed.notice',
  'sweep-outbox commerce.transfer',
  'sweep-outbox commerce.message',
];

/** A worker of the test's own whose clock can be set, and one whose clock is right. */
async function openWorkers({ onTestFinished }: TestContext) {
  const [database, redis, clock] = await Promise.all([createTestDatabase(), startTestRedis(), skewedClock()]);
  onTestFinished(async () => {
    await Promise.all([database.drop(), redis.stop(), clock.remove()]);
  });
  const on = { databaseUrl: database.url, redisUrl: redis.url };
  const [skewed, right] = await Promise.all([startWorker({ ...on, env: clock.env }), startWorker(on)]);
  onTestFinished(async () => {
    await Promise.all([skewed.kill('SIGKILL'), right.kill('SIGKILL')]);
  });
  return { skewed, right, clock };
}

const metricsOf = async (process: TestProcess): Promise<string> =>
  (await fetch(`${process.url}/metrics`)).text();

/** Runs of each task so far, of all these processes. */
async function runsOf(processes: readonly TestProcess[]): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>();
  for (const text of await Promise.all(processes.map(metricsOf))) {
    for (const [, task, count] of text.matchAll(/^schedule_runs_total\{.*?task="([^"]+)".*\} (\d+)$/gm)) {
      sums.set(task!, (sums.get(task!) ?? 0) + Number(count));
    }
  }
  return sums;
}

async function allGoOn(processes: readonly TestProcess[]): Promise<void> {
  const before = await runsOf(processes);
  await vi.waitFor(
    async () => {
      const now = await runsOf(processes);
      const standing = OFTEN.filter((task) => (now.get(task) ?? 0) <= (before.get(task) ?? 0));
      expect(standing).toEqual([]);
    },
    { timeout: 45_000, interval: 250 },
  );
}

it.concurrent.for([
  ['ahead', HOUR],
  ['behind', -HOUR],
] as const)(
  'every schedule goes on while a worker’s clock is an hour %s, and after it is right again',
  { timeout: 180_000 },
  async ([, by], context) => {
    const { skewed, right, clock } = await openWorkers(context);
    const both = [skewed, right];
    await allGoOn(both);
    await clock.set(by);
    await allGoOn(both);
    await vi.waitFor(
      async () => {
        const [, seconds] = /^clock_skew_seconds\{.*against="postgres".*\} (\S+)$/m.exec(
          await metricsOf(skewed),
        )!;
        expect(Math.abs(Number(seconds) - by / 1_000)).toBeLessThan(30);
      },
      { timeout: 30_000, interval: 250 },
    );
    expect(skewed.output()).toContain('clock is wrong');
    await clock.set(0);
    await allGoOn(both);
  },
);
