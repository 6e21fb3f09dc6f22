import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { groupCommit } from '../../src/platform/group-commit.js';

const dataError = (): Error => Object.assign(new pg.DatabaseError('bad', 3, 'error'), { code: '22021' });

describe('group commit', () => {
  it('sends a lone item at once, and what comes meanwhile together', async () => {
    const calls: number[][] = [];
    const gates: (() => void)[] = [];
    const commit = groupCommit<number, number>({
      maxItems: 10,
      commit: async (items) => {
        calls.push([...items]);
        await new Promise<void>((resolve) => gates.push(resolve));
        return items.map((item) => item * 2);
      },
    });
    const first = commit(1);
    await expect.poll(() => calls.length).toBe(1);
    const others = [commit(2), commit(3)];
    gates[0]!();
    expect(await first).toBe(2);
    await expect.poll(() => calls.length).toBe(2);
    gates[1]!();
    expect(await Promise.all(others)).toEqual([4, 6]);
    expect(calls).toEqual([[1], [2, 3]]);
  });

  it('answers every item its own outcome, whatever sizes, keys and weights there are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ id: fc.nat(), key: fc.nat(4), weight: fc.nat(30) }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 3 }),
        fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
        async (items, maxItems, callsAtOnce, least) => {
          let onTheirWay = 0;
          const commit = groupCommit<(typeof items)[number], number>({
            maxItems,
            callsAtOnce,
            ...(least === undefined ? {} : { beside: { least, withinMs: 1_000 } }),
            keyOf: ({ key }) => String(key),
            weightOf: ({ weight }) => weight,
            maxWeight: 50,
            commit: async (batch) => {
              onTheirWay += 1;
              expect(onTheirWay).toBeLessThanOrEqual(callsAtOnce);
              expect(batch.length).toBeLessThanOrEqual(maxItems);
              expect(new Set(batch.map(({ key }) => key)).size).toBe(batch.length);
              const weight = batch.reduce((sum, item) => sum + item.weight, 0);
              expect(batch.length === 1 || weight <= 50).toBe(true);
              await Promise.resolve();
              onTheirWay -= 1;
              return batch.map(({ id }) => id);
            },
          });
          expect(await Promise.all(items.map(commit))).toEqual(items.map(({ id }) => id));
        },
      ),
    );
  });

  it('makes a call beside another only for as many as are worth one, and shares a crowd evenly', async () => {
    const calls: { readonly size: number; readonly isBeside: boolean }[] = [];
    const ends: (() => void)[] = [];
    const commit = groupCommit<number, number>({
      maxItems: 100,
      callsAtOnce: 2,
      beside: { least: 10, withinMs: Number.POSITIVE_INFINITY },
      commit: async (items) => {
        calls.push({ size: items.length, isBeside: ends.length > 0 });
        await new Promise<void>((resolve) => ends.push(resolve));
        return items;
      },
    });
    const asked: Promise<number>[] = [];
    const ask = (count: number): void => {
      for (let n = 0; n < count; n += 1) asked.push(commit(n));
    };
    ask(25);
    await expect.poll(() => calls.length).toBe(2);
    ask(12);
    ends.shift()!();
    await expect.poll(() => calls.length).toBe(3);
    ask(9);
    ends.shift()!();
    ends.shift()!();
    await expect.poll(() => calls.length).toBe(4);
    expect(calls).toEqual([
      { size: 13, isBeside: false },
      { size: 12, isBeside: true },
      { size: 12, isBeside: true },
      { size: 9, isBeside: false },
    ]);
    ends.shift()!();
    expect(await Promise.all(asked)).toHaveLength(46);
  });

  it('makes no call beside the first or a slow one, nor right after a slow one, until one was quick', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const sizes: number[] = [];
    const ends: (() => void)[] = [];
    const commit = groupCommit<number, number>({
      maxItems: 100,
      callsAtOnce: 2,
      beside: { least: 10, withinMs: 100 },
      commit: async (items) => {
        sizes.push(items.length);
        await new Promise<void>((resolve) => ends.push(resolve));
        return items;
      },
    });
    const asked: Promise<number>[] = [];
    const ask = (count: number): void => {
      for (let n = 0; n < count; n += 1) asked.push(commit(n));
    };
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    ask(20);
    await turn();
    expect(sizes).toEqual([20]);
    vi.advanceTimersByTime(101);
    ask(20);
    await turn();
    expect(sizes).toEqual([20]);
    ends.shift()!();
    await expect.poll(() => sizes).toEqual([20, 20]);
    ask(20);
    await turn();
    expect(sizes).toEqual([20, 20]);
    ends.shift()!();
    await expect.poll(() => sizes).toEqual([20, 20, 10, 10]);
    for (const end of ends) end();
    expect(await Promise.all(asked)).toHaveLength(60);
  });

  it('makes the items of a spoilt call one after another where calls wait for one another', async () => {
    let atOnce = 0;
    const order: number[] = [];
    const more: Promise<number>[] = [];
    const commit = groupCommit<number, number>({
      maxItems: 100,
      callsAtOnce: 2,
      beside: { least: 2, withinMs: Number.POSITIVE_INFINITY },
      commit: async (items) => {
        atOnce += 1;
        await new Promise((resolve) => setImmediate(resolve));
        atOnce -= 1;
        if (items.includes(1)) throw dataError();
        if (items.length === 1) expect(atOnce).toBe(0);
        // While the last single item is on its way, enough items come for a second call.
        if (items[0] === 4) more.push(...Array.from({ length: 12 }, (_, n) => commit(100 + n)));
        order.push(...items);
        return items;
      },
    });
    const settled = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => commit(n)));
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(order.filter((n) => n < 6)).toEqual([0, 2, 3, 4, 5]);
    await expect(Promise.all(more)).resolves.toHaveLength(12);
  });

  it('lets an item that the database cannot take spoil only itself', async () => {
    const commit = groupCommit<string, string>({
      maxItems: 10,
      commit: async (items) => {
        if (items.includes('bad')) throw dataError();
        return items;
      },
    });
    const settled = await Promise.allSettled(['a', 'bad', 'b'].map(commit));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('rejects all of a call that got no answer, and goes on with the next', async () => {
    let isAway = true;
    const commit = groupCommit<string, string>({
      maxItems: 10,
      commit: async (items) => {
        if (isAway) throw new Error('Connection terminated');
        return items;
      },
    });
    const settled = await Promise.allSettled(['a', 'b'].map(commit));
    expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
    isAway = false;
    expect(await commit('c')).toBe('c');
  });
});
