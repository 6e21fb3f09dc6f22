import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createThrottle, type QueuePosition, type Throttle } from '../../src/domains/limits/throttle.js';
import type { Tier } from '../../src/platform/gate.js';
import { tierOf } from './limiter-world.js';

const saying = (retryAfterMs: number) => ({ used: 3, remaining: 0, resetAt: 0, retryAfterMs });

let throttle: Throttle;
beforeEach(() => {
  vi.useFakeTimers();
  throttle = createThrottle(() => performance.now());
});
afterEach(() => {
  vi.useRealTimers();
});

/** Capacity for all within the time, so that only what a test is about makes requests wait. */
const roomy = tierOf({ limit: 1_000, windowSeconds: 1, action: 'throttle' });
const using = (key: string, tier: Tier = roomy, charge = 1) => ({ tier, owner: 'u:alice', key, charge });

function join(
  key: string,
  retryAfterMs: number,
  more: { signal?: AbortSignal; forMs?: number; tier?: Tier; charge?: number; owner?: string } = {},
) {
  const { signal, forMs = 10_000, tier, charge, owner = 'u:alice' } = more;
  const deadline = performance.now() + forMs;
  const refused = saying(retryAfterMs);
  return throttle.join(using(key, tier, charge), owner, { refused, deadline, ...(signal && { signal }) });
}

/** What becomes of a place: written down as it happens. */
const happened: string[] = [];
beforeEach(() => {
  happened.length = 0;
});
function follow(name: string, place: QueuePosition | undefined): QueuePosition {
  void place!.turn().then((isTurn) => happened.push(`${name} ${isTurn ? 'tries' : 'left'}`));
  return place!;
}

describe('A queue', () => {
  it('lets its head try when the store may admit, and no sooner', async () => {
    follow('first', join('k', 300));
    await vi.advanceTimersByTimeAsync(299);
    expect(happened).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(happened).toEqual(['first tries']);
  });

  it('keeps its order: a request tries only once those before it have left', async () => {
    const first = follow('first', join('k', 300));
    const second = follow('second', join('k', 100));
    follow('third', join('k', 200));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(happened).toEqual(['first tries']);
    first.leave();
    await vi.advanceTimersByTimeAsync(0);
    second.leave();
    await vi.advanceTimersByTimeAsync(0);
    expect(happened).toEqual(['first tries', 'second tries', 'third tries']);
  });

  it('keeps the position of a head that was refused again', async () => {
    const first = join('k', 100)!;
    follow('first', first);
    follow('second', join('k', 100));
    await vi.advanceTimersByTimeAsync(100);
    first.again(saying(500));
    follow('first', first);
    await vi.advanceTimersByTimeAsync(499);
    expect(happened).toEqual(['first tries']);
    await vi.advanceTimersByTimeAsync(1);
    expect(happened).toEqual(['first tries', 'first tries']);
  });

  it('is one for each counter', async () => {
    follow('here', join('k', 5_000));
    follow('there', join('l', 100));
    await vi.advanceTimersByTimeAsync(100);
    expect(happened).toEqual(['there tries']);
    expect(throttle.waiting()).toBe(2);
  });

  it('exists as long as a request is in it', () => {
    expect(throttle.stateOf(using('k'))).toBeUndefined();
    const place = join('k', 300)!;
    vi.advanceTimersByTime(100);
    expect(throttle.stateOf(using('k'))).toEqual({ reading: saying(300), waitMs: 200 });
    place.leave();
    place.leave();
    expect(throttle.stateOf(using('k'))).toBeUndefined();
    expect(throttle.waiting()).toBe(0);
  });
});

describe('No request waits in vain', () => {
  it('joins no queue whose known wait is longer than the time left', () => {
    expect(join('k', 10_001)).toBeUndefined();
    expect(join('k', 10_000)).toBeDefined();
    expect(join('k', 100, { forMs: 9_999 })).toBeUndefined();
    expect(throttle.waiting()).toBe(1);
  });

  it('stays when the time is up', async () => {
    const first = follow('first', join('k', 100));
    follow('second', join('k', 100));
    await vi.advanceTimersByTimeAsync(9_999);
    expect(happened).toEqual(['first tries']);
    await vi.advanceTimersByTimeAsync(1);
    expect(happened).toEqual(['first tries', 'second left']);
    first.leave();
    expect(throttle.waiting()).toBe(0);
  });

  it('stays who is refused again for longer than is left, and the next moves up', async () => {
    const first = join('k', 100)!;
    follow('first', first);
    await vi.advanceTimersByTimeAsync(100);
    follow('second', join('k', 100));
    first.again(saying(9_950));
    follow('first', first);
    await vi.advanceTimersByTimeAsync(100);
    expect(happened).toEqual(['first tries', 'first left', 'second tries']);
  });

  it('queues where 100 wait for the counter', () => {
    for (let i = 0; i < 100; i += 1) expect(join('k', 100)).toBeDefined();
    expect(join('k', 100)).toBeUndefined();
    expect(join('l', 100)).toBeDefined();
  });

  it('queues where 1,000 wait in the process', () => {
    const places = Array.from({ length: 1_000 }, (_, i) => join(`k${i % 20}`, 100)!);
    expect(join('other', 100)).toBeUndefined();
    places[0]!.leave();
    expect(join('other', 100)).toBeDefined();
  });
});

describe('A request does not join a queue in which its turn would come too late', () => {
  const pace = (algorithm: Tier['algorithm'], perWindow: number, limit = perWindow) =>
    tierOf({ algorithm, limit, perWindow, windowSeconds: 1, action: 'throttle' });
  /** How many get a place, of requests that charge as much as this. */
  function placesIn(tier: Tier, charge = 1): number {
    let places = 0;
    while (places < 150 && join('k', 1_000, { tier, charge })) places += 1;
    return places;
  }

  it.each([
    ['a leaky bucket: what drains in time', pace('leaky_bucket', 2, 50), 1, 19],
    ['a token bucket: what is refilled in time', pace('token_bucket', 2, 50), 1, 19],
    ['charges of several units', pace('leaky_bucket', 2, 50), 4, 5],
    ['a sliding counter: what fades in time', pace('sliding_window_counter', 2), 1, 19],
    ['a fixed window: what the next ones hold', pace('fixed_window', 3), 1, 30],
    ['a sliding log: what the next ones hold', pace('sliding_window_log', 3), 1, 30],
    ['a window that holds 100 places and more', pace('fixed_window', 500), 1, 100],
  ] as const)('%s', (_, tier, charge, places) => {
    expect(placesIn(tier, charge)).toBe(places);
  });

  it('and learns when its turn would have come', () => {
    const tier = pace('leaky_bucket', 2, 50);
    for (let i = 0; i < 4; i += 1) join('k', 1_000, { tier });
    vi.advanceTimersByTime(400);
    expect(throttle.stateOf(using('k', tier))?.waitMs).toBe(600 + 4 * 500);
    expect(throttle.stateOf(using('k', tier, 3))?.waitMs).toBe(600 + 6 * 500);
  });
});

describe('In a queue that all callers share', () => {
  const shared = tierOf({ limit: 1_000, windowSeconds: 1, action: 'throttle', scope: 'global' });

  it('one owner has 10 positions, and others have theirs', () => {
    const places = Array.from({ length: 10 }, () => join('g', 100, { tier: shared }));
    expect(places).not.toContain(undefined);
    expect(join('g', 100, { tier: shared })).toBeUndefined();
    expect(join('g', 100, { tier: shared, owner: 'u:bob' })).toBeDefined();
    places[3]!.leave();
    expect(join('g', 100, { tier: shared })).toBeDefined();
  });
});

describe('Who gives up', () => {
  it('at the head leaves at once, and the next moves up', async () => {
    const abort = new AbortController();
    follow('first', join('k', 5_000, { signal: abort.signal }));
    follow('second', join('k', 100));
    await vi.advanceTimersByTimeAsync(200);
    abort.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(happened.toSorted()).toEqual(['first left', 'second tries']);
    expect(throttle.waiting()).toBe(1);
  });

  it('within the queue leaves at once, and the order stays', async () => {
    const abort = new AbortController();
    const first = follow('first', join('k', 300));
    follow('second', join('k', 300, { signal: abort.signal }));
    follow('third', join('k', 300));
    abort.abort();
    await vi.advanceTimersByTimeAsync(300);
    first.leave();
    await vi.advanceTimersByTimeAsync(0);
    expect(happened).toEqual(['second left', 'first tries', 'third tries']);
  });

  it('before it began gets no position', () => {
    expect(join('k', 100, { signal: AbortSignal.abort() })).toBeUndefined();
    expect(throttle.waiting()).toBe(0);
  });

  it('while trying has no next turn', async () => {
    const abort = new AbortController();
    const first = join('k', 100, { signal: abort.signal })!;
    follow('first', first);
    await vi.advanceTimersByTimeAsync(100);
    abort.abort();
    first.again(saying(100));
    expect(await first.turn()).toBe(false);
    expect(throttle.waiting()).toBe(0);
  });
});
