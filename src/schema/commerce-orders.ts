import { ArgsType, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type * as commerce from '../domains/commerce/index.js';
import { AfterVersionArgs } from './commerce-command.js';
import { Node, PageInfo, toGlobalId } from './relay.js';
import { DateTime, Decimal } from './scalars.js';

export enum OrderStatus {
  CONFIRMED = 'CONFIRMED',
  SHIPPED = 'SHIPPED',
  CANCELLED = 'CANCELLED',
}
registerEnumType(OrderStatus, { name: 'OrderStatus' });

@ObjectType({ simpleResolvers: true })
export class OrderItem {
  @Field(() => ID)
  productId: string;
  @Field({ description: 'As it was when the order was placed.' })
  productName: string;
  @Field(() => Int)
  quantity: number;
  @Field(() => Decimal)
  unitPrice: string;
  @Field(() => Decimal)
  lineTotal: string;
}

@ObjectType({ implements: Node, simpleResolvers: true, description: 'Amounts are in US dollars.' })
export class Order extends Node {
  readonly __typename = 'Order';
  @Field(() => ID)
  orderId: string;
  @Field(() => ID)
  customerId: string;
  @Field()
  customerName: string;
  @Field()
  customerEmail: string;
  @Field(() => OrderStatus)
  status: `${OrderStatus}`;
  @Field(() => [OrderItem])
  items: readonly OrderItem[];
  @Field(() => Decimal)
  totalAmount: string;
  @Field({ description: 'One line: street, city and zip, country, as far as they were given.' })
  shippingAddress: string;
  @Field(() => DateTime, { nullable: true, description: 'A day, at midnight UTC.' })
  estimatedDelivery: Date | null;
  @Field(() => DateTime)
  placedAt: Date;
  @Field(() => String, { nullable: true })
  trackingNumber: string | null;
  @Field(() => DateTime, { nullable: true })
  shippedAt: Date | null;
  @Field(() => DateTime, { nullable: true })
  cancelledAt: Date | null;
  @Field(() => String, { nullable: true })
  cancellationReason: string | null;
  @Field(() => Int, { description: 'The stream position of the last event in it.' })
  version: number;
}

/** An order as the API shows it. */
export const toOrder = (order: commerce.Order): Order => ({
  __typename: 'Order',
  id: toGlobalId('Order', order.orderId),
  ...order,
});

@ObjectType({ simpleResolvers: true })
export class OrderEdge {
  @Field()
  cursor: string;
  @Field(() => Order)
  node: Order;
}

@ObjectType({ simpleResolvers: true })
export class OrderConnection {
  @Field(() => [OrderEdge])
  edges: readonly OrderEdge[];
  @Field(() => PageInfo)
  pageInfo: PageInfo;
}

@ObjectType({ simpleResolvers: true })
export class OrderUpdate {
  @Field({ description: 'Goes on after this update.' })
  cursor: string;
  @Field(() => Order)
  order: Order;
}

@ArgsType()
export class OrderArgs extends AfterVersionArgs {
  @Field(() => ID)
  orderId: string;
}

@InputType()
export class OrderFilter {
  @Field(() => ID, { nullable: true })
  customerId?: string | null;
  @Field(() => OrderStatus, { nullable: true })
  status?: `${OrderStatus}` | null;
}
