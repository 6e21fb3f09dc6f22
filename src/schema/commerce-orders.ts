import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type * as commerce from '../domains/commerce/index.js';
import { AsOfArgs } from './commerce-command.js';
import { connectionOf } from './connections.js';
import { enumOf } from './enums.js';
import { Node, toGlobalId } from './relay.js';
import { DateTime, Decimal } from './scalars.js';

export const OrderStatus = enumOf<commerce.OrderStatus>('OrderStatus', 'How far an order is.', {
  CONFIRMED: 'Placed: stock is reserved, nothing was shipped.',
  SHIPPED: 'On its way to the customer.',
  CANCELLED: 'Nothing is owed for it any more; what was not shipped can be sold again.',
});

@ObjectType({ simpleResolvers: true, description: 'One line of an order.' })
export class OrderItem {
  @Field(() => ID)
  productId: string;
  @Field({ description: "The product's name when the order was placed." })
  productName: string;
  @Field(() => Int, { description: 'How many units.' })
  quantity: number;
  @Field(() => Decimal, { description: 'The price of one unit when the order was placed, in US dollars.' })
  unitPrice: string;
  @Field(() => Decimal, { description: '`quantity` times `unitPrice`, in US dollars.' })
  lineTotal: string;
}

@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'An order of one customer. All amounts are in US dollars.',
})
export class Order extends Node {
  readonly __typename = 'Order';
  @Field(() => ID)
  orderId: string;
  @Field(() => ID)
  customerId: string;
  @Field({ description: 'First and last name of the customer.' })
  customerName: string;
  @Field({ description: "The customer's e-mail address." })
  customerEmail: string;
  @Field(() => OrderStatus, { description: 'How far the order is.' })
  status: commerce.OrderStatus;
  @Field(() => [OrderItem], { description: 'The lines of the order, 1 to 100.' })
  items: readonly OrderItem[];
  @Field(() => Decimal, { description: 'The sum of all lines.' })
  totalAmount: string;
  @Field({ description: 'One line: street, city and postal code, country, as far as they were given.' })
  shippingAddress: string;
  @Field(() => DateTime, {
    nullable: true,
    description: 'The day on which it should arrive, at midnight UTC. Null where nothing is estimated.',
  })
  estimatedDelivery: Date | null;
  @Field(() => DateTime, { description: 'When it was placed.' })
  placedAt: Date;
  @Field(() => String, {
    nullable: true,
    description: "The carrier's number of the parcel. Null until it is shipped.",
  })
  trackingNumber: string | null;
  @Field(() => DateTime, { nullable: true, description: 'When it was shipped. Null until then.' })
  shippedAt: Date | null;
  @Field(() => DateTime, { nullable: true, description: 'When it was cancelled. Null where it was not.' })
  cancelledAt: Date | null;
  @Field(() => String, { nullable: true, description: 'Why it was cancelled. Null where it was not.' })
  cancellationReason: string | null;
  @Field(() => Int, {
    description:
      'The position of the last event of its stream that is in this object. Compare it with what a command answered.',
  })
  version: number;
}

/** An order as the API shows it. */
export const toOrder = (order: commerce.Order): Order => ({
  __typename: 'Order',
  id: toGlobalId('Order', order.orderId),
  ...order,
});

export const OrderConnection = connectionOf(
  'Order',
  Order,
  'A page of orders, newest first. There is no `totalCount`: counting would read all of them.',
);

@ObjectType({ simpleResolvers: true, description: 'An order after one of its events.' })
export class OrderUpdate {
  @Field({ description: 'Pass it as `after` to go on after this update.' })
  cursor: string;
  @Field(() => Order, { description: 'The order as this event left it, or later.' })
  order: Order;
}

@ArgsType()
export class OrderArgs extends AsOfArgs {
  @Field(() => ID)
  orderId: string;
}

@InputType({ description: 'Which orders. What is absent or null narrows nothing.' })
export class OrderFilter {
  @Field(() => ID, { nullable: true })
  customerId?: string | null;
  @Field(() => OrderStatus, { nullable: true, description: 'Only orders of this status.' })
  status?: commerce.OrderStatus | null;
}
