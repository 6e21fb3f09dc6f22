import { describe, expect, it } from 'vitest';
import { beginAfter, versionsReached } from '../../src/domains/commerce/follow.js';
import type { Heard } from '../../src/platform/wake-ups/wake-ups.js';

/** A hub that says what the test says, and a read model with a version that the test sets. */
function trial(pollMs?: number) {
  const stop = new AbortController();
  const waiting: ((heard: Heard | null) => void)[] = [];
  const said: (Heard | null)[] = [];
  const model = { version: -1, reads: 0, listeners: 0 };
  const say = (heard: Heard | null): void => {
    const wake = waiting.shift();
    if (wake) wake(heard);
    else said.push(heard);
  };
  const hub = {
    listen: async () => {
      let open = true;
      model.listeners += 1;
      return {
        next: () => {
          const first = said.shift();
          if (first !== undefined) return Promise.resolve(first);
          return new Promise<Heard | null>((resolve) => waiting.push(resolve));
        },
        close: () => {
          if (!open) return;
          open = false;
          model.listeners -= 1;
          say(null);
        },
      };
    },
  };
  const readVersion = async (): Promise<number> => {
    model.reads += 1;
    return model.version;
  };
  const versions = versionsReached(hub, { topic: 't', readVersion }, stop.signal, pollMs);
  return { versions, model, say, stop };
}
const woken = (version: number): Heard => ({ kind: 'woken', payload: { version } });
/** Everything that was said has been heard. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const next = async (versions: AsyncGenerator<number>) => (await versions.next()).value;

describe('the versions that a read model reaches', () => {
  it('begin with the one that it has, and follow what is heard without asking again', async () => {
    const { versions, model, say } = trial();
    model.version = 3;
    expect(await next(versions)).toBe(3);
    say(woken(4));
    expect(await next(versions)).toBe(4);
    expect(model.reads).toBe(1);
    await versions.return(undefined);
    expect(model.listeners).toBe(0);
  });

  it('are each sent once, and only the newest where several came meanwhile', async () => {
    const { versions, say } = trial();
    expect(await next(versions)).toBe(-1);
    for (const version of [0, 2, 1, 2]) say(woken(version));
    await settled();
    expect(await next(versions)).toBe(2);
    const later = next(versions);
    say(woken(2));
    say(woken(3));
    expect(await later).toBe(3);
    await versions.return(undefined);
  });

  it('are looked up where wake-ups may have been missed, or say nothing', async () => {
    const { versions, model, say } = trial();
    expect(await next(versions)).toBe(-1);
    model.version = 1;
    say({ kind: 'missed' });
    expect(await next(versions)).toBe(1);
    model.version = 2;
    say({ kind: 'woken', payload: {} });
    expect(await next(versions)).toBe(2);
    await versions.return(undefined);
  });

  it('are found after a while where a wake-up was lost', async () => {
    const { versions, model } = trial(5);
    expect(await next(versions)).toBe(-1);
    const later = next(versions);
    model.version = 1;
    expect(await later).toBe(1);
    await versions.return(undefined);
  });

  it('end when the subscriber leaves or the hub closes, and read nothing where the subscriber has left before', async () => {
    const left = trial();
    left.stop.abort();
    expect(await left.versions.next()).toMatchObject({ done: true });
    expect(left.model).toMatchObject({ reads: 0, listeners: 0 });

    const leaving = trial();
    await leaving.versions.next();
    const waiting = leaving.versions.next();
    leaving.stop.abort();
    expect(await waiting).toMatchObject({ done: true });
    expect(leaving.model.listeners).toBe(0);

    const closing = trial();
    await closing.versions.next();
    closing.say(null);
    expect(await closing.versions.next()).toMatchObject({ done: true });
  });
});

describe('updates', () => {
  it('begin after a cursor that is at most 1,000 events behind, or after the moment', () => {
    expect(beginAfter(null, 5)).toBe(5);
    expect(beginAfter(null, -1)).toBe(-1);
    expect(beginAfter(5, 5)).toBe(5);
    expect(beginAfter(5, 1_005)).toBe(5);
    expect(() => beginAfter(5, 1_006)).toThrow(expect.objectContaining({ code: 'CURSOR_EXPIRED' }));
    expect(() => beginAfter(6, 5)).toThrow(expect.objectContaining({ code: 'BAD_CURSOR' }));
  });
});
