import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createWaves } from '../../src/platform/wake-ups/wake-up-waves.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('requests of one second share one notification, which comes after the last of them', async () => {
  const notifyAll = vi.fn();
  const waves = createWaves(notifyAll);
  for (let n = 0; n < 9; n += 1) {
    waves.request();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(notifyAll).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(notifyAll).toHaveBeenCalledOnce();
});

it('requests that never end are answered every 2 s', async () => {
  const notifyAll = vi.fn();
  const waves = createWaves(notifyAll);
  for (let ms = 0; ms < 20_000; ms += 50) {
    waves.request();
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(notifyAll.mock.calls.length).toBeGreaterThanOrEqual(9);
  expect(notifyAll.mock.calls.length).toBeLessThanOrEqual(11);
});

it('a request from before all were notified, and one of a hub that was closed, come to nothing', async () => {
  const notifyAll = vi.fn();
  const waves = createWaves(notifyAll);
  waves.request();
  waves.satisfied();
  await vi.advanceTimersByTimeAsync(10_000);
  waves.request();
  waves.close();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(notifyAll).not.toHaveBeenCalled();
});
