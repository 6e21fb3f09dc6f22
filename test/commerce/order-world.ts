import type { Accepted, PlaceOrderInput } from '../../src/domains/commerce/index.js';
import type { Result } from '../../src/platform/errors.js';
import { type CommerceOnTest, callerNamed, ids } from './with-commerce.js';

export const alice = callerNamed('alice');
export const bob = callerNamed('bob');
export const root = callerNamed('root', 'admin');

/** Each refusal as `CODE its path`. */
export const codesOf = (result: Result<unknown>): string[] =>
  result.ok ? [] : result.errors.map(({ code, path }) => [code, ...(path ?? [])].join(' '));

export const messagesOf = (result: Result<unknown>): string[] =>
  result.ok ? [] : result.errors.map(({ message }) => message);

export function acceptedOf(result: Result<Accepted>): Accepted {
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.value;
}

type On = Pick<CommerceOnTest, 'commerce' | 'postgres'>;

/** A customer of alice's. */
export async function newCustomer({ commerce }: On, creditLimit = '1000'): Promise<string> {
  const registered = await commerce.registerCustomer(root, {
    customerId: ids.next(),
    userId: 'alice',
    firstName: 'Alice',
    lastName: 'Liddell',
    email: 'alice@example.com',
    creditLimit,
  });
  return acceptedOf(registered).aggregateId;
}

export async function newProduct({ commerce }: On, inStock = 10, unitPrice = '2.50'): Promise<string> {
  const productId = ids.next();
  acceptedOf(await commerce.saveProduct(root, { productId, name: 'Tea', unitPrice, inStock }));
  return productId;
}

/** An order of so many of each product, at 2.50 unless told. */
export const orderOf = (
  customerId: string,
  quantities: Readonly<Record<string, number>>,
  price = '2.50',
): PlaceOrderInput => ({
  customerId,
  items: Object.entries(quantities).map(([productId, quantity]) => ({ productId, quantity, price })),
  shippingAddress: { city: 'Oxford', zip: 'OX1' },
});

export async function stockOf({ postgres }: On, productId: string) {
  const { rows } = await postgres.query<{ on_hand: number; reserved: number }>(
    'SELECT on_hand, reserved FROM product_stock WHERE product_id = $1',
    [productId],
  );
  return rows[0];
}

/** What a customer owes, in cents. */
export async function outstandingOf({ postgres }: On, customerId: string): Promise<number | undefined> {
  const { rows } = await postgres.query<{ outstanding: number }>(
    'SELECT outstanding FROM customer_credit WHERE customer_id = $1',
    [customerId],
  );
  return rows[0]?.outstanding;
}
