/** Over both processes. */
export const writers = 64;
export const processes = 2;
/** Of each process, whichever shop it is: what the product's processes open unless told otherwise. */
export const connections = 10;

export interface ProductOnOffer {
  readonly productId: string;
  readonly name: string;
  readonly priceMinor: number;
  readonly stock: number;
}

export interface CustomerInDebt {
  readonly customerId: string;
  readonly limitMinor: number;
}

export interface Line {
  readonly productId: string;
  readonly quantity: number;
  readonly priceMinor: number;
}

export interface OrderToPlace {
  readonly orderId: string;
  readonly customerId: string;
  /** Different products, in no order. */
  readonly lines: readonly Line[];
}

/** An order is refused by what it asks for, or accepted. */
export type Answer = 'accepted' | 'out-of-stock' | 'over-limit';

/** Ten that everybody buys; of the last there is little, so that it sells out in the first moments. */
export const products: readonly ProductOnOffer[] = Array.from({ length: 10 }, (_, n) => ({
  productId: `product${n}`,
  name: `Product number ${n}`,
  priceMinor: 1_000 + n * 200,
  stock: n === 9 ? 40 : 1_000_000,
}));

/** One in sixteen may owe little, and is soon refused. */
export const customers: readonly CustomerInDebt[] = Array.from({ length: 256 }, (_, n) => ({
  customerId: `customer${n}`,
  limitMinor: n % 16 === 7 ? 10_000 : 5_000_000_000,
}));

/** The scarce one: bought one at a time, so that it must sell out to the last. */
const scarce = products[9];

/**
 * The `count`th order of a writer: one to three products, one to three of each; one order in sixteen wants the scarce
 * one too.
 */
export function orderOf(writer: number, count: number): OrderToPlace {
  const draw = drawsOf(writer * 1_000_003 + count);
  const first = draw(9);
  const lines = Array.from({ length: 1 + draw(3) }, (_, n): Line => {
    const { productId = '', priceMinor = 0 } = products[(first + n * 2) % 9] ?? {};
    return { productId, priceMinor, quantity: 1 + draw(3) };
  });
  if (scarce && draw(16) === 0) {
    lines.push({ productId: scarce.productId, priceMinor: scarce.priceMinor, quantity: 1 });
  }
  return {
    orderId: `order-${writer}-${count}`,
    customerId: customers[draw(customers.length)]?.customerId ?? '',
    lines,
  };
}

export const totalOf = ({ lines }: OrderToPlace): number =>
  lines.reduce((total, { quantity, priceMinor }) => total + quantity * priceMinor, 0);

/** Minor units as the decimal that the product takes. */
export const decimalOf = (minor: number): string => (minor / 100).toFixed(2);

/** Numbers below a bound, the same for the same seed (mulberry32). */
function drawsOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
