import { describe, expect, it } from 'vitest';
import { createLoadingCache } from '../../src/domains/notifications/templates/loading-cache.js';

/** A cache of what a test lets its loads bring, and a clock that it moves. */
function openCache({ maxSize = 10, lifetimeMs = 1_000 } = {}) {
  const loads: { key: string; bring(value: string): void; fail(error: Error): void }[] = [];
  let now = 1;
  const cache = createLoadingCache<{ value: string }>({
    load: (key) =>
      new Promise((resolve, reject) => {
        loads.push({ key, bring: (value) => resolve({ value }), fail: reject });
      }),
    maxSize,
    sizeOf: ({ value }) => value.length,
    lifetimeOf: () => lifetimeMs,
    now: () => now,
  });
  const brought = async (key: string, value: string): Promise<string> => {
    const answer = cache.get(key);
    loads.at(-1)!.bring(value);
    return (await answer).value;
  };
  return { cache, loads, brought, pass: (ms: number) => (now += ms) };
}

describe('a loading cache', () => {
  it('loads once for all who ask, and then no more', async () => {
    const { cache, loads } = openCache();
    const both = Promise.all([cache.get('a'), cache.get('a')]);
    loads[0]!.bring('first');
    expect(await both).toEqual([{ value: 'first' }, { value: 'first' }]);
    expect(await cache.get('a')).toEqual({ value: 'first' });
    expect(loads).toHaveLength(1);
  });

  it('loads anew what is forgotten or has outlived its time', async () => {
    const { cache, loads, brought, pass } = openCache();
    await brought('a', 'first');
    cache.forget('a');
    expect(await brought('a', 'second')).toBe('second');
    pass(1_001);
    expect(await brought('a', 'third')).toBe('third');
    cache.forgetAll();
    expect(await brought('a', 'fourth')).toBe('fourth');
    expect(loads).toHaveLength(4);
  });

  it.each([
    ['forgotten', (cache: { forget(key: string): void }) => cache.forget('a')],
    ['forgotten with all others', (cache: { forgetAll(): void }) => cache.forgetAll()],
  ])('does not keep what was on its way when it was %s, and lets nobody join it', async (_, forget) => {
    const { cache, loads } = openCache();
    const early = cache.get('a');
    forget(cache);
    const late = cache.get('a');
    loads[1]!.bring('new');
    expect(await late).toEqual({ value: 'new' });
    loads[0]!.bring('old');
    expect(await early).toEqual({ value: 'old' });
    expect(await cache.get('a')).toEqual({ value: 'new' });
    expect(loads).toHaveLength(2);
  });

  it('keeps no failure', async () => {
    const { cache, loads, brought } = openCache();
    const failing = cache.get('a');
    loads[0]!.fail(new Error('down'));
    await expect(failing).rejects.toThrow('down');
    expect(await brought('a', 'up')).toBe('up');
  });

  it('keeps what was used last, as far as its size allows', async () => {
    const { cache, loads, brought } = openCache({ maxSize: 10 });
    await brought('a', 'four');
    await brought('b', 'five5');
    await cache.get('a');
    await brought('c', 'three');
    await cache.get('a');
    await cache.get('c');
    expect(loads).toHaveLength(3);
    await brought('b', 'again');
    await brought('huge', 'x'.repeat(11));
    await brought('huge', 'x'.repeat(11));
    expect(loads).toHaveLength(6);
  });
});
