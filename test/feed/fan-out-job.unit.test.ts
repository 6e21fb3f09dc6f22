import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import type { Feed } from '../../src/domains/feed/index.js';
import { fanOutJob } from '../../src/jobs/feed.js';
import type { Queues } from '../../src/platform/queues/queues.js';

function open() {
  const runFanOuts = vi.fn(async () => ({ more: false }));
  const lease = { isHeld: vi.fn(() => false) };
  const draining = new AbortController();
  const job = fanOutJob({
    feed: { runFanOuts } as Partial<Feed> as Feed,
    queues: {} as Queues,
    cacheLease: lease,
  });
  const run = () =>
    job.run(
      { authorId: 'ann' },
      { correlationId: 'test', logger: pino({ level: 'silent' }), signal: draining.signal },
    );
  return { runFanOuts, lease, draining, run };
}

it('a fan-out begins as soon as there is a cache lease, and not before', async () => {
  const { runFanOuts, lease, run } = open();
  const running = run();
  await vi.waitFor(() => expect(lease.isHeld.mock.calls.length).toBeGreaterThan(3), 15_000);
  expect(runFanOuts).not.toHaveBeenCalled();
  lease.isHeld.mockReturnValue(true);
  await running;
  expect(runFanOuts).toHaveBeenCalledOnce();
});

it('a fan-out begins after some seconds though there is none, since readers can be woken without', async () => {
  const { runFanOuts, lease, run } = open();
  await run();
  expect(lease.isHeld.mock.calls.length).toBeGreaterThan(3);
  expect(runFanOuts).toHaveBeenCalledOnce();
});

it('a process that drains does not wait for a cache lease', async () => {
  const { runFanOuts, lease, draining, run } = open();
  draining.abort();
  await run();
  expect(lease.isHeld.mock.calls.length).toBeLessThan(3);
  expect(runFanOuts).toHaveBeenCalledOnce();
});
