import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCustomers } from '../../src/domains/commerce/customer/read.js';
import { readOrders } from '../../src/domains/commerce/order/read.js';
import { readProducts } from '../../src/domains/commerce/product/read.js';
import type { Caller } from '../../src/platform/caller.js';
import { type Connection, encodeCursor, type PagingArguments } from '../../src/platform/paging.js';
import { createCommerceReadModels } from '../../src/projectors/commerce/index.js';
import { LoopbackHub } from './loopback-hub.js';
import { record, type Story, writeStory } from './stories.js';
import { type CommerceOnTest, callerNamed, ids, openCommerce, startProjector } from './with-commerce.js';

const [alice, bob, root] = [callerNamed('alice'), callerNamed('bob'), callerNamed('root', 'admin')];
const ear = new LoopbackHub();
const waitFor = (afterVersion: number, signal = new AbortController().signal, now = () => Date.now()) => ({
  afterVersion,
  hub: ear,
  clock: { now },
  signal,
});
let on: CommerceOnTest;
let runners: ReturnType<typeof startProjector>[];

/** Alice's customers are c1 and c2, Bob's is c3. Orders o3 to o5 were placed in the same moment. */
beforeAll(async () => {
  on = await openCommerce();
  const story = writeStory();
  for (const productId of ['p1', 'p2', 'p3']) story.product(productId, 100);
  for (const customerId of ['c1', 'c2']) story.customer(customerId, { userId: 'alice' });
  story.customer('c3', { userId: 'bob' });
  const place = (orderId: string, customerId: string) =>
    story.place(orderId, customerId, [], { ownerId: customerId === 'c3' ? 'bob' : 'alice' });
  story.ship(place('o1', 'c1'), 'TRACK');
  story.cancel(place('o2', 'c2'), 'changed my mind');
  story.transfer('TransferStarted', 't1');
  story.transfer('TransferRefused', 't1', { reason: 'INSUFFICIENT_FUNDS' });
  await record(on.log, story.events);
  const before = story.events.length;
  for (const [orderId, customerId] of [
    ['o4', 'c1'],
    ['o5', 'c3'],
    ['o3', 'c1'],
  ] as const) {
    place(orderId, customerId);
  }
  await recordAtOnce(story, before);
  runners = createCommerceReadModels({ wakeUps: ear }).map((projector) => startProjector(on, projector));
  await Promise.all([
    on.commerce.order(root, 'o3', waitFor(0)),
    on.commerce.customer(root, 'c3', waitFor(0)),
    on.commerce.product(root, 'p3', waitFor(0)),
    on.commerce.transfer(root, 't1', waitFor(1)),
  ]);
});
afterAll(async () => {
  await Promise.all(runners.map((runner) => runner.stop()));
  await on.close();
});

async function recordAtOnce(story: Story, from: number): Promise<void> {
  const appends = story.events
    .slice(from)
    .map(({ streamId, type, data }) => ({ streamId, expected: 'any' as const, events: [{ type, data }] }));
  await on.log.append({ appends, metadata: story.events[0]!.metadata });
}

/** An order that nobody has heard of, not recorded yet. */
function newOrder(customerId: string, ownerId: string) {
  const story = writeStory();
  const order = story.place(ids.next(), customerId, [], { ownerId });
  return { story, order, orderId: order.orderId };
}

/** Reads a list to its end, two at a time, and back to its beginning. */
async function bothWays<Item>(
  read: (paging: PagingArguments) => Promise<Connection<Item>>,
  idOf: (item: Item) => string,
) {
  const there: string[] = [];
  const back: string[] = [];
  let page = await read({ first: 2 });
  for (; ; page = await read({ first: 2, after: page.pageInfo.endCursor })) {
    there.push(...page.edges.map(({ node }) => idOf(node)));
    if (!page.pageInfo.hasNextPage) break;
  }
  page = await read({ last: 2 });
  for (; ; page = await read({ last: 2, before: page.pageInfo.startCursor })) {
    back.unshift(...page.edges.map(({ node }) => idOf(node)));
    if (!page.pageInfo.hasPreviousPage) break;
  }
  expect(back).toEqual(there);
  return there;
}

describe('an order', () => {
  it('is read with all of its fields', async () => {
    expect(await on.commerce.order(alice, 'o1')).toEqual({
      orderId: 'o1',
      customerId: 'c1',
      ownerId: 'alice',
      customerName: 'Ada of c1',
      customerEmail: 'c1@example.com',
      status: 'SHIPPED',
      items: [],
      totalAmount: '0.00',
      shippingAddress: '1 Main St, Springfield 12345, US',
      estimatedDelivery: expect.any(Date),
      placedAt: expect.any(Date),
      trackingNumber: 'TRACK',
      shippedAt: expect.any(Date),
      cancelledAt: null,
      cancellationReason: null,
      version: 1,
    });
    const { placedAt, estimatedDelivery } = (await on.commerce.order(alice, 'o1'))!;
    const day = Date.UTC(placedAt.getUTCFullYear(), placedAt.getUTCMonth(), placedAt.getUTCDate() + 5);
    expect(estimatedDelivery).toEqual(new Date(day));
  });

  it('is for whom its customer belongs to, and admins; an unknown one is null', async () => {
    expect(await on.commerce.order(root, 'o1')).toMatchObject({ orderId: 'o1' });
    expect(await on.commerce.order(bob, 'o1')).toBeNull();
    for (const orderId of ['unknown', '\0', 'x'.repeat(201), '']) {
      expect(await on.commerce.order(bob, orderId)).toBeNull();
    }
  });

  it('can be read after a version, at once when it is there and as soon as it comes', async () => {
    expect(await on.commerce.order(alice, 'o1', waitFor(1))).toMatchObject({ version: 1 });
    const { story, order, orderId } = newOrder('c1', 'alice');
    const shipped = on.commerce.order(alice, orderId, waitFor(1));
    await record(on.log, story.events);
    story.ship(order, 'T');
    await record(on.log, story.events.slice(1));
    expect(await shipped).toMatchObject({ orderId, status: 'SHIPPED', version: 1 });
    expect(ear.topics).toContain(`order:${orderId}`);
    expect(ear.listening).toBe(0);
  });

  it('that comes not far enough in 5000 ms times out', async () => {
    const times = [0, 4_999, 5_000];
    const wait = waitFor(7, undefined, () => times.shift() ?? 5_000);
    await expect(on.commerce.order(alice, 'o1', wait)).rejects.toMatchObject({
      code: 'READ_MODEL_TIMEOUT',
      message: 'Read model consistency timeout',
    });
    expect(ear.listening).toBe(0);
  });

  it('of somebody else is waited for as long as one that there is not, also where it comes meanwhile', async () => {
    const timedOut = { code: 'READ_MODEL_TIMEOUT', message: 'Read model consistency timeout' };
    for (const orderId of ['o1', 'unknown']) {
      let asked = 0;
      const wait = waitFor(0, undefined, () => (asked++ < 4 ? asked : 5_001));
      await expect(on.commerce.order(bob, orderId, wait)).rejects.toMatchObject(timedOut);
    }
    const { story, orderId } = newOrder('c1', 'alice');
    let now = 0;
    const curious = on.commerce.order(
      bob,
      orderId,
      waitFor(0, undefined, () => now),
    );
    const refusal = expect(curious).rejects.toMatchObject(timedOut);
    await record(on.log, story.events);
    expect(await on.commerce.order(alice, orderId, waitFor(0))).toMatchObject({ orderId });
    now = 5_000;
    await refusal;
    expect(ear.listening).toBe(0);
  });

  it('is waited for no longer when the client goes away', async () => {
    const client = new AbortController();
    const read = on.commerce.order(alice, 'never', waitFor(0, client.signal));
    client.abort();
    await expect(read).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(ear.listening).toBe(0);
  });
});

describe('lists', () => {
  const ordersOf = (caller: Caller, filter = {}) =>
    bothWays(
      (paging) => on.commerce.orders(caller, paging, filter),
      ({ orderId }) => orderId,
    );

  it('of orders are the caller’s own, an admin’s everybody’s; the newest first, in pages both ways', async () => {
    const carol = callerNamed('carol');
    expect(await ordersOf(bob)).toEqual(['o5']);
    expect(await ordersOf(carol)).toEqual([]);
    const own = (await ordersOf(alice)).filter((id) => id.startsWith('o'));
    expect(own).toEqual(['o4', 'o3', 'o2', 'o1']);
    const all = (await ordersOf(root)).filter((id) => id.startsWith('o'));
    expect(all).toEqual(['o5', 'o4', 'o3', 'o2', 'o1']);
  });

  it('of orders can be of one customer and of one status', async () => {
    expect(await ordersOf(alice, { customerId: 'c2' })).toEqual(['o2']);
    expect(await ordersOf(root, { customerId: 'c3' })).toEqual(['o5']);
    expect(await ordersOf(alice, { customerId: 'c3' })).toEqual([]);
    expect(await ordersOf(alice, { customerId: '\0' })).toEqual([]);
    expect(await ordersOf(alice, { status: 'CANCELLED' })).toEqual(['o2']);
    expect(await ordersOf(bob, { status: 'CANCELLED' })).toEqual([]);
    const confirmed = (await ordersOf(root, { status: 'CONFIRMED' })).filter((id) => id.startsWith('o'));
    expect(confirmed).toEqual(['o5', 'o4', 'o3']);
    expect(await ordersOf(root, { status: 'CONFIRMED', customerId: 'c3' })).toEqual(['o5']);
    expect(await ordersOf(root, { status: 'SHIPPED', customerId: 'c3' })).toEqual([]);
  });

  it('of customers are the caller’s own, an admin’s everybody’s; products are for all', async () => {
    const customersOf = (caller: Caller) =>
      bothWays(
        (paging) => on.commerce.customers(caller, paging),
        ({ customerId }) => customerId,
      );
    expect(await customersOf(alice)).toEqual(['c1', 'c2']);
    expect(await customersOf(bob)).toEqual(['c3']);
    expect(await customersOf(root)).toEqual(['c1', 'c2', 'c3']);
    const products = await bothWays(
      (paging) => on.commerce.products(bob, paging),
      ({ productId }) => productId,
    );
    expect(products).toEqual(['p1', 'p2', 'p3']);
  });

  it('take no cursor but their own', async () => {
    const far = encodeCursor(8.64e15, 'o1');
    for (const after of [
      'nonsense',
      encodeCursor('a\0'),
      encodeCursor(1, '\0'),
      encodeCursor(-1, 'o1'),
      far,
    ]) {
      const refused = { code: 'BAD_CURSOR' };
      await expect(on.commerce.orders(alice, { after })).rejects.toMatchObject(refused);
      await expect(on.commerce.customers(alice, { after })).rejects.toMatchObject(refused);
      await expect(on.commerce.products(alice, { after })).rejects.toMatchObject(refused);
    }
  });

  it('of orders of one status pass over no others, however rare it is', async () => {
    const plans: string[] = [];
    for (const direction of ['forward', 'backward'] as const) {
      for (const cursor of [null, encodeCursor(5, 'o')]) {
        for (const caller of [root, alice]) {
          const page = { direction, limit: 20, cursor };
          await readOrders(explainingTo(plans), caller, page, { status: 'SHIPPED' });
        }
      }
    }
    expect(plans).toHaveLength(8);
    for (const plan of plans) {
      expect(plan).toMatch(/Index Cond: .*status\)::text = .*ROW\(placed_at/);
      expect(plan).not.toMatch(/Seq Scan|Sort|Filter/);
    }
  });

  it('begin at their cursor in an index, however far it lies', async () => {
    const plans: string[] = [];
    const explaining = explainingTo(plans);
    const place = encodeCursor(5, 'o');
    const id = encodeCursor('o');
    for (const direction of ['forward', 'backward'] as const) {
      for (const cursor of [null, place]) {
        await readOrders(explaining, root, { direction, limit: 20, cursor }, {});
        await readOrders(explaining, alice, { direction, limit: 20, cursor }, {});
        await readOrders(explaining, alice, { direction, limit: 20, cursor }, { customerId: 'c1' });
      }
      for (const cursor of [null, id]) {
        await readCustomers(explaining, root, { direction, limit: 20, cursor });
        await readCustomers(explaining, alice, { direction, limit: 20, cursor });
        await readProducts(explaining, alice, { direction, limit: 20, cursor });
      }
    }
    expect(plans).toHaveLength(24);
    for (const plan of plans) {
      expect(plan).toMatch(/Index Cond: .*(ROW\(placed_at|customer_id\)::text [<>]|product_id\)::text [<>])/);
      expect(plan).not.toMatch(/Seq Scan|Sort/);
    }
  });
});

/** A database that tells how it would answer, and answers nothing. */
const explainingTo = (plans: string[]) =>
  ({
    async query(statement: { text: string }, values: readonly unknown[]) {
      plans.push(await keptPlanOf(statement.text, values));
      return { rows: [] };
    },
  }) as never;

/** The plan that a connection keeps for a statement, whatever its parameters. */
async function keptPlanOf(text: string, values: readonly unknown[]): Promise<string> {
  const literals = values.map((value) => {
    if (value === null || typeof value === 'number') return String(value);
    return `'${value instanceof Date ? value.toISOString() : value}'`;
  });
  return on.postgres.transaction(async (tx) => {
    await tx.query('SET LOCAL plan_cache_mode = force_generic_plan');
    // As if the tables were large.
    await tx.query('SET LOCAL enable_seqscan = off');
    await tx.query('SET LOCAL enable_bitmapscan = off');
    await tx.query('SET LOCAL enable_sort = off');
    await tx.query(`PREPARE kept AS ${text}`);
    const { rows } = await tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE kept(${literals})`);
    await tx.query('DEALLOCATE kept');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

describe('customers, products and transfers', () => {
  it('are read with all of their fields', async () => {
    expect(await on.commerce.customer(alice, 'c2')).toEqual({
      customerId: 'c2',
      userId: 'alice',
      firstName: 'Ada',
      lastName: 'of c2',
      email: 'c2@example.com',
      isActive: true,
      creditLimit: '1000.00',
      outstandingBalance: '0.00',
      version: 0,
    });
    expect(await on.commerce.product(bob, 'p1')).toEqual({
      productId: 'p1',
      name: 'Name of p1',
      unitPrice: '2.50',
      inStock: 100,
      reserved: 0,
      version: 0,
    });
    expect(await on.commerce.transfer(alice, 't1')).toEqual({
      transferId: 't1',
      fromAccountId: 'from',
      toAccountId: 'to',
      ownerId: 'alice',
      amount: '12.50',
      currency: 'USD',
      description: null,
      status: 'REFUSED',
      reason: 'INSUFFICIENT_FUNDS',
      version: 1,
    });
  });

  it('are for their owners and admins, products for all; unknown ones are null', async () => {
    expect(await on.commerce.customer(bob, 'c1')).toBeNull();
    expect(await on.commerce.transfer(bob, 't1')).toBeNull();
    expect(await on.commerce.customer(root, 'c1')).not.toBeNull();
    expect(await on.commerce.transfer(root, 't1')).not.toBeNull();
    for (const read of [on.commerce.customer, on.commerce.product, on.commerce.transfer]) {
      expect(await read(bob, 'unknown')).toBeNull();
      expect(await read(bob, '\0')).toBeNull();
      expect(await read(bob, '\0', waitFor(1))).toBeNull();
    }
  });

  it('can be read after a version', async () => {
    const story = writeStory();
    const [customerId, productId, transferId] = [ids.next(), ids.next(), ids.next()];
    const read = Promise.all([
      on.commerce.customer(alice, customerId, waitFor(1)),
      on.commerce.product(bob, productId, waitFor(1)),
      on.commerce.transfer(alice, transferId, waitFor(1)),
    ]);
    story.customer(customerId, { userId: 'alice' });
    story.pay(customerId, '5.00');
    for (const inStock of [1, 2]) story.product(productId, inStock);
    for (const type of ['TransferStarted', 'TransferDebited'] as const) story.transfer(type, transferId);
    await record(on.log, story.events);
    expect(await read).toMatchObject([
      { outstandingBalance: '-5.00', version: 1 },
      { inStock: 2, version: 1 },
      { status: 'DEBITED', version: 1 },
    ]);
    expect(ear.listening).toBe(0);
  });
});
