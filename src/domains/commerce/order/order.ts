import type { Optional } from '../command.js';

/** An order as its projector has it. Amounts are decimals of the shop's currency, e.g. `12.50`. */
export interface Order {
  readonly orderId: string;
  readonly customerId: string;
  /** The user whom the customer belongs to. */
  readonly ownerId: string;
  readonly customerName: string;
  readonly customerEmail: string;
  readonly status: OrderStatus;
  readonly items: readonly OrderItem[];
  readonly totalAmount: string;
  /** One line: street, city zip, country, as far as they were given. */
  readonly shippingAddress: string;
  /** A day, at midnight UTC. */
  readonly estimatedDelivery: Date | null;
  readonly placedAt: Date;
  readonly trackingNumber: string | null;
  readonly shippedAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly cancellationReason: string | null;
  /** The stream position of the last event in it. */
  readonly version: number;
}

export type OrderStatus = 'CONFIRMED' | 'SHIPPED' | 'CANCELLED';

export interface OrderItem {
  readonly productId: string;
  /** As it was when the order was placed. */
  readonly productName: string;
  readonly quantity: number;
  readonly unitPrice: string;
  readonly lineTotal: string;
}

export interface OrderFilter {
  readonly customerId?: Optional<string>;
  readonly status?: Optional<OrderStatus>;
}

/** An order after one more of its events. */
export interface OrderUpdate {
  /** Goes on after this update. */
  readonly cursor: string;
  readonly order: Order;
}

export interface PlaceOrderInput {
  /** Absent: made up. */
  readonly orderId?: Optional<string>;
  readonly customerId: string;
  readonly items: readonly {
    readonly productId: string;
    readonly quantity: number;
    /** A plain decimal: what the client takes for the unit price. */
    readonly price: string;
  }[];
  readonly shippingAddress: {
    readonly street?: Optional<string>;
    readonly city: string;
    readonly zip: string;
    readonly country?: Optional<string>;
  };
  readonly commandId?: Optional<string>;
}

export interface ShipOrderInput {
  readonly orderId: string;
  readonly trackingNumber: string;
  readonly commandId?: Optional<string>;
}

export interface CancelOrderInput {
  readonly orderId: string;
  readonly reason: string;
  readonly commandId?: Optional<string>;
}
