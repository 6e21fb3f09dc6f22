import { type CustomerInDebt, customers, type OrderToPlace, orderOf, products, totalOf } from './scenario.ts';
import type { Books } from './shops/shop.ts';
import type { WriterTold } from './writer-process.ts';

/**
 * Holds what a shop stored against what its writers were told: every accepted order once and no other, the shelf and
 * the customers' debts changed by exactly those, nothing promised that was not there, no limit passed; and where an
 * order was refused for want of stock, there really was none left.
 *
 * @throws when anything of it does not hold
 */
export function checkBooks(name: string, books: Books, told: readonly WriterTold[]): void {
  const accepted = told.flatMap((one) => one.accepted.map((count) => orderOf(one.writer, count)));
  const fail = (what: string): never => {
    throw new Error(`${name}: ${what}`);
  };
  if (books.faults[0]) fail(books.faults.join('; '));
  const stored = new Set(books.orderIds);
  if (stored.size !== books.orderIds.length) fail('an order is stored twice');
  if (stored.size !== accepted.length) fail(`${accepted.length} orders were accepted, ${stored.size} stored`);
  for (const { orderId } of accepted) if (!stored.has(orderId)) fail(`${orderId} was accepted and is lost`);

  const soldOut = told.some(({ outOfStock }) => outOfStock > 0);
  const { units, debts } = sumsOf(accepted);
  for (const { productId, stock } of products) {
    const sold = units.get(productId) ?? 0;
    const [ordered = 0, promised = 0] = [books.ordered.get(productId), books.promised.get(productId)];
    if (ordered !== sold || promised !== sold)
      fail(
        `${sold} of ${productId} were sold, ${ordered} are stored in orders and ${promised} taken off the shelf`,
      );
    if (promised > stock) fail(`${promised} of ${productId} are promised, there were ${stock}`);
  }
  if (soldOut && !products.some(({ productId, stock }) => units.get(productId) === stock))
    fail('orders were refused for want of stock, and nothing is sold out');
  for (const customer of customers) checkDebt(customer);

  function checkDebt({ customerId, limitMinor }: CustomerInDebt): void {
    const debt = debts.get(customerId) ?? 0;
    const owed = books.owed.get(customerId) ?? 0;
    if (owed !== debt) fail(`${customerId} ordered for ${debt} and owes ${owed}`);
    if (owed > limitMinor) fail(`${customerId} owes ${owed}, and may owe ${limitMinor}`);
  }
}

function sumsOf(orders: readonly OrderToPlace[]) {
  const units = new Map<string, number>();
  const debts = new Map<string, number>();
  const add = (sums: Map<string, number>, id: string, more: number): void => {
    sums.set(id, (sums.get(id) ?? 0) + more);
  };
  for (const order of orders) {
    add(debts, order.customerId, totalOf(order));
    for (const { productId, quantity } of order.lines) add(units, productId, quantity);
  }
  return { units, debts };
}
