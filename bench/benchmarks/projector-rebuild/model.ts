import type { StreamAppend } from '../../../src/platform/event-log/index.js';

/** A read model and the log that it is built from: only events that its projector wants. */
export interface Model {
  readonly tables: readonly string[];
  /** The log of about `events` events, in the order of the appends; each is one event. */
  log(events: number): Iterable<StreamAppend>;
}

const currency = 'USD';
const event = (
  streamId: string,
  type: string,
  data: StreamAppend['events'][number]['data'],
): StreamAppend => ({
  streamId,
  expected: 'any',
  events: [{ type, data }],
});

/** A hundred events for each account: it is created, then money comes and goes, all accounts by turns. */
function* accountEvents(events: number): Iterable<StreamAppend> {
  const accounts = Math.ceil(events / 100);
  for (let n = 0; n < events; n += 1) {
    const accountId = `account${n % accounts}`;
    const turn = Math.floor(n / accounts);
    const stream = `Account-${accountId}`;
    if (turn === 0) {
      yield event(stream, 'AccountCreated', { accountId, ownerId: `owner${n % 97}`, currency, version: 1 });
    } else {
      const amount = `${turn % 2 === 1 ? 200 + (n % 100) : 1 + (n % 100)}.25`;
      const description = `movement number ${turn}`;
      const data = { amount, currency, description, transferId: null, version: 1 };
      yield event(stream, turn % 2 === 1 ? 'MoneyDeposited' : 'MoneyWithdrawn', data);
    }
  }
}

/** A customer for every hundred orders; of seven orders five are shipped later, one is cancelled, one waits. */
function* orderEvents(events: number): Iterable<StreamAppend> {
  const orders = Math.ceil(events / (1 + 6 / 7 + 1 / 100));
  const customers = Math.ceil(orders / 100);
  const timestamp = '2026-05-04T10:20:30.000Z';
  for (let n = 0; n < customers; n += 1) {
    const customerId = `customer${n}`;
    yield event(`Customer-${customerId}`, 'CustomerRegistered', {
      customerId,
      userId: `owner${n}`,
      firstName: 'Ada',
      lastName: `Buyer ${n}`,
      email: `${customerId}@example.com`,
      creditLimit: '1000.00',
      version: 2,
    });
  }
  const later = 500;
  for (let n = 0; n < orders + later; n += 1) {
    if (n < orders) yield event(`Order-order${n}`, 'OrderPlaced', placed(n, customers, timestamp));
    const before = n - later;
    if (before < 0 || before % 7 === 6) continue;
    const orderId = `order${before}`;
    if (before % 7 === 5) {
      const { customerId, totalAmount } = placed(before, customers, timestamp);
      const data = { orderId, customerId, totalAmount, reason: 'changed my mind', timestamp, version: 1 };
      yield event(`Order-${orderId}`, 'OrderCancelled', data);
    } else {
      const data = { orderId, trackingNumber: `1Z${before}`, timestamp, version: 1 };
      yield event(`Order-${orderId}`, 'OrderShipped', data);
    }
  }
}

function placed(n: number, customers: number, timestamp: string) {
  const items = [0, 1].map((line) => ({
    productId: `product${(n + line) % 40}`,
    productName: `Product number ${(n + line) % 40}`,
    quantity: 1 + line,
    unitPrice: '12.50',
    lineTotal: line === 0 ? '12.50' : '25.00',
  }));
  return {
    orderId: `order${n}`,
    customerId: `customer${n % customers}`,
    ownerId: `owner${n % customers}`,
    items,
    totalAmount: '37.50',
    shippingAddress: { street: '1 High Street', city: 'Springfield', zip: '12345', country: 'US' },
    timestamp,
    version: 1,
  };
}

/** The models that are built anew, by the name of their projector. */
export const models = {
  'account-summary': { tables: ['accounts', 'account_transactions'], log: accountEvents },
  orders: { tables: ['orders', 'order_customers'], log: orderEvents },
} as const satisfies Record<string, Model>;

export type ModelName = keyof typeof models;
