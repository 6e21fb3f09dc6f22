import type { CustomerEvent } from '../../src/domains/commerce/customer/events.js';
import { formatAmount } from '../../src/domains/commerce/money.js';
import type { OrderEvent, OrderPlaced } from '../../src/domains/commerce/order/events.js';
import type { ProductEvent } from '../../src/domains/commerce/product/events.js';
import type { TransferEvent, TransferFacts } from '../../src/domains/commerce/transfer/events.js';
import type { EventLog, NewEvent, RecordedEvent } from '../../src/platform/event-log/index.js';

type Fact = CustomerEvent | OrderEvent | ProductEvent | TransferEvent;

/** When the first event of a story is recorded; each one after it comes a minute later. */
export const FIRST = Date.parse('2026-03-01T23:58:00.000Z');

/** A log that is written by hand. */
export function writeStory() {
  const events: RecordedEvent[] = [];
  const lengths = new Map<string, number>();
  const add = (streamId: string, fact: Fact | NewEvent): void => {
    const streamPosition = lengths.get(streamId) ?? 0;
    lengths.set(streamId, streamPosition + 1);
    events.push({
      globalPosition: events.length + 1,
      streamId,
      streamPosition,
      ...(JSON.parse(JSON.stringify(fact)) as NewEvent),
      metadata: { correlationId: 'story', causationId: 'story', userId: 'storyteller' },
      createdAt: new Date(FIRST + events.length * 60_000),
    });
  };
  const movement = (
    type: 'InventoryReserved' | 'InventoryReleased' | 'InventoryShipped',
    order: OrderPlaced,
  ) => {
    for (const { productId, quantity } of order.items) {
      add(`Product-${productId}`, {
        type,
        data: { orderId: order.orderId, productId, quantity, version: 1 },
      });
    }
  };
  const timestamp = '2020-01-01T00:00:00.000Z';
  return {
    events,
    add,
    customer(
      customerId: string,
      over: Partial<Extract<CustomerEvent, { type: 'CustomerRegistered' }>['data']> = {},
    ) {
      const data = {
        customerId,
        userId: `user of ${customerId}`,
        firstName: 'Ada',
        lastName: `of ${customerId}`,
        email: `${customerId}@example.com`,
        creditLimit: '1000.00',
        version: 2 as const,
        ...over,
      };
      add(`Customer-${customerId}`, { type: 'CustomerRegistered', data });
    },
    setStatus(customerId: string, isActive: boolean, creditLimit: string) {
      const data = { customerId, isActive, creditLimit, version: 1 as const };
      add(`Customer-${customerId}`, { type: 'CustomerStatusSet', data });
    },
    pay(customerId: string, amount: string) {
      const data = { customerId, amount, reference: null, version: 1 as const };
      add(`Customer-${customerId}`, { type: 'PaymentRecorded', data });
    },
    product(productId: string, inStock: number, unitPrice = '2.50') {
      const data = { productId, name: `Name of ${productId}`, unitPrice, inStock, version: 1 as const };
      add(`Product-${productId}`, { type: 'ProductSaved', data });
    },
    /** Places an order of products at 2.50, and reserves them. */
    place(
      orderId: string,
      customerId: string,
      lines: readonly (readonly [productId: string, quantity: number])[],
      over: Partial<OrderPlaced> = {},
    ): OrderPlaced {
      const items = lines.map(([productId, quantity]) => ({
        productId,
        productName: `Name of ${productId}`,
        quantity,
        unitPrice: '2.50',
        lineTotal: formatAmount(250n * BigInt(quantity), 'USD'),
      }));
      const units = lines.reduce((sum, [, quantity]) => sum + quantity, 0);
      const placed: OrderPlaced = {
        orderId,
        customerId,
        ownerId: `user of ${customerId}`,
        items,
        totalAmount: formatAmount(250n * BigInt(units), 'USD'),
        shippingAddress: { street: '1 Main St', city: 'Springfield', zip: '12345', country: 'US' },
        timestamp,
        version: 1,
        ...over,
      };
      add(`Order-${orderId}`, { type: 'OrderPlaced', data: placed });
      movement('InventoryReserved', placed);
      return placed;
    },
    ship(order: OrderPlaced, trackingNumber: string) {
      const data = { orderId: order.orderId, trackingNumber, timestamp, version: 1 as const };
      add(`Order-${order.orderId}`, { type: 'OrderShipped', data });
      movement('InventoryShipped', order);
    },
    cancel(order: OrderPlaced, reason: string, releases = true) {
      const { orderId, customerId, totalAmount } = order;
      const data = { orderId, customerId, totalAmount, reason, timestamp, version: 1 as const };
      add(`Order-${orderId}`, { type: 'OrderCancelled', data });
      if (releases) movement('InventoryReleased', order);
    },
    transfer(
      type: TransferEvent['type'],
      transferId: string,
      over: Partial<TransferFacts & { reason: string }> = {},
    ) {
      const data = {
        transferId,
        fromAccountId: 'from',
        toAccountId: 'to',
        ownerId: 'alice',
        amount: '12.50',
        currency: 'USD',
        description: null,
        reason: 'ACCOUNT_CLOSED',
        version: 1 as const,
        ...over,
      };
      add(`Transfer-${transferId}`, { type, data });
    },
  };
}

export type Story = ReturnType<typeof writeStory>;

/** What happens next in a made-up story; the numbers choose among what there is. */
export type Turn = readonly [kind: number, one: number, other: number, quantity: number];

/** A story that could have happened: whatever a turn asks for and cannot be is left out. */
export function tell(turns: readonly Turn[]): Story {
  const story = writeStory();
  const customers = ['c0', 'c1', 'c2'].map((id) => ({ id, registered: false }));
  for (const id of ['p0', 'p1', 'p2']) story.product(id, 100);
  const open: { order: OrderPlaced; shipped: boolean }[] = [];
  const transfers: { id: string; left: TransferEvent['type'][] }[] = [];
  let named = 0;
  for (const [kind, one, other, quantity] of turns) {
    const customer = customers[one % customers.length]!;
    const pending = open[one % Math.max(1, open.length)];
    const transfer = transfers[one % Math.max(1, transfers.length)];
    switch (kind % 8) {
      case 0:
        if (!customer.registered) story.customer(customer.id);
        else story.setStatus(customer.id, other % 2 === 0, `${quantity}00.00`);
        customer.registered = true;
        break;
      case 1:
        if (customer.registered) story.pay(customer.id, `${quantity}.25`);
        break;
      case 2:
      case 3:
        named += 1;
        open.push({
          order: story.place(`o${named}`, customer.id, [
            [`p${one % 3}`, quantity],
            [`p${other % 3}`, 1],
          ]),
          shipped: false,
        });
        break;
      case 4:
        if (pending && !pending.shipped) {
          story.ship(pending.order, `T${other}`);
          pending.shipped = true;
        }
        break;
      case 5:
        if (pending) {
          story.cancel(pending.order, `reason ${other}`, !pending.shipped);
          open.splice(open.indexOf(pending), 1);
        }
        break;
      case 6:
        story.product(`p${one % 3}`, 50 + quantity);
        break;
      default:
        if (transfer && other % 3 > 0) {
          const next = transfer.left.shift();
          if (next) story.transfer(next, transfer.id);
        } else {
          named += 1;
          const end = (['TransferCompleted', 'TransferCompensated'] as const)[quantity % 2]!;
          transfers.push({ id: `t${named}`, left: ['TransferDebited', end] });
          story.transfer('TransferStarted', `t${named}`);
        }
    }
  }
  return story;
}

/** Appends the events to a real log, which gives them positions and times of its own. */
export async function record(log: EventLog, events: readonly RecordedEvent[]): Promise<void> {
  for (const { streamId, type, data, metadata } of events) {
    const result = await log.append({
      appends: [{ streamId, expected: 'any', events: [{ type, data }] }],
      metadata,
    });
    if (result.kind !== 'accepted') throw new Error(result.kind);
  }
}
