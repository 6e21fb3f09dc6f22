import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { createWakePage } from '../../src/domains/notifications/campaigns/wake.js';
import type { Queues } from '../../src/platform/queues/queues.js';

const USERS = 1_000;
const page = Array.from(
  { length: USERS },
  (_, n) => ({ userId: `user-${n}`, channel: 'push', priority: 'low' }) as const,
);

/** Stores pages one after the other, while so many jobs wait in the queue; says how many users were woken. */
function openWaking() {
  let woken = 0;
  const state = { now: 0, waiting: 0 };
  const counts = vi.fn(async (_name: string) => ({ waiting: state.waiting }));
  const queues = {
    counts,
    enqueueMany: async (
      _task: unknown,
      jobs: readonly { readonly options: { readonly parts?: number } }[],
    ) => {
      woken += jobs.reduce((sum, { options: { parts = 1 } }) => sum + parts, 0);
    },
  } as unknown as Queues;
  const wakePage = createWakePage({ queues, logger: pino({ level: 'silent' }) }, () => state.now);
  return {
    state,
    counts,
    async store(pages: number): Promise<number> {
      const before = woken;
      for (let n = 0; n < pages; n += 1) {
        wakePage(page, 'campaign');
        // Enqueueing takes some turns of the event loop.
        for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
      }
      return woken - before;
    },
  };
}

describe('users of a campaign', () => {
  it('are woken at once, up to 5,000 in a second', async () => {
    const { state, store } = openWaking();
    expect(await store(8)).toBe(5_000);
    state.now += 1_000;
    expect(await store(8)).toBe(5_000);
  });

  it('are left to the sweeper while as many jobs wait, and woken again afterwards', async () => {
    const { state, counts, store } = openWaking();
    await store(1);
    state.waiting = 5_000;
    state.now += 1_000;
    expect(await store(1)).toBeLessThanOrEqual(USERS);
    expect(counts).toHaveBeenCalledWith('notifications.push.low');
    expect(await store(8)).toBe(0);
    // It is still looked: what waits may be worked off.
    state.now += 1_000;
    expect(await store(1)).toBe(0);
    state.waiting = 4_500;
    state.now += 1_000;
    await store(1);
    expect(await store(8)).toBeLessThanOrEqual(USERS);
    state.waiting = 0;
    state.now += 1_000;
    await store(1);
    expect(await store(8)).toBeGreaterThan(0);
  });
});
