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

  it('loses no place to a database that was away, at its beginning or later', async () => {
    const { forget, read, fail } = aTable();
    fail(true);
    await expect(forget(10)).rejects.toThrow('away');
    fail(false);
    await forget(10);
    fail(true);
    await expect(forget(10)).rejects.toThrow('away');
    fail(false);
    await forget(10);
    expect(read).toEqual([0, 1]);
  });
});
