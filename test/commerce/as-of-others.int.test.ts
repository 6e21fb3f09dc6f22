import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCommerce, type PositionWait } from '../../src/domains/commerce/index.js';
import { systemClock } from '../../src/platform/clock.js';
import type { EventLog } from '../../src/platform/event-log/index.js';
import { createCommerceReadModels } from '../../src/projectors/commerce/index.js';
import { acceptedOf, alice, bob, newCustomer, newProduct, orderOf, root } from './order-world.js';
import { type CommerceOnTest, checkpointOf, ids, openCommerce, startProjector } from './with-commerce.js';

let on: CommerceOnTest;
let projectors: ReturnType<typeof startProjector>[];
const startProjectors = (): void => {
  const readModels = createCommerceReadModels({ wakeUps: { publish: async () => undefined } });
  projectors = readModels.map((projector) => startProjector(on, projector));
};
beforeAll(async () => {
  on = await openCommerce();
  startProjectors();
});
afterAll(async () => {
  await Promise.all(projectors.map((projector) => projector.stop()));
  await on.close();
});

/** Rings never: whoever waits looks now and then. */
const wait = (): Omit<PositionWait, 'afterPosition'> => {
  const signal = new AbortController().signal;
  const hub = {
    listen: async () => ({ next: () => new Promise<null>(() => undefined), close: () => undefined }),
  };
  return { hub, clock: systemClock, signal };
};

/** After every command: when it was, and what the read models showed then. */
async function aShop() {
  const [customerId, productId] = [await newCustomer(on), await newProduct(on)];
  const orderId = ids.next();
  const moments: { at: Date; order: unknown; customer: unknown; product: unknown }[] = [];
  async function note(command: Promise<Parameters<typeof acceptedOf>[0]>): Promise<void> {
    const { position } = acceptedOf(await command);
    const { events } = await on.log.readAll(position - 1, 1);
    const at = new Date(events[0]!.createdAt.getTime());
    const behind = { ...wait(), afterPosition: position };
    const customer = await on.commerce.customer(alice, customerId, undefined, behind);
    const version = (await on.log.readStream(`Order-${orderId}`)).length - 1;
    const order =
      version < 0 ? null : await on.commerce.order(alice, orderId, { ...wait(), afterVersion: version });
    const stock = (await on.log.readStream(`Product-${productId}`)).length - 1;
    const product = await on.commerce.product(alice, productId, { ...wait(), afterVersion: stock });
    moments.push({ at, order, customer, product });
    // The next command is of a later millisecond.
    while (Date.now() <= at.getTime()) await new Promise(setImmediate);
  }
  await note(on.commerce.placeOrder(alice, { ...orderOf(customerId, { [productId]: 3 }), orderId }));
  await note(
    on.commerce.saveProduct(root, { productId, name: 'Tea, green', unitPrice: '3.00', inStock: 20 }),
  );
  await note(on.commerce.recordPayment(root, { customerId, amount: '5' }));
  await note(on.commerce.shipOrder(root, { orderId, trackingNumber: 'T-1' }));
  await note(on.commerce.setCustomerStatus(root, { customerId, isActive: false, creditLimit: '10' }));
  await note(on.commerce.cancelOrder(alice, { orderId, reason: 'late' }));
  return { orderId, customerId, productId, moments };
}

describe('The state at a time', () => {
  it('of an order, its customer and its product is what the read models showed then', async () => {
    const { orderId, customerId, productId, moments } = await aShop();
    for (const { at, order, customer, product } of moments) {
      expect(await on.commerce.orderAsOf(alice, orderId, at)).toEqual(order);
      expect(await on.commerce.customerAsOf(alice, customerId, at, wait())).toEqual(customer);
      expect(await on.commerce.productAsOf(bob, productId, at)).toEqual(product);
    }
    expect(
      moments.map(({ customer }) => (customer as { outstandingBalance: string }).outstandingBalance),
    ).toEqual(['7.50', '7.50', '2.50', '2.50', '2.50', '-5.00']);
  });

  it('is refused before the first event and in the future, and is null of what is not there or another’s', async () => {
    const { orderId, customerId, productId, moments } = await aShop();
    const [early, late] = [new Date(0), new Date(Date.now() + 3_600_000)];
    const now = moments.at(-1)!.at;
    const reads = [
      (id: string, at: Date, caller = alice) => on.commerce.orderAsOf(caller, id, at),
      (id: string, at: Date, caller = alice) => on.commerce.customerAsOf(caller, id, at, wait()),
      (id: string, at: Date, caller = alice) => on.commerce.productAsOf(caller, id, at),
    ];
    for (const [index, id] of [orderId, customerId, productId].entries()) {
      const read = reads[index]!;
      await expect(read(id, early)).rejects.toMatchObject({ code: 'AS_OF_TOO_EARLY' });
      await expect(read(id, late)).rejects.toMatchObject({ code: 'AS_OF_IN_FUTURE' });
      await expect(read(id, new Date(Number.NaN))).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
      expect(await read('nobody', now)).toBeNull();
      expect(await read('not an id', now)).toBeNull();
      expect(await read(id, now, root)).not.toBeNull();
    }
    expect(await on.commerce.orderAsOf(bob, orderId, now)).toBeNull();
    expect(await on.commerce.customerAsOf(bob, customerId, now, wait())).toBeNull();
  });

  it('of a customer is answered while the read model of orders lacks what came later', async () => {
    const [customerId, productId] = [await newCustomer(on), await newProduct(on)];
    const { position } = acceptedOf(
      await on.commerce.placeOrder(alice, orderOf(customerId, { [productId]: 3 })),
    );
    const { events } = await on.log.readAll(position - 1, 1);
    const at = events[0]!.createdAt;
    const asThen = await on.commerce.customer(alice, customerId, undefined, {
      ...wait(),
      afterPosition: position,
    });
    while (Date.now() <= at.getTime()) await new Promise(setImmediate);
    await expect.poll(() => checkpointOf(on, 'orders')).toBeGreaterThanOrEqual(position);
    await Promise.all(projectors.map((projector) => projector.stop()));
    try {
      acceptedOf(await on.commerce.placeOrder(alice, orderOf(customerId, { [productId]: 2 })));
      expect(await checkpointOf(on, 'orders')).toBeLessThan(await on.log.head());
      expect(await on.commerce.customerAsOf(alice, customerId, at, wait())).toEqual(asThen);
    } finally {
      startProjectors();
    }
  });

  it('of a customer has all of what happened up to one position, and nothing of what came while it was read', async () => {
    const [customerId, productId] = [await newCustomer(on), await newProduct(on)];
    acceptedOf(await on.commerce.placeOrder(alice, orderOf(customerId, { [productId]: 2 })));
    const order = orderOf(customerId, { [productId]: 1 });
    let happened = false;
    const log: EventLog = {
      ...on.log,
      async readStream(streamId, after, limit) {
        const events = await on.log.readStream(streamId, after, limit);
        if (limit !== 1 && !happened) {
          happened = true;
          acceptedOf(await on.commerce.recordPayment(root, { customerId, amount: '5' }));
          acceptedOf(await on.commerce.placeOrder(alice, order));
        }
        return events;
      },
    };
    // A moment that lies ahead of the database's clock has not ended when it is read.
    const clock = { now: () => Date.now() + 3_600_000 };
    const commerce = createCommerce({ postgres: on.postgres, log, ids, clock });
    const soon = new Date(Date.now() + 60_000);
    const customer = await commerce.customerAsOf(alice, customerId, soon, wait());
    expect(happened).toBe(true);
    expect(customer?.outstandingBalance).toBe('5.00');
  });
});
