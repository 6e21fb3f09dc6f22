import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Credit } from '../../src/domains/commerce/customer/credit.js';
import { isHoldable } from '../../src/domains/commerce/money.js';
import { orderStream } from '../../src/domains/commerce/order/events.js';
import { createFactsReader, type ReadFacts } from '../../src/domains/commerce/order/facts.js';
import { decidePlacing, type PlaceOrder, type PlacingFacts } from '../../src/domains/commerce/order/place.js';
import { explainPlacing, planPlacing } from '../../src/domains/commerce/order/plan.js';
import type { Stock } from '../../src/domains/commerce/product/state.js';
import { type CommerceOnTest, ids, openCommerce } from './with-commerce.js';

const RUNS = 500;
const PRODUCTS = ['tea', 'cup', 'pot'] as const;
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);
const metadata = { correlationId: 'test', causationId: 'test' };

let on: CommerceOnTest;
let readFacts: ReadFacts;

beforeAll(async () => {
  on = await openCommerce();
  readFacts = createFactsReader(on.postgres);
});
afterAll(() => on.close());

/** What the process knew of a product when it decided: enough of it was in stock. */
const known = fc.record({
  name: fc.constantFrom('Tea', 'Thé'),
  unitPrice: fc.constantFrom(1n, 250n, LARGEST),
});
/** The product by now; undefined: it is as it was known. */
const changed = fc.record({
  name: fc.constantFrom(undefined, undefined, undefined, undefined, 'Tea', 'tea'),
  unitPrice: fc.constantFrom(undefined, undefined, undefined, undefined, 250n, 251n),
  onHand: fc.integer({ min: 0, max: 9 }),
  reserved: fc.integer({ min: 0, max: 4 }),
  isGone: fc.constantFrom(false, false, false, false, false, false, false, true),
});
const customer = fc.record({
  userId: fc.constantFrom('alice', 'alice', 'alice', 'alice', 'bob'),
  isActive: fc.constantFrom(true, true, true, true, false),
  /** By how much more than the order's total they may owe, as far as a limit can be so. */
  spare: fc.oneof(fc.constantFrom(-1n, 0n, 0n, 1n), fc.bigInt(-3_000n, 3_000n)),
  outstanding: fc.oneof(fc.bigInt(-3_000n, 3_000n), fc.constantFrom(0n, -LARGEST, LARGEST)),
});
const scenario = fc.record({
  isAdmin: fc.boolean(),
  lines: fc.array(fc.record({ product: fc.nat(2), quantity: fc.integer({ min: 1, max: 4 }) }), {
    minLength: 1,
    maxLength: 5,
  }),
  known: fc.tuple(known, known, known),
  changed: fc.tuple(changed, changed, changed),
  customer: fc.option(customer, { freq: 12 }),
  isTaken: fc.constantFrom(false, false, false, false, false, false, true),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

/** The order as it was decided, on facts by which it may be placed. */
function decidedBefore(given: Scenario): { command: PlaceOrder; facts: PlacingFacts } {
  const run = ids.next();
  const stocks = new Map<string, Stock>(
    given.known.map((product, index) => [
      `${PRODUCTS[index]}-${run}`,
      { ...product, onHand: 1_000, reserved: 0 },
    ]),
  );
  const productIds = [...stocks.keys()];
  return {
    command: {
      actor: { userId: 'alice', isAdmin: given.isAdmin },
      orderId: run,
      customerId: run,
      lines: given.lines.map(({ product, quantity }) => {
        const productId = productIds[product]!;
        return { productId, quantity, price: stocks.get(productId)!.unitPrice };
      }),
      shippingAddress: { street: null, city: 'Oxford', zip: 'OX1', country: null },
      timestamp: '2026-01-01T00:00:00.000Z',
    },
    facts: {
      customer: { userId: 'alice', isActive: true, creditLimit: LARGEST, outstanding: 0n },
      stocks,
      taken: false,
    },
  };
}

const totalOf = ({ lines }: PlaceOrder): bigint =>
  lines.reduce((sum, { price, quantity }) => sum + price * BigInt(quantity), 0n);

const asLimit = (units: bigint): bigint => (units < 0n ? 0n : units > LARGEST ? LARGEST : units);

/** Writes the rows as they are by now. */
async function change(given: Scenario, command: PlaceOrder, before: PlacingFacts): Promise<void> {
  const { customerId, orderId } = command;
  const { customer: credit } = given;
  if (credit) {
    await on.postgres.query(
      `INSERT INTO customer_credit (customer_id, user_id, is_active, credit_limit, outstanding) VALUES ($1, $2, $3, $4, $5)`,
      [
        customerId,
        credit.userId,
        credit.isActive,
        asLimit(credit.outstanding + totalOf(command) + credit.spare),
        credit.outstanding,
      ],
    );
  }
  for (const [index, [productId, stock]] of [...before.stocks].entries()) {
    const { isGone, name, unitPrice, onHand, reserved } = given.changed[index]!;
    if (isGone) continue;
    await on.postgres.query(
      'INSERT INTO product_stock (product_id, name, unit_price, on_hand, reserved) VALUES ($1, $2, $3, $4, $5)',
      [productId, name ?? stock.name, unitPrice ?? stock.unitPrice, onHand, Math.min(onHand, reserved)],
    );
  }
  if (given.isTaken) {
    await on.log.append({
      appends: [{ streamId: orderStream(orderId), expected: 'none', events: [{ type: 'Taken', data: {} }] }],
      metadata,
    });
  }
}

it('decidePlacing and its inline projection accept the same orders, and refuse the others for the same first reason', async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { command, facts: before } = decidedBefore(given);
      fc.pre(isHoldable(totalOf(command)));
      const placement = decidePlacing(command, before);
      if (!placement.ok) throw new Error(JSON.stringify(placement.errors));
      await change(given, command, before);

      const now = await readFacts(command);
      const decided = decidePlacing(command, now);
      const result = await on.log.append({ ...planPlacing(placement.value, before), metadata });

      if (result.kind === 'accepted') {
        expect(decided).toEqual(placement);
        expect(await readFacts(command)).toEqual(factsAfter(now, placement.value));
        outcomes.add('accepted');
        return;
      }
      expect(await readFacts(command)).toEqual(now);
      const explained =
        result.kind === 'refused' ? explainPlacing(result, command.lines) : ('decide again' as const);
      // Where the process decides again, something that it had decided on was another.
      if (explained === 'decide again') expect(decided).not.toEqual(placement);
      else expect(decided).toEqual(explained);
      outcomes.add(result.kind === 'refused' ? result.code : result.kind);
    }),
    { numRuns: RUNS },
  );
  expect([...outcomes].sort()).toEqual([
    'CREDIT_LIMIT_EXCEEDED',
    'FACTS_CHANGED',
    'INACTIVE_CUSTOMER',
    'OUT_OF_STOCK',
    'accepted',
    'conflict',
  ]);
}, 120_000);

/** The facts after an order was placed. */
function factsAfter(
  { customer: credit, stocks }: PlacingFacts,
  { reserved, total }: { reserved: readonly { productId: string; quantity: number }[]; total: bigint },
): PlacingFacts {
  const owing: Credit = { ...credit!, outstanding: credit!.outstanding + total };
  const quantities = new Map(reserved.map(({ productId, quantity }) => [productId, quantity]));
  return {
    customer: owing,
    taken: true,
    stocks: new Map(
      [...stocks].map(([productId, stock]) => [
        productId,
        { ...stock, reserved: stock.reserved + (quantities.get(productId) ?? 0) },
      ]),
    ),
  };
}
