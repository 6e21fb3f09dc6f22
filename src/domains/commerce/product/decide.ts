import { ok, type Result, refused } from '../../../platform/errors.js';
import type { Actor } from '../command.js';
import { formatAmount } from '../money.js';
import { SHOP_CURRENCY } from '../shop.js';
import type { ProductEvent } from './events.js';
import type { Stock } from './state.js';

export interface SaveProduct {
  readonly actor: Actor;
  readonly productId: string;
  readonly name: string;
  /** Minor units of the shop's currency. */
  readonly unitPrice: bigint;
  /** Reserved units included. */
  readonly inStock: number;
}

/**
 * What follows from saving a product in the catalogue. Reserved units are promised: they stay on hand.
 *
 * Refuses with FORBIDDEN or STOCK_RESERVED.
 */
export function decideSaving(
  { actor, productId, name, unitPrice, inStock }: SaveProduct,
  stock: Stock | null,
): Result<ProductEvent> {
  if (!actor.isAdmin) return refused('FORBIDDEN', 'Only an admin may save a product', ['input', 'productId']);
  if (stock && inStock < stock.reserved) return stockReserved(stock.reserved);
  const price = formatAmount(unitPrice, SHOP_CURRENCY);
  return ok({
    type: 'ProductSaved',
    data: { productId, name, unitPrice: price, inStock, version: 1 },
  });
}

export const stockReserved = (reserved: number): Result<never> =>
  refused('STOCK_RESERVED', `${reserved} units are reserved for orders`, ['input', 'inStock']);
