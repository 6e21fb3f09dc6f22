import type { Optional } from '../command.js';

/** A product as its projector has it. */
export interface Product {
  readonly productId: string;
  readonly name: string;
  /** A decimal of the shop's currency. */
  readonly unitPrice: string;
  /** On hand, reserved units included. */
  readonly inStock: number;
  /** Ordered and not shipped yet. */
  readonly reserved: number;
  readonly version: number;
}

export interface SaveProductInput {
  readonly productId: string;
  readonly name: string;
  /** A plain decimal. */
  readonly unitPrice: string;
  /** On hand, reserved units included. */
  readonly inStock: number;
  readonly commandId?: Optional<string>;
}
