import { accountStream } from '../../src/domains/commerce/account/events.js';
import { orderStream } from '../../src/domains/commerce/order/events.js';
import type { EventLog, JsonObject, NewEvent } from '../../src/platform/event-log/index.js';

/** Events as commands write them, for tests that want a history without its commands. */
export const created = (accountId: string, ownerId: string, currency = 'USD'): NewEvent => ({
  type: 'AccountCreated',
  data: { accountId, ownerId, currency, version: 1 },
});
export const moved = (
  type: 'MoneyDeposited' | 'MoneyWithdrawn',
  amount: string,
  description: string | null = null,
): NewEvent => ({
  type,
  data: { amount, currency: 'USD', description, transferId: null, version: 1 },
});
export const closed: NewEvent = { type: 'AccountClosed', data: { version: 1 } };

export const placed = (orderId: string, ownerId: string): NewEvent => ({
  type: 'OrderPlaced',
  data: {
    orderId,
    customerId: `customer of ${ownerId}`,
    ownerId,
    items: [{ productId: 'p1', productName: 'Chair', quantity: 2, unitPrice: '10.00', lineTotal: '20.00' }],
    totalAmount: '20.00',
    shippingAddress: { street: 'Main St 1', city: 'Springfield', zip: '12345', country: null },
    timestamp: '2026-01-01T10:00:00.000Z',
    version: 1,
  },
});
export const shipped = (orderId: string): NewEvent => ({
  type: 'OrderShipped',
  data: { orderId, trackingNumber: 'TRACK-1', timestamp: '2026-01-02T10:00:00.000Z', version: 1 },
});
export const cancelled = (orderId: string, ownerId: string): NewEvent => ({
  type: 'OrderCancelled',
  data: {
    orderId,
    customerId: `customer of ${ownerId}`,
    totalAmount: '20.00',
    reason: 'changed my mind',
    timestamp: '2026-01-03T10:00:00.000Z',
    version: 1,
  },
});
export const customerRegistered = (ownerId: string): NewEvent => ({
  type: 'CustomerRegistered',
  data: {
    customerId: `customer of ${ownerId}`,
    userId: ownerId,
    firstName: 'Ann',
    lastName: 'Lee',
    email: 'ann@example.com',
    creditLimit: '1000.00',
    version: 2,
  },
});
export const refusedTransfer = (transferId: string, ownerId: string): NewEvent => ({
  type: 'TransferRefused',
  data: {
    transferId,
    fromAccountId: 'a',
    toAccountId: 'b',
    ownerId,
    amount: '12.50',
    currency: 'USD',
    description: null,
    reason: 'INSUFFICIENT_FUNDS',
    version: 1,
  } satisfies JsonObject,
});

/** Appends, each call for itself, and answers the log's position. */
export async function write(
  log: Pick<EventLog, 'append'>,
  streamId: string,
  events: readonly NewEvent[],
  metadata = { correlationId: 'story', causationId: 'command', userId: 'alice' },
): Promise<number> {
  const result = await log.append({ appends: [{ streamId, expected: 'any', events }], metadata });
  if (result.kind !== 'accepted') throw new Error(result.kind);
  return result.position;
}
export const writeAccount = (log: EventLog, accountId: string, ...events: NewEvent[]): Promise<number> =>
  write(log, accountStream(accountId), events);
export const writeOrder = (log: EventLog, orderId: string, ...events: NewEvent[]): Promise<number> =>
  write(log, orderStream(orderId), events);
