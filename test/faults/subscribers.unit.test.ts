import { describe, expect, it } from 'vitest';
import { compare, type Subscriber } from './subscribers.js';

/** @param connections what came by each, one after the other */
const hearing = (...connections: string[][]): Subscriber => ({
  name: 'somebody',
  heard: connections.flatMap((events, connection) => events.map((event) => ({ event, connection, at: 0 }))),
  breaks: () => connections.length - 1,
  surprises: [],
  flagged: new Set(),
  forgiven: new Set(),
  close: async () => undefined,
});

describe('a comparison of what was heard with what happened', () => {
  it('finds nothing wrong where each event came once, in order', () => {
    expect(compare(hearing(['a', 'b'], ['c']), ['a', 'b', 'c'])).toEqual([]);
  });

  it('names what was missed, heard twice by whichever connection, never there, and out of order', () => {
    expect(compare(hearing(['a', 'c']), ['a', 'b', 'c'])).toEqual(['somebody missed 1 of 3: b']);
    expect(compare(hearing(['a', 'b'], ['b']), ['a', 'b'])).toEqual(['somebody heard twice: b']);
    expect(compare(hearing(['a', 'x']), ['a'])).toEqual(['somebody heard what never was: x']);
    expect(compare(hearing(['b', 'a']), ['a', 'b'])).toEqual(['somebody heard out of order: a']);
  });

  it('lets events of different lines come in any order', () => {
    const lineOf = (event: string): string => event[0]!;
    expect(compare(hearing(['b1', 'a1', 'b2', 'a2']), ['a1', 'b1', 'a2', 'b2'], lineOf)).toEqual([]);
    expect(compare(hearing(['b2', 'a1', 'b1']), ['a1', 'b1', 'b2'], lineOf)).toHaveLength(1);
  });
});
