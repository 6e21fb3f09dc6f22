import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AccountUpdate } from '../../src/domains/commerce/index.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import { encodeCursor } from '../../src/platform/paging.js';
import type { Projector } from '../../src/platform/projector/projector.js';
import { openBlockingRedis, openRedis, type Redis } from '../../src/platform/redis/redis.js';
import {
  createWakeUpHub,
  createWakeUpPublisher,
  openSubscriptions,
  type WakeUpHub,
} from '../../src/platform/wake-ups/wake-ups.js';
import { accountSummary } from '../../src/projectors/commerce/account-summary.js';
import { orders } from '../../src/projectors/commerce/orders.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import {
  cancelled,
  closed,
  created,
  customerRegistered,
  moved,
  placed,
  shipped,
  write,
  writeAccount,
  writeOrder,
} from './history.js';
import {
  type CommerceOnTest,
  callerNamed,
  checkpointOf,
  ids,
  openCommerce,
  startProjector,
} from './with-commerce.js';

const alice = callerNamed('alice');
const root = callerNamed('root', 'admin');
let on: CommerceOnTest;
let server: TestRedis;
let redis: Redis;
let hub: WakeUpHub;
let summary: Projector;
let orderModel: Projector;
const running = new Set<{ stop(): Promise<void> }>();

beforeAll(async () => {
  [on, server] = await Promise.all([openCommerce(), startTestRedis()]);
  redis = openRedis([server.url], () => undefined);
  hub = createWakeUpHub(
    openBlockingRedis([server.url], () => undefined),
    openSubscriptions(redis),
    pino({ level: 'silent' }),
  );
  await hub.ready;
  summary = accountSummary(createWakeUpPublisher(redis));
  orderModel = orders(createWakeUpPublisher(redis));
  await write(on.log, 'Customer-customer of alice', [customerRegistered('alice')]);
});
afterEach(async () => {
  await Promise.all([...running].map((runner) => runner.stop()));
  running.clear();
});
afterAll(async () => {
  hub.close();
  redis.disconnect();
  await on.close();
  await server.stop();
});

function run(projector: Projector) {
  const runner = startProjector(on, projector);
  running.add(runner);
  return runner;
}
/** Applies everything there is. */
async function project(projector: Projector): Promise<void> {
  const runner = run(projector);
  const head = await on.log.head();
  await vi.waitFor(async () => expect(await checkpointOf(on, projector.name)).toBeGreaterThanOrEqual(head), {
    timeout: 20_000,
    interval: 10,
  });
  await runner.stop();
}

/** What a follower is told until he has been told `enough` times. */
async function collect<Update>(
  follow: (signal: AbortSignal) => AsyncGenerator<Update>,
  enough: number,
  onUpdate?: (update: Update) => Promise<void>,
): Promise<Update[]> {
  const stop = new AbortController();
  const updates: Update[] = [];
  for await (const update of follow(stop.signal)) {
    updates.push(update);
    await onUpdate?.(update);
    if (updates.length >= enough) stop.abort();
  }
  return updates;
}
const followAccount = (
  id: string,
  after: string | null,
  enough: number,
  { by = alice, onUpdate }: { by?: Caller; onUpdate?: (update: AccountUpdate) => Promise<void> } = {},
) => collect((signal) => on.commerce.followAccount(hub, by, id, after, signal), enough, onUpdate);
const followOrder = (id: string, after: string | null, enough: number, by = alice) =>
  collect((signal) => on.commerce.followOrder(hub, by, id, after, signal), enough);
const first = (id: string): string => encodeCursor(id, 0);

describe('an account', () => {
  it('accountUpdated sends an update for every event, also while the projector restarts, and resumes from any cursor', async () => {
    const id = ids.next();
    await writeAccount(on.log, id, created(id, 'alice'));
    await project(summary);
    const total = 120;
    // Whoever hears of a version sees it.
    const seen: boolean[] = [];
    const live = followAccount(id, first(id), total, {
      onUpdate: async ({ account: { version } }) => {
        seen.push((await on.commerce.account(alice, id))!.version >= version);
      },
    });
    let runner = run(summary);
    for (let n = 1; n < total; n += 1) {
      const description = n % 3 ? null : `number ${n}`;
      const event = moved(n % 4 === 3 ? 'MoneyWithdrawn' : 'MoneyDeposited', `${n}.0${n % 10}`, description);
      await writeAccount(on.log, id, event);
      if (n % 30 === 0) {
        await runner.stop();
        runner = run(summary);
      }
    }
    await writeAccount(on.log, id, closed);
    const all = await live;

    expect(all.map(({ account }) => account.version)).toEqual(Array.from({ length: total }, (_, n) => n + 1));
    expect(seen.every(Boolean)).toBe(true);
    expect(all.at(-1)!.account).toEqual(await on.commerce.account(alice, id));
    expect(all.at(-2)!.account.status).toBe('ACTIVE');
    for (const at of [0, 1, 18, 19, 20, 57, total - 2]) {
      const rest = await followAccount(id, all[at]!.cursor, total - 1 - at);
      expect(rest).toEqual(all.slice(at + 1));
    }
  });

  it('accountUpdated without a cursor sends the updates from now on', async () => {
    const id = ids.next();
    await writeAccount(on.log, id, created(id, 'alice'), moved('MoneyDeposited', '1.00'));
    await project(summary);
    run(summary);
    let told = false;
    const live = followAccount(id, null, 3).finally(() => {
      told = true;
    });
    while (!told) await writeAccount(on.log, id, moved('MoneyDeposited', '1.00'));
    const versions = (await live).map(({ account }) => account.version);
    expect(versions[0]).toBeGreaterThan(1);
    expect(versions).toEqual([0, 1, 2].map((n) => versions[0]! + n));
  });

  it('accountUpdated sends updates from the creation on where the read model does not have the account yet', async () => {
    const id = ids.next();
    await writeAccount(on.log, id, created(id, 'alice'), moved('MoneyDeposited', '1.00'));
    const live = followAccount(id, null, 2);
    run(summary);
    expect((await live).map(({ account }) => [account.version, account.balance])).toEqual([
      [0, '0.00'],
      [1, '1.00'],
    ]);
  });

  it('accountUpdated resumes after 1,000 missed events, and answers CURSOR_EXPIRED after more', async () => {
    const id = ids.next();
    const deposits = Array.from({ length: 1_001 }, () => moved('MoneyDeposited', '0.01'));
    await writeAccount(on.log, id, created(id, 'alice'), ...deposits);
    await project(summary);
    await expect(followAccount(id, first(id), 1)).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
    const caughtUp = await followAccount(id, encodeCursor(id, 1), 1_000);
    expect(caughtUp.at(-1)?.account).toEqual(await on.commerce.account(alice, id));
    expect(caughtUp[0]?.account).toMatchObject({ version: 2, balance: '0.02' });
  });

  it('accountUpdated is for the owner and admins; wrong cursors and unknown accounts are refused', async () => {
    const [id, other] = [ids.next(), ids.next()];
    await writeAccount(on.log, id, created(id, 'alice'), moved('MoneyDeposited', '1.00'));
    await project(summary);
    expect(await followAccount(id, first(id), 1, { by: root })).toHaveLength(1);
    const by = callerNamed('bob');
    await expect(followAccount(id, null, 1, { by })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (const unknown of [other, '\0']) {
      await expect(followAccount(unknown, null, 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    for (const cursor of ['rubbish', first(other), encodeCursor(id, 2), encodeCursor(id, -1)]) {
      await expect(followAccount(id, cursor, 1)).rejects.toMatchObject({ code: 'BAD_CURSOR' });
    }
  });

  it('accountUpdated ends when its subscriber leaves, also while it waits for an update', async () => {
    const id = ids.next();
    await writeAccount(on.log, id, created(id, 'alice'), moved('MoneyDeposited', '1.00'));
    await project(summary);
    const stop = new AbortController();
    const updates = on.commerce.followAccount(hub, alice, id, first(id), stop.signal);
    expect((await updates.next()).value).toMatchObject({ account: { version: 1 } });
    const waiting = updates.next();
    stop.abort();
    expect(await waiting).toMatchObject({ done: true });
  });
});

describe('an order', () => {
  it('orderUpdated sends the order as of each of its events, live or when resumed', async () => {
    const id = ids.next();
    await writeOrder(on.log, id, placed(id, 'alice'));
    const live = followOrder(id, null, 3);
    run(orderModel);
    await writeOrder(on.log, id, shipped(id));
    await writeOrder(on.log, id, cancelled(id, 'alice'));
    const all = await live;
    const nothing = { trackingNumber: null, cancellationReason: null, shippedAt: null, cancelledAt: null };
    const sent = { trackingNumber: 'TRACK-1', shippedAt: expect.any(Date) };
    const gone = { cancellationReason: 'changed my mind', cancelledAt: expect.any(Date) };
    expect(all.map(({ order }) => order)).toMatchObject([
      { ...nothing, orderId: id, status: 'CONFIRMED', customerName: 'Ann Lee', version: 0 },
      { ...nothing, ...sent, status: 'SHIPPED', totalAmount: '20.00', version: 1 },
      { ...sent, ...gone, status: 'CANCELLED', version: 2 },
    ]);
    expect(all[2]?.order).toEqual(await on.commerce.order(alice, id));
    expect(await followOrder(id, all[0]!.cursor, 2)).toEqual(all.slice(1));
    expect(await followOrder(id, all[1]!.cursor, 1)).toEqual(all.slice(2));
  });

  it('orderUpdated is for the owner and admins; wrong cursors and unknown orders are refused', async () => {
    const [id, other] = [ids.next(), ids.next()];
    await writeOrder(on.log, id, placed(id, 'alice'), shipped(id));
    await project(orderModel);
    expect(await followOrder(id, first(id), 1, root)).toHaveLength(1);
    await expect(followOrder(id, null, 1, callerNamed('bob'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (const unknown of [other, '\0']) {
      await expect(followOrder(unknown, null, 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    for (const cursor of ['rubbish', first(other), encodeCursor(id, 2)]) {
      await expect(followOrder(id, cursor, 1)).rejects.toMatchObject({ code: 'BAD_CURSOR' });
    }
  });
});
