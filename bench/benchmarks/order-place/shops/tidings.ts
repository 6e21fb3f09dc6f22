import type { Commerce } from '../../../../src/domains/commerce/index.js';
import type { Result } from '../../../../src/platform/errors.js';
import { loadProduct } from '../../../harness/product.ts';
import { callerNamed, migrateProduct, openIds, openLog } from '../../../harness/product-app.ts';
import { connections, customers, decimalOf, products } from '../scenario.ts';
import { counted, gapsIn } from './counted.ts';
import type { ShopKind } from './shop.ts';

const shippingAddress = { street: '1 High Street', city: 'Springfield', zip: '12345', country: 'US' };
const ownerOf = (customerId: string): string => `owner-of-${customerId}`;

/** The product's commerce: guards under the append lock, events of the order and of each product in one append. */
export const tidings: ShopKind = {
  async found(databaseUrl) {
    await migrateProduct(databaseUrl);
    const { commerce, close } = await openCommerce(databaseUrl);
    const admin = callerNamed('admin', 'stocking', 'admin');
    for (const { productId, name, priceMinor, stock } of products) {
      const unitPrice = decimalOf(priceMinor);
      mustSucceed(await commerce.saveProduct(admin, { productId, name, unitPrice, inStock: stock }));
    }
    for (const { customerId, limitMinor } of customers) {
      mustSucceed(
        await commerce.registerCustomer(admin, {
          customerId,
          userId: ownerOf(customerId),
          firstName: 'Ada',
          lastName: 'Buyer',
          email: `${customerId}@example.com`,
          creditLimit: decimalOf(limitMinor),
        }),
      );
    }
    await close();
  },
  async open(databaseUrl) {
    const { commerce, close } = await openCommerce(databaseUrl);
    return {
      async place({ orderId, customerId, lines }) {
        const placed = await commerce.placeOrder(callerNamed(ownerOf(customerId), `story of ${orderId}`), {
          orderId,
          customerId,
          items: lines.map(({ productId, quantity, priceMinor }) => ({
            productId,
            quantity,
            price: decimalOf(priceMinor),
          })),
          shippingAddress,
          commandId: `place-${orderId}`,
        });
        if (placed.ok) return 'accepted';
        const [{ code, message } = { code: 'nothing', message: '' }] = placed.errors;
        if (code === 'OUT_OF_STOCK') return 'out-of-stock';
        if (code === 'CREDIT_LIMIT_EXCEEDED') return 'over-limit';
        throw new Error(`${orderId} was refused with ${code}: ${message}`);
      },
      close,
    };
  },
  async readBooks(server, database) {
    const rows = <Row extends Record<string, unknown>>(statement: string) =>
      server.run<Row>(statement, database);
    const placed = await rows<{ id: string }>(
      `SELECT data ->> 'orderId' AS id FROM events WHERE event_type = 'OrderPlaced'`,
    );
    const ordered = counted(
      await rows(`SELECT item ->> 'productId' AS id, sum((item ->> 'quantity')::int) AS count
        FROM events, jsonb_array_elements(data -> 'items') AS item WHERE event_type = 'OrderPlaced' GROUP BY 1`),
    );
    const reserved = counted(
      await rows(`SELECT data ->> 'productId' AS id, sum((data ->> 'quantity')::int) AS count
        FROM events WHERE event_type = 'InventoryReserved' GROUP BY 1`),
    );
    const promised = counted(await rows('SELECT product_id AS id, reserved AS count FROM product_stock'));
    const owed = counted(await rows('SELECT customer_id AS id, outstanding AS count FROM customer_credit'));
    const faults = await gapsIn(server, database);
    for (const [id, count] of promised) {
      if ((reserved.get(id) ?? 0) !== count)
        faults.push(`events reserve ${reserved.get(id)} of ${id}, the shelf ${count}`);
    }
    return { orderIds: placed.map(({ id }) => id), ordered, promised, owed, faults };
  },
};

async function openCommerce(databaseUrl: string): Promise<{ commerce: Commerce; close(): Promise<void> }> {
  const { createCommerce } =
    await loadProduct<typeof import('../../../../src/domains/commerce/index.js')>(
      'domains/commerce/index.js',
    );
  const { postgres, log } = await openLog(databaseUrl, connections);
  const { clock, ids } = await openIds();
  return { commerce: createCommerce({ postgres, log, ids, clock }), close: () => postgres.close() };
}

function mustSucceed(result: Result<unknown>): void {
  if (!result.ok) throw new Error(`the shop could not be founded: ${result.errors[0]?.message}`);
}
