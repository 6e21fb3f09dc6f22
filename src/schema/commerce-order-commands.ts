import { Field, ID, InputType, Int } from 'type-graphql';
import { CommandInput } from './commerce-command.js';
import { Decimal } from './scalars.js';

@InputType({ description: 'One line of a new order.' })
export class OrderItemInput {
  @Field(() => ID)
  productId: string;
  @Field(() => Int, { description: 'How many units: 1 to 100,000.' })
  quantity: number;
  @Field(() => Decimal, {
    description:
      'The unit price in US dollars as the buyer saw it. Where the product has another one, the order is refused with PRICE_CHANGED.',
  })
  price: string;
}

@InputType({ description: 'Where an order goes.' })
export class ShippingAddressInput {
  @Field(() => String, { nullable: true, description: 'Street and house number. Absent: none.' })
  street?: string | null;
  @Field({ description: 'The city.' })
  city: string;
  @Field({ description: 'The postal code.' })
  zip: string;
  @Field(() => String, { nullable: true, description: 'The country. Absent: none.' })
  country?: string | null;
}

@InputType()
export class PlaceOrderInput extends CommandInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'The raw id of the new order: 1 to 200 letters, digits and `. _ : @ -`. Absent: the server makes one.',
  })
  orderId?: string | null;
  @Field(() => ID)
  customerId: string;
  @Field(() => [OrderItemInput], { description: '1 to 100 lines.' })
  items: OrderItemInput[];
  @Field(() => ShippingAddressInput, { description: 'Where the order goes.' })
  shippingAddress: ShippingAddressInput;
}

@InputType()
export class ShipOrderInput extends CommandInput {
  @Field(() => ID)
  orderId: string;
  @Field({ description: "The carrier's number of the parcel: 1 to 100 visible characters." })
  trackingNumber: string;
}

@InputType()
export class CancelOrderInput extends CommandInput {
  @Field(() => ID)
  orderId: string;
  @Field({ description: 'Why, 1 to 500 characters; shown as `cancellationReason`.' })
  reason: string;
}
