import { describe, expect, it } from 'vitest';
import { cacheToken } from '../../src/domains/notifications/providers/cached-token.js';
import { HeldClock } from './with-sandbox.js';

function counted(refreshAfter = 3000) {
  const clock = new HeldClock();
  let made = 0;
  const cache = cacheToken(clock, async () => {
    made += 1;
    return { token: `token-${made}`, refreshAfter };
  });
  return { clock, cache };
}

describe('a provider token', () => {
  it('is made once for callers that ask at the same time', async () => {
    const { cache } = counted();
    expect(await Promise.all([cache.get(), cache.get(), cache.get()])).toEqual(Array(3).fill('token-1'));
  });

  it('is kept until its time has come, not longer', async () => {
    const { cache, clock } = counted();
    await cache.get();
    clock.forward(2999);
    expect(await cache.get()).toBe('token-1');
    clock.forward(1);
    expect(await cache.get()).toBe('token-2');
  });

  it('is forgotten when the provider refused it, but not for an older one’s refusal', async () => {
    const { cache } = counted();
    cache.drop(await cache.get());
    expect(await cache.get()).toBe('token-2');
    cache.drop('token-1');
    expect(await cache.get()).toBe('token-2');
  });

  it('is tried again after a failed making', async () => {
    let attempts = 0;
    const cache = cacheToken(new HeldClock(), async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('not now');
      return { token: 'token', refreshAfter: 10 };
    });
    await expect(cache.get()).rejects.toThrow('not now');
    expect(await cache.get()).toBe('token');
  });
});
