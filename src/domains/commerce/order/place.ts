import { ok, type Result, refused, refusedAll, type UserError } from '../../../platform/errors.js';
import type { Actor } from '../command.js';
import { type Credit, creditLimitExceeded, mayOwe, orderingCustomer } from '../customer/credit.js';
import { formatAmount } from '../money.js';
import { hasAvailable, type Stock } from '../product/state.js';
import { SHOP_CURRENCY } from '../shop.js';
import type { OrderedItem, OrderPlaced, ShippingAddress } from './events.js';
import { type Units, unitsOf } from './state.js';

export interface PlaceOrder {
  readonly actor: Actor;
  readonly orderId: string;
  readonly customerId: string;
  /** 1 to 100. */
  readonly lines: readonly OrderLine[];
  readonly shippingAddress: ShippingAddress;
  /** ISO 8601. */
  readonly timestamp: string;
}

export interface OrderLine extends Units {
  /** What the client takes for the unit price. Minor units of the shop's currency. */
  readonly price: bigint;
}

/** How things are with everything that an order depends on. */
export interface PlacingFacts {
  readonly customer: Credit | null;
  /** By product id. */
  readonly stocks: ReadonlyMap<string, Stock>;
  /** Whether the order id is. */
  readonly taken: boolean;
}

/** An order that may be placed, and what it takes. */
export interface Placement {
  readonly placed: OrderPlaced;
  readonly reserved: readonly Units[];
  /** Minor units of the shop's currency. */
  readonly total: bigint;
}

/**
 * PlaceOrder's rules in the document's order: the customer must be active, all items in stock, and what they owe,
 * this order included, within their credit limit. Before stock counts, items must be in the catalogue at these prices.
 *
 * Refuses with CUSTOMER_NOT_FOUND (also of another user's), INACTIVE_CUSTOMER, PRODUCT_NOT_FOUND, PRICE_CHANGED, OUT_OF_STOCK,
 * CREDIT_LIMIT_EXCEEDED or ORDER_EXISTS.
 */
export function decidePlacing(command: PlaceOrder, facts: PlacingFacts): Result<Placement> {
  const customer = orderingCustomer(command.actor, facts.customer);
  if (!customer.ok) return customer;
  const items = orderedItems(command.lines, facts.stocks);
  if (!items.ok) return items;
  const reserved = unitsOf(command.lines);
  const short = reserved.find(({ productId, quantity }) => !available(facts, productId, quantity));
  if (short) return outOfStock(command.lines, short.productId);
  const total = command.lines.reduce((sum, line) => sum + lineTotal(line), 0n);
  if (!mayOwe(customer.value, total)) return creditLimitExceeded;
  if (facts.taken) return refused('ORDER_EXISTS', 'This order id is taken', ['input', 'orderId']);
  const { orderId, customerId, shippingAddress, timestamp } = command;
  const placed: OrderPlaced = {
    orderId,
    customerId,
    ownerId: customer.value.userId,
    items: [...items.value],
    totalAmount: formatAmount(total, SHOP_CURRENCY),
    shippingAddress,
    timestamp,
    version: 1,
  };
  return ok({ placed, reserved, total });
}

/** The lines as they are ordered, if all are in the catalogue at these prices. Every fault at once. */
function orderedItems(
  lines: readonly OrderLine[],
  stocks: PlacingFacts['stocks'],
): Result<readonly OrderedItem[]> {
  const items: OrderedItem[] = [];
  const faults: UserError[] = [];
  lines.forEach((line, index) => {
    const stock = stocks.get(line.productId);
    if (!stock) faults.push(productNotFound(index));
    else if (stock.unitPrice !== line.price) faults.push(priceChanged(index, stock));
    else
      items.push({
        productId: line.productId,
        productName: stock.name,
        quantity: line.quantity,
        unitPrice: formatAmount(line.price, SHOP_CURRENCY),
        lineTotal: formatAmount(lineTotal(line), SHOP_CURRENCY),
      });
  });
  return faults.length > 0 ? refusedAll(faults) : ok(items);
}

const lineTotal = ({ price, quantity }: OrderLine): bigint => price * BigInt(quantity);

function available({ stocks }: PlacingFacts, productId: string, quantity: number): boolean {
  const stock = stocks.get(productId);
  return stock !== undefined && hasAvailable(stock, quantity);
}

const productNotFound = (index: number): UserError => ({
  code: 'PRODUCT_NOT_FOUND',
  message: 'There is no such product',
  path: ['input', 'items', String(index), 'productId'],
});

const priceChanged = (index: number, { unitPrice }: Stock): UserError => ({
  code: 'PRICE_CHANGED',
  message: `The price is ${formatAmount(unitPrice, SHOP_CURRENCY)} ${SHOP_CURRENCY}`,
  path: ['input', 'items', String(index), 'price'],
});

/** At the first line of the product. */
export function outOfStock(lines: readonly OrderLine[], short: string): Result<never> {
  const index = lines.findIndex(({ productId }) => productId === short);
  return refused('OUT_OF_STOCK', 'Out of stock', ['input', 'items', String(index)]);
}
