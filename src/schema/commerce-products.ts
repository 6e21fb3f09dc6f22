import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type * as commerce from '../domains/commerce/index.js';
import { AsOfArgs, CommandInput } from './commerce-command.js';
import { connectionOf } from './connections.js';
import { Node, toGlobalId } from './relay.js';
import { Decimal } from './scalars.js';

@ObjectType({ implements: Node, simpleResolvers: true, description: 'Something that can be ordered.' })
export class Product extends Node {
  readonly __typename = 'Product';
  @Field(() => ID)
  productId: string;
  @Field({ description: 'Its name.' })
  name: string;
  @Field(() => Decimal, { description: 'The price of one unit in US dollars.' })
  unitPrice: string;
  @Field(() => Int, { description: 'Units on hand, reserved ones included.' })
  inStock: number;
  @Field(() => Int, { description: 'Units that are ordered and not shipped yet.' })
  reserved: number;
  @Field(() => Int, { description: 'Units that can still be ordered: `inStock` less `reserved`.' })
  available: number;
  @Field(() => Int, {
    description:
      'The position of the last event of its stream that is in this object. Compare it with what a command answered.',
  })
  version: number;
}

/** A product as the API shows it. */
export const toProduct = (product: commerce.Product): Product => ({
  __typename: 'Product',
  id: toGlobalId('Product', product.productId),
  ...product,
  available: product.inStock - product.reserved,
});

export const ProductConnection = connectionOf(
  'Product',
  Product,
  'A page of products by product id. There is no `totalCount`.',
);

@ArgsType()
export class ProductArgs extends AsOfArgs {
  @Field(() => ID)
  productId: string;
}

@InputType()
export class SaveProductInput extends CommandInput {
  @Field(() => ID, {
    description: 'The product, by its raw id or its global id. An unknown raw id adds a product.',
  })
  productId: string;
  @Field({ description: 'Its name.' })
  name: string;
  @Field(() => Decimal, { description: 'The price of one unit in US dollars.' })
  unitPrice: string;
  @Field(() => Int, {
    description: 'Units on hand, reserved ones included: 0 or more, and not below what is reserved.',
  })
  inStock: number;
}
