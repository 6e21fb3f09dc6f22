import type { Caller } from '../../../platform/auth/caller.js';
import type { Connection, PageRequest } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { pageById, readerOf } from '../read.js';
import { productTopic } from './events.js';
import type { Product } from './product.js';
import { sql } from './products.sql.js';

/** A product, to everybody who is signed in. */
export const readProduct = readerOf<Product>({
  kind: 'product',
  topicOf: productTopic,
  find: async (postgres, productId) => (await postgres.query(sql.readProduct, [productId])).rows[0],
  ownerOf: () => null,
});

const pages = { forward: sql.pageProducts, backward: sql.pageProductsBack };

/** All products by product id, to everybody who is signed in. @throws PublicError BAD_CURSOR */
export const readProducts = (
  postgres: Queryable,
  _caller: Caller,
  page: PageRequest,
): Promise<Connection<Product>> =>
  pageById<Product>(
    'products',
    page,
    ({ productId }) => productId,
    async (...limits) => (await postgres.query(pages[page.direction], limits)).rows,
  );
