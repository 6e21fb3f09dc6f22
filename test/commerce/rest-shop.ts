import { expect } from 'vitest';
import { callerNamed } from './with-commerce.js';
import { openRest, type RestClient, type RestOnTest } from './with-rest.js';

/** Commerce over REST, with Alice's customers and three products: tea, rare tea (one) and pots. */
export interface RestShop {
  readonly rest: RestOnTest;
  readonly alice: RestClient;
  readonly bob: RestClient;
  readonly admin: RestClient;
  /** Has Alice place an order; answers its id. */
  place(change?: object): Promise<string>;
  newAccount(user?: string, currency?: string): Promise<string>;
}

export const line = (productId: string, quantity: unknown, price: unknown) => ({
  productId,
  quantity,
  price,
});

/** The body of an order that is accepted, but for what is changed. */
export const order = (change: object = {}) => ({
  type: 'PlaceOrder',
  customerId: 'cust-alice',
  items: [line('tea', 2, 4.5)],
  shippingAddress: { city: 'Oxford', zip: 'OX1' },
  ...change,
});

export async function openRestShop(): Promise<RestShop> {
  const rest = await openRest();
  const [alice, bob, admin] = await Promise.all([rest.as('alice'), rest.as('bob'), rest.as('root', 'admin')]);
  const { commerce } = rest.on;
  const root = callerNamed('root', 'admin');
  await commerce.registerCustomer(callerNamed('alice'), {
    customerId: 'cust-alice',
    firstName: 'Alice',
    lastName: 'Liddell',
    email: 'alice@example.com',
  });
  await commerce.registerCustomer(callerNamed('alice'), {
    customerId: 'cust-idle',
    firstName: 'Alice',
    lastName: '',
    email: 'alice@example.com',
  });
  await commerce.setCustomerStatus(root, { customerId: 'cust-idle', isActive: false });
  await commerce.saveProduct(root, { productId: 'tea', name: 'Tea', unitPrice: '4.50', inStock: 1_000 });
  await commerce.saveProduct(root, { productId: 'rare', name: 'Rare tea', unitPrice: '90', inStock: 1 });
  await commerce.saveProduct(root, { productId: 'pot', name: 'Teapot', unitPrice: '900', inStock: 5 });
  return {
    rest,
    alice,
    bob,
    admin,
    async place(change = {}) {
      const placed = await alice.post('orders', order(change));
      expect(placed).toMatchObject({ status: 201, body: { version: 0 } });
      return (placed.body as { orderId: string }).orderId;
    },
    async newAccount(user = 'alice', currency = 'USD') {
      const created = await commerce.createAccount(callerNamed(user), { currency });
      return created.ok ? created.value.aggregateId : '';
    },
  };
}
