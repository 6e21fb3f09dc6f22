import type { Caller } from '../../../platform/caller.js';
import type { Connection, PageRequest } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { ReadDeps } from '../read.js';
import type { Wait } from '../read-your-writes.js';
import type { Product } from './product.js';

export async function readProduct(
  _deps: ReadDeps,
  _caller: Caller,
  _productId: string,
  _wait?: Wait,
): Promise<Product | null> {
  throw new Error('not written yet');
}

export async function readProducts(
  _postgres: Queryable,
  _caller: Caller,
  _page: PageRequest,
): Promise<Connection<Product>> {
  throw new Error('not written yet');
}
