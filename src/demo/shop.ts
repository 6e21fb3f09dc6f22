import { mayOwe } from '../domains/commerce/customer/credit.js';
import { customerStream } from '../domains/commerce/customer/events.js';
import type { OrderedItem } from '../domains/commerce/order/events.js';
import { DAYS, makeAgenda, type Step } from './agenda.js';
import type { DemoCustomer } from './customers.js';
import { type Happening, happening, SHOPKEEPER } from './happening.js';
import { balance, enter, type Ledger } from './ledger.js';
import { amountOf, cancelled, type DemoOrder, paid, placed, shipped, totalOf } from './order-events.js';
import { type DemoProduct, productSaved } from './products.js';
import { type Random, seededRandom, weightedIndex } from './random.js';
import { dayAndNight } from './rhythm.js';

/** Customers and goods are drawn so often before an order comes to nothing. */
const DRAWS = 50;
const REASONS = [
  'Changed my mind',
  'Ordered by mistake',
  'Found it cheaper',
  'Takes too long',
  'Wrong size',
  'It was meant as a gift',
];

/**
 * What happened in the shop in the last 60 days, in order: orders placed, shipped, paid and cancelled, and customers
 * whose status changed. Nobody inactive orders, nothing is sold that is not there, and no order exceeds a credit limit.
 */
export function makeShop(
  customers: readonly DemoCustomer[],
  products: readonly DemoProduct[],
  now: number,
): readonly Happening[] {
  const random = seededRandom(9);
  const clock = dayAndNight(now, DAYS);
  const ledger = balance([...products.map(productSaved), ...customers.map(({ registered }) => registered)]);
  const orders = new Map<number, DemoOrder>();
  const pick = drawer(customers, products, random);
  return makeAgenda(customers, random).flatMap((step) => {
    const happened = perform(step, clock(step.share));
    for (const event of happened) enter(ledger, event);
    return happened;
  });

  function perform(step: Step, at: number): readonly Happening[] {
    if ('customer' in step) return [statusSet(step, ledger, at)];
    const order = step.kind === 'place' ? pick(step.order, ledger) : orders.get(step.order);
    if (!order) return [];
    const { kind } = step;
    orders.set(step.order, { ...order, isShipped: order.isShipped || kind === 'ship' });
    switch (kind) {
      case 'place':
        return placed(order, at);
      case 'ship':
        return shipped(order, `1Z${random.faker.string.numeric(16)}`, at);
      case 'pay':
        return paid(order, at);
      case 'cancel':
        return cancelled(order, random.pick(REASONS), at);
      default:
        return kind satisfies never;
    }
  }
}

function statusSet(
  { kind, customer: { customerId } }: Extract<Step, { customer: DemoCustomer }>,
  ledger: Ledger,
  at: number,
): Happening {
  const limit = ledger.credit.get(customerId)!.creditLimit;
  const creditLimit = amountOf(kind === 'rise' ? 2n * limit : limit);
  const data = { customerId, isActive: kind !== 'leave', creditLimit, version: 1 };
  return happening(customerStream(customerId), { type: 'CustomerStatusSet', data }, SHOPKEEPER, at);
}

/** Draws orders that the shop accepts as things stand. */
function drawer(customers: readonly DemoCustomer[], products: readonly DemoProduct[], random: Random) {
  const someCustomer = weightedIndex(
    customers.map(({ weight }) => weight),
    random,
  );
  const someProduct = weightedIndex(
    products.map(() => 0.1 + random.next() ** 2),
    random,
  );

  return (number: number, { stock, credit }: Ledger): DemoOrder | undefined => {
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const customer = customers[someCustomer()]!;
      const items = fillBasket(stock);
      const total = totalOf(items);
      const owed = credit.get(customer.customerId)!;
      const mayOrder = owed.isActive && mayOwe(owed, total + BigInt(customer.keepsFree));
      if (mayOrder && items.length > 0) {
        const orderId = `order-${String(number).padStart(4, '0')}`;
        return { orderId, customer, items, totalAmount: amountOf(total), isShipped: false };
      }
    }
    return undefined;
  };

  /** Up to four lines; a product may come twice. */
  function fillBasket(stock: Ledger['stock']): readonly OrderedItem[] {
    const free = new Map<string, number>();
    const items: OrderedItem[] = [];
    for (let lines = random.pick([1, 1, 1, 2, 2, 3, 4]); lines > 0; lines -= 1) {
      const again = random.chance(0.05) ? items.at(-1) : undefined;
      const productId = again?.productId ?? products[someProduct()]!.productId;
      const { name, unitPrice, onHand, reserved } = stock.get(productId)!;
      const left = free.get(productId) ?? onHand - reserved;
      const quantity = Math.min(left, unitPrice < 2_000n ? random.int(1, 5) : random.pick([1, 1, 1, 2, 3]));
      if (quantity === 0) continue;
      free.set(productId, left - quantity);
      const lineTotal = amountOf(unitPrice * BigInt(quantity));
      items.push({ productId, productName: name, quantity, unitPrice: amountOf(unitPrice), lineTotal });
    }
    return items;
  }
}
