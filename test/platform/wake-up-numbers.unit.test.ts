import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parsePlace, StreamNumbers, type StreamPlace } from '../../src/platform/wake-ups/wake-up-numbers.js';

it('a place is an epoch and a number, and nothing else is one', () => {
  expect(parsePlace('abc/12')).toEqual({ epoch: 'abc', number: 12 });
  for (const text of ['', 'abc', 'abc/', '/12', 'abc/-1', 'abc/1.5', 'a/b/1', 'abc/1e9', null, undefined])
    expect(parsePlace(text)).toBeUndefined();
});

/** A Redis with a counter and a stream, and what happens to them. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.constant('publish' as const) },
  { weight: 4, arbitrary: fc.constant('read' as const) },
  { weight: 1, arbitrary: fc.constant('flush' as const) },
  { weight: 1, arbitrary: fc.constant('overwrite the counter' as const) },
  { weight: 1, arbitrary: fc.constant('lose an entry' as const) },
  { weight: 1, arbitrary: fc.constant('lose the stream' as const) },
  { weight: 1, arbitrary: fc.constant('rewind' as const) },
  { weight: 1, arbitrary: fc.constant('rewind and publish' as const) },
);

it('a reader learns of every loss at its next look, and of none that did not happen', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let epochs = 0;
      const newLife = (): StreamPlace => ({ epoch: `e${++epochs}`, number: 0 });
      let counter: StreamPlace | undefined = newLife();
      let unread: StreamPlace[] = [];
      let numbers = new StreamNumbers(counter);
      let isLost = false;
      let hasRead = false;
      // One that is followed by as many new entries as it took, none of which is read, shows at the reconnection alone.
      const all = steps.flatMap((one) => (one.startsWith('rewind') ? [one, 'read' as const] : [one]));
      for (const what of [...all, 'read' as const]) {
        if (what === 'publish') {
          if (!counter) isLost = true;
          counter ??= newLife();
          counter = { ...counter, number: counter.number + 1 };
          unread.push(counter);
        } else if (what === 'flush') {
          counter = newLife();
          unread = [];
          hasRead = false;
          isLost = true;
        } else if (what === 'overwrite the counter' && counter) {
          counter = undefined;
          isLost = true;
        } else if (what === 'lose an entry' && unread.length > 0) {
          unread.splice(Math.floor(unread.length / 2), 1);
          isLost = true;
        } else if (what === 'lose the stream' && unread.length > 0) {
          unread = [];
          isLost = true;
        } else if (what.startsWith('rewind') && counter && hasRead && !isLost && unread.length === 0) {
          // An older copy of itself: what is published next has a number that was read already.
          if (what === 'rewind') counter = { ...counter, number: counter.number - 1 };
          else unread.push(counter);
          isLost = true;
        } else if (what === 'read') {
          const found = numbers.page(unread, counter, true);
          expect(found).toBe(isLost);
          // Whoever learns of a loss begins at the end, and the counter anew where it cannot be read.
          counter ??= newLife();
          if (found) numbers = new StreamNumbers(counter);
          hasRead = !found && (hasRead || unread.length > 0);
          unread = [];
          isLost = false;
        }
      }
    }),
    { numRuns: 500 },
  );
});
