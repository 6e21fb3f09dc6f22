import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { type Answer, connections, customers, type OrderToPlace, products, totalOf } from '../scenario.ts';
import { counted } from './counted.ts';
import type { ShopKind } from './shop.ts';

const lockCustomer = {
  name: 'lock-customer',
  text: 'SELECT is_active, credit_limit, balance FROM customers WHERE customer_id = $1 FOR UPDATE',
};
const lockProducts = {
  name: 'lock-products',
  text: 'SELECT product_id, name, price, stock FROM products WHERE product_id = ANY ($1) ORDER BY product_id FOR UPDATE',
};
const insertOrder = {
  name: 'insert-order',
  text: `INSERT INTO orders (order_id, customer_id, status, total, shipping_address)
    VALUES ($1, $2, 'CONFIRMED', $3, $4)`,
};
const insertItems = {
  name: 'insert-items',
  text: `INSERT INTO order_items (order_id, line, product_id, product_name, quantity, price)
    SELECT $1, i.line, i.product_id, i.name, i.quantity, i.price
    FROM unnest($2::text[], $3::text[], $4::int[], $5::bigint[]) WITH ORDINALITY
      AS i (product_id, name, quantity, price, line)`,
};
const takeStock = {
  name: 'take-stock',
  text: `UPDATE products p SET stock = p.stock - i.quantity
    FROM unnest($1::text[], $2::int[]) AS i (product_id, quantity) WHERE p.product_id = i.product_id`,
};
const addToBalance = {
  name: 'add-to-balance',
  text: 'UPDATE customers SET balance = balance + $2 WHERE customer_id = $1',
};
const shippingAddress = { street: '1 High Street', city: 'Springfield', zip: '12345', country: 'US' };

/**
 * The conventional way: one transaction that locks the customer, then the products in their order (so that there is no
 * deadlock), checks, writes and commits. Statements are prepared and one serves all lines of an order.
 */
export const byHand: ShopKind = {
  async found(databaseUrl) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(await readFile(new URL('./by-hand.sql', import.meta.url), 'utf8'));
    await client.query(
      'INSERT INTO customers (customer_id, credit_limit) SELECT * FROM unnest($1::text[], $2::bigint[])',
      [customers.map(({ customerId }) => customerId), customers.map(({ limitMinor }) => limitMinor)],
    );
    await client.query(
      'INSERT INTO products SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::int[])',
      [
        products.map(({ productId }) => productId),
        products.map(({ name }) => name),
        products.map(({ priceMinor }) => priceMinor),
        products.map(({ stock }) => stock),
      ],
    );
    await client.end();
  },
  async open(databaseUrl) {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
    return {
      async place(order) {
        const client = await pool.connect();
        try {
          await client.query('BEGIN');
          const answer = await placeOn(client, order);
          await client.query(answer === 'accepted' ? 'COMMIT' : 'ROLLBACK');
          return answer;
        } finally {
          client.release();
        }
      },
      close: () => pool.end(),
    };
  },
  async readBooks(server, database) {
    const rows = <Row extends Record<string, unknown>>(statement: string) =>
      server.run<Row>(statement, database);
    const orders = await rows<{ id: string }>('SELECT order_id AS id FROM orders');
    const left = counted(await rows('SELECT product_id AS id, stock AS count FROM products'));
    return {
      orderIds: orders.map(({ id }) => id),
      ordered: counted(
        await rows('SELECT product_id AS id, sum(quantity) AS count FROM order_items GROUP BY product_id'),
      ),
      promised: counted(
        products.map(({ productId, stock }) => ({
          id: productId,
          count: stock - (left.get(productId) ?? 0),
        })),
      ),
      owed: counted(await rows('SELECT customer_id AS id, balance AS count FROM customers')),
      faults: [],
    };
  },
};

async function placeOn(client: pg.PoolClient, order: OrderToPlace): Promise<Answer> {
  const { orderId, customerId, lines } = order;
  const productIds = lines.map(({ productId }) => productId);
  const quantities = lines.map(({ quantity }) => quantity);
  const total = totalOf(order);

  const found = await client.query({ ...lockCustomer, values: [customerId] });
  const customer = found.rows[0];
  if (!customer?.is_active) throw new Error(`${customerId} is not there or not active`);
  const shelf = await client.query({ ...lockProducts, values: [productIds] });
  const onShelf = new Map(shelf.rows.map((row) => [row.product_id, row]));
  for (const { productId, quantity, priceMinor } of lines) {
    const product = onShelf.get(productId);
    if (Number(product?.price) !== priceMinor) throw new Error(`${productId} is not there at that price`);
    if (product.stock < quantity) return 'out-of-stock';
  }
  if (Number(customer.balance) + total > Number(customer.credit_limit)) return 'over-limit';

  await client.query({ ...insertOrder, values: [orderId, customerId, total, shippingAddress] });
  const names = productIds.map((productId) => onShelf.get(productId).name);
  const prices = lines.map(({ priceMinor }) => priceMinor);
  await client.query({ ...insertItems, values: [orderId, productIds, names, quantities, prices] });
  await client.query({ ...takeStock, values: [productIds, quantities] });
  await client.query({ ...addToBalance, values: [customerId, total] });
  return 'accepted';
}
