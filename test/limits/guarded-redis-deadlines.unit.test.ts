import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCommandDeadlines } from '../../src/domains/limits/counters/command-deadline.js';

let now: number;
let deadlines: ReturnType<typeof createCommandDeadlines>;
const late = vi.fn();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] });
  now = 1_000;
  late.mockReset();
  deadlines = createCommandDeadlines(50, () => now);
});
afterEach(() => vi.useRealTimers());

function pass(ms: number): void {
  for (let passed = 0; passed < ms; passed++) {
    now++;
    vi.advanceTimersByTime(1);
  }
}
/** Our own event loop is blocked: the clock goes on, and timers that fell due meanwhile fire afterwards. */
function stall(ms: number): void {
  now += ms;
}

describe('the deadline of a command', () => {
  it('reports that the answer is late after 50 ms, once', () => {
    const command = deadlines.start(late);
    pass(49);
    expect(late).not.toHaveBeenCalled();
    // The timer, the turn of the loop after it, and what both were late.
    pass(5);
    expect(late).toHaveBeenCalledOnce();
    expect(command.settle()).toBe(false);
    pass(200);
    expect(late).toHaveBeenCalledOnce();
  });

  it('says nothing of commands that were answered in time', () => {
    const command = deadlines.start(late);
    pass(49);
    expect(command.settle()).toBe(true);
    expect(command.settle()).toBe(false);
    pass(200);
    expect(late).not.toHaveBeenCalled();
  });

  it('holds for each of many commands by itself', () => {
    const late: number[] = [];
    const answered = new Set([1, 4]);
    const commands = Array.from({ length: 6 }, (_, index) => {
      const command = deadlines.start(() => late.push(index));
      pass(10);
      return command;
    });
    for (const index of answered) commands[index]?.settle();
    pass(200);
    expect(late).toEqual([0, 2, 3, 5]);
  });

  it('grants an answer as much time as our own event loop was blocked', () => {
    const command = deadlines.start(late);
    pass(20);
    stall(60);
    pass(50);
    expect(late).not.toHaveBeenCalled();
    expect(command.settle()).toBe(true);
  });

  it('grants no more than its 50 ms, and only once', () => {
    deadlines.start(late);
    pass(20);
    stall(5_000);
    pass(30);
    pass(40);
    stall(5_000);
    expect(late).not.toHaveBeenCalled();
    pass(12);
    expect(late).toHaveBeenCalledOnce();
  });

  it('gives a command its own turn, when it was sent while that of another one was under way', () => {
    let command = deadlines.start(() => undefined);
    vi.spyOn(globalThis, 'setImmediate').mockImplementationOnce((turn) => {
      command = deadlines.start(late);
      stall(80);
      turn();
      return undefined as never;
    });
    pass(51);
    expect(late).not.toHaveBeenCalled();
    pass(2);
    expect(command.settle()).toBe(true);
  });

  it('sets no timer for each command, and none when nothing waits', () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    for (let index = 0; index < 1_000; index++) deadlines.start(late).settle();
    expect(timers).toHaveBeenCalledOnce();
    pass(60);
    expect(vi.getTimerCount()).toBe(0);
  });
});
