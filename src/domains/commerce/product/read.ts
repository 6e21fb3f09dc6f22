import { z } from 'zod';
import type { Caller } from '../../../platform/caller.js';
import {
  type Connection,
  decodeCursor,
  encodeCursor,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres.js';
import { isId, type ReadDeps, readOne } from '../read.js';
import type { Wait } from '../read-your-writes.js';
import { productTopic } from './events.js';
import type { Product } from './product.js';
import { sql } from './read.sql.js';

/** The product id. */
const cursorShape = z.tuple([z.string().refine(isId)]);

/**
 * A product, to everybody who is signed in; null where there is none.
 *
 * @param wait until the product has reached a version; see `readAfterVersion`
 * @throws PublicError READ_MODEL_TIMEOUT, BAD_USER_INPUT, SERVICE_UNAVAILABLE
 */
export function readProduct(
  { postgres, waits }: ReadDeps,
  caller: Caller,
  productId: string,
  wait?: Wait,
): Promise<Product | null> {
  const of = { kind: 'product', id: productId, topic: productTopic(productId) } as const;
  const find = async () => {
    const { rows } = await postgres.query(sql.readProduct, [productId]);
    return rows[0] ? { model: toProduct(rows[0]), ownerId: null } : null;
  };
  return readOne(waits, caller, of, find, wait);
}

/** All products by product id, to everybody who is signed in. @throws PublicError BAD_CURSOR */
export async function readProducts(
  postgres: Queryable,
  _caller: Caller,
  page: PageRequest,
): Promise<Connection<Product>> {
  const [from] = decodeCursor(page.cursor, cursorShape) ?? [null];
  const statement = page.direction === 'forward' ? sql.pageProducts : sql.pageProductsBack;
  const { rows } = await postgres.query(statement, [page.limit + 1, from]);
  return toConnection(page, rows.map(toProduct), ({ productId }) => encodeCursor(productId));
}

const productRow = z
  .object({
    product_id: z.string(),
    name: z.string(),
    unit_price: z.string(),
    on_hand: z.int(),
    reserved: z.int(),
    version: z.int(),
  })
  .transform(
    (row): Product => ({
      productId: row.product_id,
      name: row.name,
      unitPrice: row.unit_price,
      inStock: row.on_hand,
      reserved: row.reserved,
      version: row.version,
    }),
  );

const toProduct = (row: unknown): Product => productRow.parse(row);
