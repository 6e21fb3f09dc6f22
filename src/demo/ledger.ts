import { type Credit, owedBy } from '../domains/commerce/customer/credit.js';
import { type CustomerEvent, customerIdOf, readCustomerEvent } from '../domains/commerce/customer/events.js';
import { minorUnitsOf } from '../domains/commerce/money.js';
import { debtEvents } from '../domains/commerce/order/events.js';
import { productIdOf, readProductEvent } from '../domains/commerce/product/events.js';
import { evolveStock, type Stock } from '../domains/commerce/product/state.js';
import { SHOP_CURRENCY } from '../domains/commerce/shop.js';
import { upcasters } from '../domains/commerce/upcasters.js';
import type { EventOf } from '../platform/event-log/define-events.js';
import type { RecordedEvent } from '../platform/event-log/index.js';

/** The rows that orders are checked against, as the events add up to them. */
export interface Ledger {
  /** By product. */
  readonly stock: Map<string, Stock>;
  /** By customer. */
  readonly credit: Map<string, Credit>;
}

type Fact = Pick<RecordedEvent, 'type' | 'data' | 'streamId' | 'metadata'>;

/** Enters one more event, of any kind and schema version. */
export function enter({ stock, credit }: Ledger, event: Fact): void {
  const data = upcasters[event.type]?.(event.data, event) ?? event.data;
  const fact = { type: event.type, data };
  if (event.streamId.startsWith('Product-')) {
    const productId = productIdOf(event.streamId);
    stock.set(productId, evolveStock(stock.get(productId) ?? null, readProductEvent(fact)));
  } else if (event.streamId.startsWith('Customer-')) {
    const customerId = customerIdOf(event.streamId);
    credit.set(customerId, evolveCredit(credit.get(customerId), readCustomerEvent(fact)));
  } else if (debtEvents.types.has(event.type)) {
    const order = debtEvents.read(fact);
    const { customerId } = order.data;
    credit.set(customerId, evolveCredit(credit.get(customerId), order));
  }
}

/** Everything entered. */
export function balance(events: Iterable<Fact>): Ledger {
  const ledger: Ledger = { stock: new Map(), credit: new Map() };
  for (const event of events) enter(ledger, event);
  return ledger;
}

export const minorOf = (amount: string): bigint => minorUnitsOf(amount, SHOP_CURRENCY);

function evolveCredit(before: Credit | undefined, event: CustomerEvent | EventOf<typeof debtEvents>): Credit {
  if (event.type === 'CustomerRegistered') {
    const { userId, creditLimit } = event.data;
    return { userId, isActive: true, creditLimit: minorOf(creditLimit), outstanding: 0n };
  }
  if (!before) throw new Error(`${event.type} before CustomerRegistered`);
  if (event.type === 'CustomerStatusSet') {
    const { isActive, creditLimit } = event.data;
    return { ...before, isActive, creditLimit: minorOf(creditLimit) };
  }
  return { ...before, outstanding: before.outstanding + owedBy(event) };
}
