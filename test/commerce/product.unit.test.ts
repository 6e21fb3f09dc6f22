import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src/domains/commerce/command.js';
import { decideSaving, type SaveProduct } from '../../src/domains/commerce/product/decide.js';
import type { ProductEvent } from '../../src/domains/commerce/product/events.js';
import { evolveStock, hasAvailable, type Stock } from '../../src/domains/commerce/product/state.js';

const admin: Actor = { userId: 'root', isAdmin: true };
const alice: Actor = { userId: 'alice', isAdmin: false };

const saved = (inStock: number, unitPrice = '2.50'): ProductEvent => ({
  type: 'ProductSaved',
  data: { productId: 'p1', name: 'Tea', unitPrice, inStock, version: 1 },
});
const moved = (
  type: 'InventoryReserved' | 'InventoryReleased' | 'InventoryShipped',
  quantity: number,
): ProductEvent => ({ type, data: { orderId: 'o1', productId: 'p1', quantity, version: 1 } });

const save = (change: object = {}): SaveProduct => ({
  actor: admin,
  productId: 'p1',
  name: 'Tea',
  unitPrice: 250n,
  inStock: 10,
  ...change,
});

const stockAfter = (...history: ProductEvent[]): Stock | null =>
  history.reduce<Stock | null>(evolveStock, null);

/** What saving a product with this history does: its event, or `CODE at.its.path`. */
function given(...history: ProductEvent[]) {
  return {
    when(command: SaveProduct): ProductEvent | string {
      const decision = decideSaving(command, stockAfter(...history));
      if (decision.ok) return decision.value;
      return `${decision.errors[0]?.code} ${decision.errors[0]?.path?.join('.')}`;
    },
  };
}

describe('saveProduct', () => {
  it('saves a new product, and one that is there', () => {
    expect(given().when(save())).toEqual(saved(10));
    expect(given(saved(3)).when(save({ unitPrice: 5n }))).toEqual(saved(10, '0.05'));
  });
  it('keeps on hand what is reserved', () => {
    const product = given(saved(10), moved('InventoryReserved', 4), moved('InventoryReleased', 1));
    expect(product.when(save({ inStock: 3 }))).toEqual(saved(3));
    expect(product.when(save({ inStock: 2 }))).toBe('STOCK_RESERVED input.inStock');
  });
  it('is the admin’s', () => {
    expect(given().when(save({ actor: alice }))).toBe('FORBIDDEN input.productId');
  });
});

describe('stock', () => {
  it('follows its product’s events', () => {
    const history = [saved(10), moved('InventoryReserved', 6), moved('InventoryReleased', 1)];
    expect(stockAfter(...history)).toEqual({ name: 'Tea', unitPrice: 250n, onHand: 10, reserved: 5 });
    expect(stockAfter(...history, moved('InventoryShipped', 3), saved(20))).toEqual({
      name: 'Tea',
      unitPrice: 250n,
      onHand: 20,
      reserved: 2,
    });
  });
  it('can be ordered to the last unit that is not reserved', () => {
    const stock = stockAfter(saved(10), moved('InventoryReserved', 6))!;
    expect(hasAvailable(stock, 4)).toBe(true);
    expect(hasAvailable(stock, 5)).toBe(false);
  });
  it('begins with a product', () => {
    expect(() => evolveStock(null, moved('InventoryReserved', 1))).toThrow(
      'InventoryReserved before ProductSaved',
    );
  });
});
