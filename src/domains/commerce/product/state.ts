import { minorUnitsOf } from '../money.js';
import { SHOP_CURRENCY } from '../shop.js';
import type { ProductEvent } from './events.js';

/** A product as orders are held against it: its row of `product_stock`. */
export interface Stock {
  readonly name: string;
  /** Minor units of the shop's currency. */
  readonly unitPrice: bigint;
  /** Reserved units included. */
  readonly onHand: number;
  /** Ordered and not shipped yet; 0 to `onHand`. */
  readonly reserved: number;
}

/** The stock after an event of the product's stream. The rows of inline projections are this fold of it. */
export function evolveStock(stock: Stock | null, event: ProductEvent): Stock {
  if (event.type === 'ProductSaved') {
    const { name, unitPrice, inStock } = event.data;
    return {
      name,
      unitPrice: minorUnitsOf(unitPrice, SHOP_CURRENCY),
      onHand: inStock,
      reserved: stock?.reserved ?? 0,
    };
  }
  if (!stock) throw new Error(`${event.type} before ProductSaved`);
  const { quantity } = event.data;
  switch (event.type) {
    case 'InventoryReserved':
      return { ...stock, reserved: stock.reserved + quantity };
    case 'InventoryReleased':
      return { ...stock, reserved: stock.reserved - quantity };
    case 'InventoryShipped':
      return { ...stock, onHand: stock.onHand - quantity, reserved: stock.reserved - quantity };
    default:
      return event satisfies never;
  }
}

/** Whether so many units can still be ordered. */
export const hasAvailable = ({ onHand, reserved }: Stock, quantity: number): boolean =>
  onHand - reserved >= quantity;
