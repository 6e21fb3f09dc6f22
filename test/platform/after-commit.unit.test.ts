import { expect, it, vi } from 'vitest';
import { AfterCommit } from '../../src/platform/projector/after-commit.js';

function open() {
  const warn = vi.fn();
  const onLost = vi.fn(async () => undefined);
  return { warn, onLost, afterCommit: new AfterCommit('shop', { warn }, onLost) };
}

it('hints are given one at a time and in order, a failed one is a warning, and close waits for them', async () => {
  const { warn, afterCommit } = open();
  const rung: number[] = [];
  let ringing = 0;
  for (let n = 1; n <= 5; n += 1) {
    afterCommit.add(async () => {
      ringing += 1;
      expect(ringing).toBe(1);
      await new Promise(setImmediate);
      ringing -= 1;
      if (n === 3) throw new Error('no answer');
      rung.push(n);
    }, 1);
  }
  await afterCommit.close();
  expect(rung).toEqual([1, 2, 4, 5]);
  expect(warn).toHaveBeenCalledOnce();
});

it('one that throws at once keeps none of the later ones back', async () => {
  const { warn, afterCommit } = open();
  afterCommit.add(() => {
    throw new Error('at once');
  }, 1);
  await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce(), 15_000);
  const later = vi.fn(async () => undefined);
  afterCommit.add(later, 1);
  await afterCommit.close();
  expect(later).toHaveBeenCalledOnce();
});

it('where they cannot keep up the oldest are dropped, with one warning a burst', async () => {
  const { warn, afterCommit } = open();
  for (let burst = 1; burst <= 2; burst += 1) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun = vi.fn(() => promise);
    afterCommit.add(begun, 1);
    await vi.waitFor(() => expect(begun).toHaveBeenCalled(), 15_000);
    const rung: number[] = [];
    for (let n = 1; n <= 15; n += 1) {
      afterCommit.add(async () => void rung.push(n), 1_000);
    }
    expect(warn).toHaveBeenCalledTimes(burst);
    resolve();
    await afterCommit.close();
    expect(rung).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  }
});

it('close waits a second at most, and what has not begun by then never does', async () => {
  const { afterCommit } = open();
  const { promise, resolve } = Promise.withResolvers<void>();
  const later = vi.fn(async () => undefined);
  afterCommit.add(() => promise, 1);
  afterCommit.add(later, 1);
  vi.useFakeTimers();
  const closed = afterCommit.close();
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  await closed;
  resolve();
  await new Promise(setImmediate);
  expect(later).not.toHaveBeenCalled();
});

it('what was lost is made up for as soon as that succeeds, though nothing further is committed', async () => {
  vi.useFakeTimers();
  try {
    const { onLost, afterCommit } = open();
    for (let n = 0; n < 3; n += 1) onLost.mockRejectedValueOnce(new Error('nobody answers'));
    afterCommit.add(() => Promise.reject(new Error('no answer')), 1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(onLost).toHaveBeenCalledTimes(4);
    await afterCommit.close();
  } finally {
    vi.useRealTimers();
  }
});

it('nothing is made up for after close', async () => {
  vi.useFakeTimers();
  try {
    const { onLost, afterCommit } = open();
    onLost.mockRejectedValue(new Error('nobody answers'));
    afterCommit.add(() => Promise.reject(new Error('no answer')), 1);
    await vi.advanceTimersByTimeAsync(100);
    await afterCommit.close();
    const before = onLost.mock.calls.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(onLost).toHaveBeenCalledTimes(before);
  } finally {
    vi.useRealTimers();
  }
});
