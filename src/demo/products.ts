import { productStream } from '../domains/commerce/product/events.js';
import { type Happening, happening, SHOPKEEPER } from './happening.js';
import { seededRandom } from './random.js';
import { DAY } from './rhythm.js';

export type DemoProduct = ReturnType<typeof makeProducts>[number];

/** Things, and about what they cost. */
const things = {
  'Coffee Grinder': 89,
  'Chef’s Knife': 64,
  'Cast-Iron Pan': 48,
  'Pour-Over Kettle': 59,
  'Bread Tin': 18,
  'Spice Rack': 32,
  'Desk Lamp': 54,
  'Office Chair': 249,
  'Standing Desk': 389,
  Notebook: 9,
  'Fountain Pen': 38,
  Backpack: 79,
  'Rain Jacket': 119,
  'Wool Jumper': 84,
  'Running Shoes': 129,
  'Running Vest': 44,
  'Head Torch': 36,
  'Water Bottle': 22,
  'Yoga Mat': 41,
  Headphones: 149,
  'Bluetooth Speaker': 69,
  'Record Player': 219,
  'Camera Strap': 29,
  Tripod: 99,
  'Film Scanner': 179,
  'Watering Can': 24,
  'Garden Gloves': 12,
  'Seed Box': 16,
  'Dog Bed': 58,
  'Cat Tree': 92,
} as const;
const variants = {
  Classic: 1,
  Compact: 0.8,
  Studio: 1.5,
  Travel: 0.9,
  Pro: 1.9,
  Natural: 1.1,
  Midnight: 1.05,
  Family: 1.4,
  Recycled: 0.95,
  Limited: 2.2,
} as const;

/** The catalogue: every thing in every variant, saved one by one over ten days. */
export function makeProducts(now: number) {
  const random = seededRandom(6);
  const all = Object.entries(things).flatMap(([thing, price]) =>
    Object.entries(variants).map(([variant, factor]) => ({
      name: `${variant} ${thing}`,
      price: price * factor,
    })),
  );
  return all.map(({ name, price }, index) => ({
    productId: `prod-${String(index + 1).padStart(3, '0')}`,
    name,
    /** In the shop's currency. */
    unitPrice: (
      Math.max(1, Math.round(price * (0.9 + 0.2 * random.next()))) - random.pick([0, 0.01, 0.05, 0.5])
    ).toFixed(2),
    inStock: random.chance(0.05) ? 0 : random.int(1, 400),
    savedAt: now - 100 * DAY + Math.floor(((index + random.next()) / all.length) * 10 * DAY),
  }));
}

export function productSaved({ savedAt, ...product }: DemoProduct): Happening {
  const event = { type: 'ProductSaved', data: { ...product, version: 1 } };
  return happening(productStream(product.productId), event, SHOPKEEPER, savedAt);
}
