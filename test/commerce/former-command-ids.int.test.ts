import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Accepted } from '../../src/domains/commerce/index.js';
import type { Result } from '../../src/platform/errors.js';
import { hashedFormerly } from '../support/former-hash.js';
import { acceptedOf, codesOf, newCustomer, newProduct, orderOf, root } from './order-world.js';
import { type CommerceOnTest, ids, openCommerce } from './with-commerce.js';

let on: CommerceOnTest;
beforeAll(async () => {
  on = await openCommerce();
});
afterAll(() => on?.close());

interface Story {
  give(amount: string): Promise<Result<Accepted>>;
  /** What a former process hashed. */
  readonly body: object;
}

const newAccount = async (): Promise<string> => {
  const { aggregateId } = acceptedOf(await on.commerce.createAccount(root, { currency: 'USD' }));
  acceptedOf(await on.commerce.deposit(root, { accountId: aggregateId, amount: '1000' }));
  return aggregateId;
};

async function moving(kind: 'deposit' | 'withdraw'): Promise<Story> {
  const [accountId, commandId] = [await newAccount(), ids.next()];
  return {
    give: (amount) => on.commerce[kind](root, { accountId, amount, commandId }),
    body: { accountId, amount: '100.00', currency: null, description: null, expectedVersion: null },
  };
}

const stories: Readonly<Record<string, () => Promise<Story>>> = {
  deposit: () => moving('deposit'),
  withdrawal: () => moving('withdraw'),
  async transfer() {
    const [fromAccountId, toAccountId] = [await newAccount(), await newAccount()];
    const commandId = ids.next();
    return {
      give: (amount) => on.commerce.transferMoney(root, { fromAccountId, toAccountId, amount, commandId }),
      body: { fromAccountId, toAccountId, amount: '100.00', description: null },
    };
  },
  async payment() {
    const [customerId, commandId] = [await newCustomer(on), ids.next()];
    const productId = await newProduct(on, 100);
    acceptedOf(await on.commerce.placeOrder(root, orderOf(customerId, { [productId]: 100 })));
    return {
      give: (amount) => on.commerce.recordPayment(root, { customerId, amount, commandId }),
      body: { customerId, amount: '100.00', reference: null },
    };
  },
  async registration() {
    const person = {
      customerId: ids.next(),
      userId: 'bob',
      firstName: 'Rene\u0301',
      lastName: 'B',
      email: 'b@example.com',
    };
    const commandId = ids.next();
    return {
      give: (creditLimit) => on.commerce.registerCustomer(root, { ...person, creditLimit, commandId }),
      body: { ...person, creditLimit: '100.00' },
    };
  },
  async 'credit limit'() {
    const [customerId, commandId] = [await newCustomer(on), ids.next()];
    return {
      give: (creditLimit) => on.commerce.setCustomerStatus(root, { customerId, creditLimit, commandId }),
      body: { customerId, isActive: null, creditLimit: '100.00' },
    };
  },
  async product() {
    const product = { productId: ids.next(), name: 'The\u0301' };
    const commandId = ids.next();
    return {
      give: (unitPrice) => on.commerce.saveProduct(root, { ...product, unitPrice, inStock: 3, commandId }),
      body: { ...product, unitPrice: '100.00', inStock: 3 },
    };
  },
  async order() {
    const [customerId, productId] = [await newCustomer(on), await newProduct(on, 10, '100')];
    const orderWith = (price: string) => orderOf(customerId, { [productId]: 1 }, price);
    const commandId = ids.next();
    return {
      give: (price) => on.commerce.placeOrder(root, { ...orderWith(price), commandId }),
      body: {
        orderId: null,
        ...orderWith('100.00'),
        shippingAddress: { street: null, city: 'Oxford', zip: 'OX1', country: null },
      },
    };
  },
};

it.each(Object.keys(stories))(
  '%s: what a former process accepted is answered by its result, and made once',
  async (name) => {
    const { give, body } = await stories[name]!();
    const first = await give('100.00');
    expect(codesOf(first)).toEqual([]);
    await hashedFormerly(on.postgres, body);
    const head = await on.log.head();
    expect(await give('100.00')).toEqual(first);
    expect(codesOf(await give('100.01'))).toEqual(['COMMAND_ID_REUSED input commandId']);
    expect(await on.log.head()).toBe(head);
  },
);
