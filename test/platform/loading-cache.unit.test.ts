import { LRUCache } from 'lru-cache';
import { describe, expect, it } from 'vitest';
import { createLoadingCache, type LoadingCache, upTo } from '../../src/platform/cache/loading-cache.js';
import { currentReader, forReader } from '../../src/platform/wake-ups/reader.js';

/** A cache of what a test lets its loads bring, and a clock that it moves. */
function openCache({ maxSize = 10, lifetimeMs = 1_000, servesStale = false } = {}) {
  const loads: { key: string; bring(value: string): void; fail(error: Error): void }[] = [];
  let now = 1;
  const kept = createLoadingCache<{ value: string }>({
    maxSize,
    sizeOf: ({ value }) => value.length,
    lifetimeOf: () => lifetimeMs,
    servesStale,
    now: () => now,
  });
  const load = (key: string) =>
    new Promise<{ value: string }>((resolve, reject) => {
      loads.push({ key, bring: (value) => resolve({ value }), fail: reject });
    });
  const cache = { ...kept, get: (key: string) => kept.get(key, load) };
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

  it('has a look at what is kept without loading', async () => {
    const { cache, loads, brought, pass } = openCache({ lifetimeMs: 100 });
    expect(cache.peek('a')).toBe(undefined);
    expect(loads).toHaveLength(0);
    const answer = cache.get('a');
    expect(cache.peek('a')).toBe(undefined);
    loads[0]!.bring('first');
    await answer;
    expect(cache.peek('a')).toEqual({ value: 'first' });
    pass(101);
    expect(cache.peek('a')).toBe(undefined);
    expect(await brought('a', 'second')).toBe('second');
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
    ['forgotten', (cache: Pick<LoadingCache<unknown>, 'forget'>) => cache.forget('a')],
    ['forgotten with all others', (cache: Pick<LoadingCache<unknown>, 'forgetAll'>) => cache.forgetAll()],
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

  it('answers at once with what it keeps', async () => {
    const { cache, brought } = openCache();
    await brought('a', 'first');
    expect(cache.get('a')).toEqual({ value: 'first' });
  });

  it('counts a lifetime from when the load began', async () => {
    const { cache, loads, pass } = openCache();
    const early = cache.get('a');
    pass(1_001);
    loads[0]!.bring('slow');
    expect(await early).toEqual({ value: 'slow' });
    const late = cache.get('a');
    loads[1]!.bring('new');
    expect(await late).toEqual({ value: 'new' });
  });

  it('serves what has outlived its time while another is loaded, and where none can be, if it may', async () => {
    const { cache, loads, brought, pass } = openCache({ servesStale: true });
    const failing = cache.get('a');
    loads[0]!.fail(new Error('down'));
    await expect(failing).rejects.toThrow('down');
    await brought('a', 'first');
    pass(1_001);
    expect(await cache.get('a')).toEqual({ value: 'first' });
    loads[2]!.fail(new Error('down'));
    await expect.poll(async () => [await cache.get('a'), loads.length]).toEqual([{ value: 'first' }, 4]);
    loads[3]!.bring('second');
    await expect.poll(() => cache.get('a')).toEqual({ value: 'second' });
    expect(loads).toHaveLength(4);
  });

  it('loads for everybody: the load does not end with the reader who began it', async () => {
    const kept = createLoadingCache<{ reader: unknown }>({ maxSize: 1 });
    const load = async () => ({ reader: currentReader() });
    const { signal } = new AbortController();
    expect(await forReader({ signal }, () => kept.get('a', load))).toEqual({ reader: undefined });
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

it('a cache that takes memory for what it holds lets the entry go that was used longest ago', () => {
  const cache = new LRUCache<string, number>(upTo(2));
  cache.set('one', 1);
  cache.set('two', 2);
  cache.get('one');
  cache.set('three', 3);
  expect([...cache.keys()].toSorted()).toEqual(['one', 'three']);
});
