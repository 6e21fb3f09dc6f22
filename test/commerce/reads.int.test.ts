import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alice, bob, openReadsWorld, type ReadsWorld, root } from './reads-world.js';
import { record, writeStory } from './stories.js';
import { type CommerceOnTest, ids } from './with-commerce.js';

let world: ReadsWorld;
let on: CommerceOnTest;
let hub: ReadsWorld['hub'];
let waitFor: ReadsWorld['waitFor'];
beforeAll(async () => {
  world = await openReadsWorld();
  ({ on, hub, waitFor } = world);
});
afterAll(() => world.close());

/** An order that nobody has heard of, not recorded yet. */
function newOrder(customerId: string, ownerId: string) {
  const story = writeStory();
  const order = story.place(ids.next(), customerId, [], { ownerId });
  return { story, order, orderId: order.orderId };
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
    expect(hub.topics).toContain(`order:${orderId}`);
    expect(hub.listening).toBe(0);
  });

  it('that comes not far enough in 5000 ms times out', async () => {
    const times = [0, 4_999, 5_000];
    const wait = waitFor(7, undefined, () => times.shift() ?? 5_000);
    await expect(on.commerce.order(alice, 'o1', wait)).rejects.toMatchObject({
      code: 'READ_MODEL_TIMEOUT',
      message: 'Read model consistency timeout',
    });
    expect(hub.listening).toBe(0);
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
    expect(hub.listening).toBe(0);
  });

  it('is waited for no longer when the client goes away', async () => {
    const client = new AbortController();
    const read = on.commerce.order(alice, 'never', waitFor(0, client.signal));
    client.abort();
    await expect(read).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(hub.listening).toBe(0);
  });
});

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
    expect(hub.listening).toBe(0);
  });
});
