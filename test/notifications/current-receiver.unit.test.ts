import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createCurrentReceiver,
  untilReceiversAreRead,
} from '../../src/domains/notifications/webhooks/current-receiver.js';
import type { Receiver } from '../../src/domains/notifications/webhooks/relay-store.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const receiver = (url: string): Receiver => ({ url }) as Receiver;

describe('where the events of a webhook go', () => {
  it('is read once for all that begin within half a second, and again for the next one', async () => {
    const read = vi.fn(async () => receiver('a'));
    const current = createCurrentReceiver(read);
    await Promise.all([current.get(), current.get()]);
    vi.advanceTimersByTime(499);
    expect(await current.get()).toEqual(receiver('a'));
    expect(read).toHaveBeenCalledTimes(1);
    read.mockResolvedValue(receiver('b'));
    vi.advanceTimersByTime(1);
    expect(await current.get()).toEqual(receiver('b'));
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('counts from when the read began: one that takes too long is repeated, and then nobody is sent anything', async () => {
    const answers = [500, 499].map((ms) => [ms, receiver(`after ${ms} ms`)] as const);
    const read = vi.fn(async () => {
      const [ms, found] = answers.shift() ?? [500, receiver('late')];
      vi.advanceTimersByTime(ms);
      return found;
    });
    const current = createCurrentReceiver(read);
    expect(await current.get()).toEqual(receiver('after 499 ms'));
    vi.advanceTimersByTime(1);
    expect(await current.get()).toBeUndefined();
    expect(read).toHaveBeenCalledTimes(5);
  });

  it('is read again once it has changed, also where a read from before is under way', async () => {
    const { promise, resolve } = Promise.withResolvers<Receiver>();
    const read = vi.fn().mockReturnValueOnce(promise).mockResolvedValue(receiver('new'));
    const current = createCurrentReceiver(read);
    const asked = current.get();
    current.forget();
    resolve(receiver('old'));
    expect(await asked).toEqual(receiver('new'));
    expect(await current.get()).toEqual(receiver('new'));
  });

  it('is read anew by all requests that begin once a change is answered', async () => {
    vi.useRealTimers();
    const read = vi.fn().mockResolvedValueOnce(receiver('old')).mockResolvedValue(receiver('new'));
    const current = createCurrentReceiver(read);
    await current.get();
    await untilReceiversAreRead();
    expect(await current.get()).toEqual(receiver('new'));
  });
});
