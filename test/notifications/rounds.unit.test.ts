import { describe, expect, it } from 'vitest';
import { inRounds } from '../../src/domains/notifications/retention/rounds.js';
import type { Forget } from '../../src/platform/forget.js';

const HOUR = 3_600_000;

/** A table of three pages, read by a process that notes from where it read. */
function aTable() {
  const read: number[] = [];
  let now = 0;
  let isDown = false;
  const forget: Forget = inRounds({ now: () => now }, 0, async (after) => {
    if (isDown) throw new Error('away');
    read.push(after);
    return after === 2 ? null : after + 1;
  });
  return {
    forget,
    read,
    pass: (ms: number) => {
      now += ms;
    },
    fail: (down: boolean) => {
      isDown = down;
    },
  };
}

describe('a round through a table', () => {
  it('goes on where the last call stopped, and says when all is done', async () => {
    const { forget, read } = aTable();
    expect([await forget(10), await forget(10), await forget(10)]).toEqual([10, 10, 0]);
    expect(read).toEqual([0, 1, 2]);
  });

  it('begins again an hour later, and not before', async () => {
    const { forget, read, pass } = aTable();
    for (let call = 0; call < 3; call++) await forget(10);
    pass(HOUR - 1);
    expect(await forget(10)).toBe(0);
    expect(read).toHaveLength(3);
    pass(1);
    expect(await forget(10)).toBe(10);
    expect(read).toEqual([0, 1, 2, 0]);
  });

  it('begins anew where a page failed: at once at its beginning, else an hour after it began', async () => {
    const { forget, read, fail, pass } = aTable();
    fail(true);
    await expect(forget(10)).rejects.toThrow('away');
    fail(false);
    await forget(10);
    fail(true);
    await expect(forget(10)).rejects.toThrow('away');
    fail(false);
    expect(await forget(10)).toBe(0);
    pass(HOUR);
    expect([await forget(10), await forget(10), await forget(10)]).toEqual([10, 10, 0]);
    expect(read).toEqual([0, 0, 1, 2]);
  });

  it('calls a page again in the next run where it could not do its work, also the first', async () => {
    const asked: number[] = [];
    let isReady = false;
    const forget = inRounds({ now: () => 0 }, 0, async (after) => {
      asked.push(after);
      if (!isReady) return after;
      return after === 1 ? null : after + 1;
    });
    expect([await forget(10), await forget(10)]).toEqual([0, 0]);
    isReady = true;
    expect(await forget(10)).toBe(10);
    isReady = false;
    expect([await forget(10), await forget(10)]).toEqual([0, 0]);
    isReady = true;
    expect([await forget(10), await forget(10)]).toEqual([0, 0]);
    expect(asked).toEqual([0, 0, 0, 1, 1, 1]);
  });
});
