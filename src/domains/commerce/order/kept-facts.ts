import { LRUCache } from 'lru-cache';
import type { Credit } from '../customer/credit.js';
import type { Stock } from '../product/state.js';
import type { ReadFacts } from './facts.js';
import type { PlacingFacts } from './place.js';

const MOST_CUSTOMERS = 5_000;
const MOST_PRODUCTS = 5_000;

/**
 * What earlier orders of this process depended on. It may have changed: an order may be placed by it, since the inline projection
 * compares everything with the rows under the append lock, and never refused.
 */
export interface KeptFacts {
  /** Undefined where something of it is not kept. */
  find(wanted: Parameters<ReadFacts>[0]): PlacingFacts | undefined;
  /** Reads what an order depends on, and keeps it. */
  readonly read: ReadFacts;
  /** What an order was refused for is read by the next one: it may be refused without the append lock. */
  forget(wanted: Parameters<ReadFacts>[0]): void;
}

export function createKeptFacts(read: ReadFacts): KeptFacts {
  const customers = keptFor<Credit>(MOST_CUSTOMERS);
  const products = keptFor<Stock>(MOST_PRODUCTS);
  return {
    find({ customerId, lines }) {
      const customer = customers.get(customerId);
      if (!customer) return undefined;
      const stocks = new Map<string, Stock>();
      for (const { productId } of lines) {
        const stock = products.get(productId);
        if (!stock) return undefined;
        stocks.set(productId, stock);
      }
      // The append expects that there is no such order.
      return { customer, stocks, taken: false };
    },
    async read(wanted) {
      const facts = await read(wanted);
      if (facts.customer) customers.set(wanted.customerId, facts.customer);
      for (const { productId } of wanted.lines) {
        const stock = facts.stocks.get(productId);
        if (stock) products.set(productId, stock);
      }
      return facts;
    },
    forget({ customerId, lines }) {
      customers.delete(customerId);
      for (const { productId } of lines) products.delete(productId);
    },
  };
}

/** Not `max`, for which all memory is reserved at once. */
const keptFor = <Fact extends object>(most: number): LRUCache<string, Fact> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
