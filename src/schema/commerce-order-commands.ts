import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { CommandInput, CommandResult } from './commerce-command.js';
import { Decimal } from './scalars.js';

@InputType()
export class OrderItemInput {
  @Field(() => ID)
  productId: string;
  @Field(() => Int)
  quantity: number;
  @Field(() => Decimal, {
    description: 'The unit price as the buyer saw it; another than the product has is refused.',
  })
  price: string;
}

@InputType()
export class ShippingAddressInput {
  @Field(() => String, { nullable: true })
  street?: string | null;
  @Field()
  city: string;
  @Field()
  zip: string;
  @Field(() => String, { nullable: true })
  country?: string | null;
}

@InputType()
export class PlaceOrderInput extends CommandInput {
  @Field(() => ID, { nullable: true, description: 'Absent: made up.' })
  orderId?: string | null;
  @Field(() => ID)
  customerId: string;
  @Field(() => [OrderItemInput])
  items: OrderItemInput[];
  @Field(() => ShippingAddressInput)
  shippingAddress: ShippingAddressInput;
}

@InputType()
export class ShipOrderInput extends CommandInput {
  @Field(() => ID)
  orderId: string;
  @Field()
  trackingNumber: string;
}

@InputType()
export class CancelOrderInput extends CommandInput {
  @Field(() => ID)
  orderId: string;
  @Field()
  reason: string;
}

@ObjectType({ implements: CommandResult, simpleResolvers: true })
export class PlaceOrderPayload extends CommandResult {}

@ObjectType({ implements: CommandResult, simpleResolvers: true })
export class ShipOrderPayload extends CommandResult {}

@ObjectType({ implements: CommandResult, simpleResolvers: true })
export class CancelOrderPayload extends CommandResult {}
