import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Credit } from '../../src/domains/commerce/customer/credit.js';
import { readOrderEvent } from '../../src/domains/commerce/order/events.js';
import { decidePlacing, type PlaceOrder, type PlacingFacts } from '../../src/domains/commerce/order/place.js';
import type { Stock } from '../../src/domains/commerce/product/state.js';

const customer: Credit = { userId: 'alice', isActive: true, creditLimit: 2_000n, outstanding: 500n };
const tea: Stock = { name: 'Tea', unitPrice: 250n, onHand: 10, reserved: 4 };
const cup: Stock = { name: 'Cup', unitPrice: 900n, onHand: 1, reserved: 0 };

const line = (productId: string, quantity: number, price = 250n) => ({ productId, quantity, price });
const order = (change: Partial<PlaceOrder> = {}): PlaceOrder => ({
  actor: { userId: 'alice', isAdmin: false },
  orderId: 'o1',
  customerId: 'c1',
  lines: [line('tea', 6)],
  shippingAddress: { street: null, city: 'Oxford', zip: 'OX1', country: null },
  timestamp: '2026-01-01T00:00:00.000Z',
  ...change,
});

/** What an order comes to where things are so: its placement, or each refusal as `CODE at.its.path: message`. */
function given(change: Partial<PlacingFacts> = {}) {
  const facts: PlacingFacts = {
    customer,
    stocks: new Map([
      ['tea', tea],
      ['cup', cup],
    ]),
    taken: false,
    ...change,
  };
  return {
    when(command: PlaceOrder) {
      const decision = decidePlacing(command, facts);
      if (decision.ok) return decision.value;
      return decision.errors.map(({ code, path, message }) => `${code} ${path?.join('.')}: ${message}`);
    },
  };
}

describe('placeOrder', () => {
  it('takes the last units and the last cent of credit', () => {
    expect(given().when(order())).toEqual({
      placed: {
        orderId: 'o1',
        customerId: 'c1',
        ownerId: 'alice',
        items: [{ productId: 'tea', productName: 'Tea', quantity: 6, unitPrice: '2.50', lineTotal: '15.00' }],
        totalAmount: '15.00',
        shippingAddress: { street: null, city: 'Oxford', zip: 'OX1', country: null },
        timestamp: '2026-01-01T00:00:00.000Z',
        version: 1,
      },
      reserved: [{ productId: 'tea', quantity: 6 }],
      total: 1_500n,
    });
  });

  it('is for the customer’s own user, and for admins on their behalf', () => {
    expect(given({ customer: null }).when(order())).toEqual([
      'CUSTOMER_NOT_FOUND input.customerId: There is no such customer',
    ]);
    expect(given().when(order({ actor: { userId: 'bob', isAdmin: false } }))).toEqual([
      'CUSTOMER_NOT_FOUND input.customerId: There is no such customer',
    ]);
    expect(given().when(order({ actor: { userId: 'root', isAdmin: true } }))).toMatchObject({
      placed: { ownerId: 'alice' },
    });
  });

  it('needs an active customer', () => {
    expect(given({ customer: { ...customer, isActive: false } }).when(order())).toEqual([
      'INACTIVE_CUSTOMER input.customerId: Inactive customer',
    ]);
  });

  it('needs products of the catalogue at the catalogue’s prices', () => {
    const lines = [line('tea', 1), line('pot', 1), line('cup', 1, 899n), line('cup', 1, 901n)];
    expect(given().when(order({ lines }))).toEqual([
      'PRODUCT_NOT_FOUND input.items.1.productId: There is no such product',
      'PRICE_CHANGED input.items.2.price: The price is 9.00 USD',
      'PRICE_CHANGED input.items.3.price: The price is 9.00 USD',
    ]);
  });

  it('needs stock for all lines of a product together, and names the first of them', () => {
    expect(given().when(order({ lines: [line('cup', 1, 900n), line('tea', 3), line('tea', 4)] }))).toEqual([
      'OUT_OF_STOCK input.items.1: Out of stock',
    ]);
    expect(given().when(order({ lines: [line('tea', 3), line('cup', 2, 900n)] }))).toEqual([
      'OUT_OF_STOCK input.items.1: Out of stock',
    ]);
  });

  it('counts itself against the credit limit', () => {
    expect(given({ customer: { ...customer, outstanding: 501n } }).when(order())).toEqual([
      'CREDIT_LIMIT_EXCEEDED input.customerId: Credit limit exceeded',
    ]);
    const inCredit = { ...customer, creditLimit: 0n, outstanding: -1_500n };
    expect(given({ customer: inCredit }).when(order())).toHaveProperty('placed');
  });

  it('needs an order id of its own', () => {
    expect(given({ taken: true }).when(order())).toEqual([
      'ORDER_EXISTS input.orderId: This order id is taken',
    ]);
  });

  it('checks active, in stock, credit, in this order', () => {
    const spent = { ...customer, outstanding: 2_000n };
    const sold = new Map([['tea', { ...tea, reserved: 10 }]]);
    const codeOf = (change: Partial<PlacingFacts>) => String(given(change).when(order())).split(' ')[0];
    const inactive = { ...spent, isActive: false };
    expect(codeOf({ customer: inactive, stocks: sold, taken: true })).toBe('INACTIVE_CUSTOMER');
    expect(codeOf({ customer: spent, stocks: sold, taken: true })).toBe('OUT_OF_STOCK');
    expect(codeOf({ customer: spent, taken: true })).toBe('CREDIT_LIMIT_EXCEEDED');
  });

  it('never takes more than there is, adds up to the cent, and writes events that can be read', () => {
    const lines = fc.array(
      fc
        .constantFrom('tea', 'cup')
        .chain((productId) =>
          fc
            .integer({ min: 1, max: 5 })
            .map((quantity) => line(productId, quantity, productId === 'tea' ? 250n : 900n)),
        ),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(lines, fc.bigInt(0n, 5_000n), (ordered, creditLimit) => {
        const decision = given({ customer: { ...customer, creditLimit, outstanding: 0n } }).when(
          order({ lines: ordered }),
        );
        if (Array.isArray(decision)) return;
        const { placed, reserved, total } = decision as Exclude<typeof decision, string[]>;
        const all = (productId: string) =>
          ordered.filter((l) => l.productId === productId).reduce((sum, { quantity }) => sum + quantity, 0);
        expect(all('tea')).toBeLessThanOrEqual(6);
        expect(all('cup')).toBeLessThanOrEqual(1);
        expect(total).toBe(BigInt(all('tea') * 250 + all('cup') * 900));
        expect(total <= creditLimit).toBe(true);
        expect(new Set(reserved.map(({ productId }) => productId)).size).toBe(reserved.length);
        expect(readOrderEvent({ type: 'OrderPlaced', data: placed }).data).toEqual(placed);
      }),
    );
  });
});
