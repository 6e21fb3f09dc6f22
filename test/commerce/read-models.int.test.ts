import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openReadModels, type ReadModelsOnTest } from './read-models-world.js';
import { FIRST, writeStory } from './stories.js';

let models: ReadModelsOnTest;

beforeAll(async () => {
  models = await openReadModels();
});
afterAll(() => models?.on.close());
beforeEach(() => {
  models.hub.topics.length = 0;
});

const minute = (n: number): Date => new Date(FIRST + n * 60_000);

describe('the order read model', () => {
  it('has every field of an order, at every step of its life', async () => {
    const { hub, apply, rowsAfter } = models;
    const story = writeStory();
    story.customer('c');
    const order = story.place('o', 'c', [['p', 3]]);
    const placed = {
      order_id: 'o',
      customer_id: 'c',
      owner_id: 'user of c',
      customer_name: 'Ada of c',
      customer_email: 'c@example.com',
      status: 'CONFIRMED',
      items: [
        { productId: 'p', productName: 'Name of p', quantity: 3, unitPrice: '2.50', lineTotal: '7.50' },
      ],
      total_amount: '7.50',
      shipping_address: '1 Main St, Springfield 12345, US',
      placed_at: minute(1),
      tracking_number: null,
      shipped_at: null,
      cancelled_at: null,
      cancellation_reason: null,
      version: 0,
    };
    story.ship(order, 'TRACK');
    const shipped = {
      ...placed,
      status: 'SHIPPED',
      tracking_number: 'TRACK',
      shipped_at: minute(3),
      version: 1,
    };
    story.cancel(order, 'lost', false);
    const cancelled = {
      ...shipped,
      status: 'CANCELLED',
      cancelled_at: minute(5),
      cancellation_reason: 'lost',
      version: 2,
    };
    const orderEvents = story.events.filter(({ streamId }) => !streamId.startsWith('Product'));
    for (const [count, row] of [placed, shipped, cancelled].entries()) {
      const { orders } = await rowsAfter((tx) => apply(tx, orderEvents.slice(0, count + 2)));
      expect(orders).toMatchObject([row]);
    }
    expect(hub.topics).toContain('order:o');
  });

  it('expects delivery five days after the order’s day in UTC', async () => {
    const { apply, rowsAfter } = models;
    const story = writeStory();
    story.place('o', 'c', []);
    await rowsAfter(async (tx) => {
      await tx.query("SET LOCAL TIME ZONE 'Asia/Tokyo'");
      await apply(tx, story.events);
      const { rows } = await tx.query('SELECT estimated_delivery::text AS day FROM orders');
      expect(rows).toEqual([{ day: '2026-03-06' }]);
    });
  });

  it('writes the address on one line, as far as it was given', async () => {
    const { apply, rowsAfter } = models;
    const story = writeStory();
    const address = { street: null, city: 'Bern', zip: '3000', country: null };
    story.place('o1', 'c', [], { shippingAddress: address });
    story.place('o2', 'c', [], { shippingAddress: { ...address, country: 'CH' } });
    const { orders } = await rowsAfter((tx) => apply(tx, story.events));
    expect(orders!.map((order) => order.shipping_address)).toEqual(['Bern 3000', 'Bern 3000, CH']);
  });

  it('has the name that the customer had when they ordered, also of a customer with a version 1 event', async () => {
    const { apply, rowsAfter } = models;
    const story = writeStory();
    story.place('early', 'c', []);
    story.add('Customer-c', {
      type: 'CustomerRegistered',
      data: { name: 'Ada Lovelace King', email: 'ada@example.com' },
    });
    story.add('Customer-d', { type: 'CustomerRegistered', data: { name: 'Plato', email: 'p@example.com' } });
    story.place('late', 'c', []);
    story.place('short', 'd', []);
    const { orders, customers } = await rowsAfter((tx) => apply(tx, story.events));
    expect(
      orders!.map(({ order_id, customer_name, customer_email }) => [order_id, customer_name, customer_email]),
    ).toEqual([
      ['early', 'c', ''],
      ['late', 'Ada Lovelace King', 'ada@example.com'],
      ['short', 'Plato', 'p@example.com'],
    ]);
    expect(customers).toMatchObject([
      { first_name: 'Ada', last_name: 'Lovelace King', user_id: 'storyteller', credit_limit: '1000.00' },
      { first_name: 'Plato', last_name: '', is_active: true },
    ]);
  });
});

describe('the read model of customers', () => {
  it('has every field; orders and payments change what the customer owes, also below zero', async () => {
    const { hub, apply, rowsAfter } = models;
    const story = writeStory();
    story.customer('c', { creditLimit: '50.00' });
    const order = story.place('o', 'c', [['p', 4]]);
    story.pay('c', '9.99');
    story.setStatus('c', false, '75.50');
    story.cancel(order, 'why not');
    story.place('o2', 'nobody', [['p', 1]]);
    const customerEvents = story.events.filter(({ streamId }) => !streamId.startsWith('Product'));
    const { customers } = await rowsAfter((tx) => apply(tx, customerEvents));
    expect(customers).toMatchObject([
      {
        customer_id: 'c',
        user_id: 'user of c',
        first_name: 'Ada',
        last_name: 'of c',
        email: 'c@example.com',
        is_active: false,
        credit_limit: '75.50',
        outstanding: '-9.99',
        version: 2,
        last_event_position: story.events.find(({ type }) => type === 'OrderCancelled')!.globalPosition,
      },
    ]);
    expect(hub.topics).toContain('customer:c');
  });
});

describe('the read model of products', () => {
  it('has every field; reserving, releasing and shipping move the stock', async () => {
    const { hub, apply, rowsAfter } = models;
    const story = writeStory();
    story.product('p', 10, '2.50');
    story.ship(story.place('o1', 'c', [['p', 3]]), 'T');
    story.place('o2', 'c', [['p', 2]]);
    story.cancel(story.place('o3', 'c', [['p', 1]]), 'no');
    story.product('p', 20, '0.00');
    const events = story.events.filter(({ streamId }) => streamId.startsWith('Product'));
    const { products } = await rowsAfter((tx) => apply(tx, events));
    const last = { version: 6, last_event_position: events.at(-1)!.globalPosition };
    expect(products).toEqual([
      { product_id: 'p', name: 'Name of p', unit_price: '0.00', on_hand: 20, reserved: 2, ...last },
    ]);
    const before = await rowsAfter((tx) => apply(tx, events.slice(0, -1)));
    expect(before.products).toMatchObject([{ unit_price: '2.50', on_hand: 7, reserved: 2 }]);
    expect(hub.topics).toContain('product:p');
  });

  it('writes a product once for a thousand movements', async () => {
    const { apply, rowsAfter } = models;
    const story = writeStory();
    story.product('p', 2_000);
    for (let n = 0; n < 1_000; n += 1) story.place(`o${n}`, 'c', [['p', 1]]);
    let written = 0;
    const { products } = await rowsAfter((tx) =>
      apply(
        {
          async query(statement, values) {
            const result = await tx.query(statement, values);
            if (typeof statement !== 'string' && statement.name === 'products.writeProducts')
              written += result.rowCount ?? 0;
            return result as never;
          },
        },
        story.events,
      ),
    );
    expect(products).toMatchObject([{ on_hand: 2_000, reserved: 1_000, version: 1_000 }]);
    expect(written).toBe(1);
  });
});

describe('the read model of transfers', () => {
  it('has every field, and how each transfer ended', async () => {
    const { hub, apply, rowsAfter } = models;
    const story = writeStory();
    const ends = {
      s: [],
      d: ['TransferDebited'],
      c: ['TransferDebited', 'TransferCompleted'],
      r: ['TransferRefused'],
      x: ['TransferDebited', 'TransferCompensated'],
    } as const;
    for (const [id, types] of Object.entries(ends)) {
      for (const type of ['TransferStarted', ...types] as const)
        story.transfer(type, id, { description: `for ${id}` });
    }
    const { transfers } = await rowsAfter((tx) => apply(tx, story.events));
    expect(transfers!.map((t) => [t.transfer_id, t.status, t.reason, t.version])).toEqual([
      ['c', 'COMPLETED', null, 2],
      ['d', 'DEBITED', null, 1],
      ['r', 'REFUSED', 'ACCOUNT_CLOSED', 1],
      ['s', 'STARTED', null, 0],
      ['x', 'COMPENSATED', 'ACCOUNT_CLOSED', 2],
    ]);
    expect(transfers!.find(({ transfer_id }) => transfer_id === 'd')).toEqual({
      transfer_id: 'd',
      from_account_id: 'from',
      to_account_id: 'to',
      owner_id: 'alice',
      amount: '12.50',
      currency: 'USD',
      description: 'for d',
      status: 'DEBITED',
      reason: null,
      started_at: minute(1),
      version: 1,
      last_event_position: 3,
    });
    expect(hub.topics).toContain('transfer:c');
  });
});
