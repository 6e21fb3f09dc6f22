import { describe, expect, it, vi } from 'vitest';
import {
  createVersionWaits,
  type Thing,
  type VersionWait,
} from '../../src/domains/commerce/version-waits.js';
import { LoopbackHub } from './loopback-hub.js';

const hub = new LoopbackHub();

function waitFor(id: string, over: Partial<VersionWait> = {}): VersionWait {
  return {
    kind: 'account',
    id,
    version: 1,
    topic: `account:${id}`,
    userId: `owner of ${id}`,
    hub,
    clock: { now: () => 0 },
    deadline: 5_000,
    signal: new AbortController().signal,
    ...over,
  };
}

/** A read model that says what it was asked, and how many asked at the same time. */
function readModel() {
  const versions = new Map<string, number>();
  const asked: (readonly string[])[] = [];
  let asking = 0;
  const waits = createVersionWaits(async (things) => {
    asked.push(things.map(({ id }) => id));
    expect(++asking).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    asking -= 1;
    return things.map((thing) => ({ ...thing, version: versions.get(thing.id) ?? -1 }));
  });
  return { versions, asked, waits };
}

describe('waits for versions', () => {
  it('of everybody are one question at a time, asked by nobody once all are answered', async () => {
    const { versions, asked, waits } = readModel();
    const ids = Array.from({ length: 500 }, (_, i) => `a${i}`);
    const all = Promise.all(ids.map((id) => waits.reached(waitFor(id))));
    await vi.waitFor(() => expect(asked.at(-1)).toHaveLength(500), 15_000);
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(2), 15_000);
    for (const id of ids) versions.set(id, 1);
    await all;
    const questions = asked.length;
    expect(questions).toBeLessThan(100);
    expect(hub.listening).toBe(0);
    versions.set('late', 1);
    await waits.reached(waitFor('late'));
    expect(asked.slice(questions)).toEqual([['late']]);
  });

  it('are answered at a wake-up, and without one all the same', async () => {
    const { versions, asked, waits } = readModel();
    const woken = waits.reached(waitFor('woken'));
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0), 15_000);
    versions.set('woken', 2);
    await hub.publish([{ topics: ['account:woken'], payload: {} }]);
    await woken;
    const missed = waits.reached(waitFor('missed'));
    versions.set('missed', 1);
    await missed;
  });

  it('end without a question where a wake-up says that the version was reached, and go on where it says less', async () => {
    const { asked, waits } = readModel();
    const waiting = waits.reached(waitFor('told', { version: 5 }));
    await hub.publish([{ topics: ['account:told'], payload: { version: 4 } }]);
    await hub.publish([{ topics: ['account:told'], payload: { version: 5 } }]);
    await waiting;
    expect(asked).toEqual([]);
    const { waits: others, versions } = readModel();
    const behind = others.reached(waitFor('behind', { version: 5 }));
    await hub.publish([{ topics: ['account:behind'], payload: { version: 4 } }]);
    versions.set('behind', 5);
    await behind;
  });

  it('for a position of a projector are not answered by the version of what it changed', async () => {
    const { asked, versions, waits } = readModel();
    const waiting = waits.reached(
      waitFor('customers', { kind: 'projector', topic: 'customer:c', version: 3 }),
    );
    let isOver = false;
    void waiting.then(() => {
      isOver = true;
    });
    await hub.publish([{ topics: ['customer:c'], payload: { version: 7 } }]);
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(1), 15_000);
    expect(isOver).toBe(false);
    versions.set('customers', 3);
    await waiting;
  });

  it('for different kinds of things share the question, and an id of one is none of another', async () => {
    const asked: (readonly Thing[])[] = [];
    const orders = new Map<string, number>();
    const waits = createVersionWaits(async (things) => {
      asked.push(things);
      return things
        .filter(({ kind, id }) => kind === 'order' && orders.has(id))
        .map((it) => ({ ...it, version: 1 }));
    });
    const client = new AbortController();
    const order = waits.reached(waitFor('x', { kind: 'order', topic: 'order:x' }));
    const product = waits.reached(
      waitFor('x', { kind: 'product', topic: 'product:x', signal: client.signal }),
    );
    await vi.waitFor(() => expect(asked.at(-1)).toHaveLength(2), 15_000);
    orders.set('x', 1);
    await hub.publish([{ topics: ['order:x'], payload: {} }]);
    await order;
    await vi.waitFor(() => expect(asked.at(-1)).toEqual([{ kind: 'product', id: 'x' }]), 15_000);
    client.abort();
    await expect(product).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(hub.listening).toBe(0);
  });

  it('are 64 at most for one user, who harms nobody else', async () => {
    const { versions, waits } = readModel();
    const kinds = ['account', 'order', 'customer', 'product'] as const;
    const greedy = Array.from({ length: 64 }, (_, n) =>
      waits.reached(waitFor('x', { kind: kinds[n % 4]!, userId: 'greedy' })),
    );
    await expect(waits.reached(waitFor('x', { userId: 'greedy' }))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    versions.set('y', 1);
    await waits.reached(waitFor('y', { userId: 'modest' }));
    versions.set('x', 1);
    await Promise.all(greedy);
    await waits.reached(waitFor('x', { userId: 'greedy' }));
  });

  it('end with the client, with their time, and with what the read model throws', async () => {
    const client = new AbortController();
    const { waits } = readModel();
    const left = waits.reached(waitFor('a', { signal: client.signal }));
    const late = waits.reached(waitFor('b', { deadline: 0 }));
    client.abort();
    await expect(left).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(late).rejects.toMatchObject({ code: 'READ_MODEL_TIMEOUT' });
    const broken = createVersionWaits(() => Promise.reject(new Error('gone')));
    await expect(broken.reached(waitFor('a'))).rejects.toThrow('gone');
    expect(hub.listening).toBe(0);
  });
});
