import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type * as commerce from '../domains/commerce/index.js';
import { AfterVersionArgs, CommandInput, CommandResult } from './commerce-command.js';
import { Node, PageInfo, toGlobalId } from './relay.js';
import { Decimal } from './scalars.js';

@ObjectType({ implements: Node, simpleResolvers: true })
export class Product extends Node {
  readonly __typename = 'Product';
  @Field(() => ID)
  productId: string;
  @Field()
  name: string;
  @Field(() => Decimal, { description: 'In US dollars.' })
  unitPrice: string;
  @Field(() => Int, { description: 'On hand, reserved units included.' })
  inStock: number;
  @Field(() => Int, { description: 'Ordered and not shipped yet.' })
  reserved: number;
  @Field(() => Int, { description: 'What may still be ordered.' })
  available: number;
  @Field(() => Int, { description: 'The stream position of the last event in it.' })
  version: number;
}

/** A product as the API shows it. */
export const toProduct = (product: commerce.Product): Product => ({
  __typename: 'Product',
  id: toGlobalId('Product', product.productId),
  ...product,
  available: product.inStock - product.reserved,
});

@ObjectType({ simpleResolvers: true })
export class ProductEdge {
  @Field()
  cursor: string;
  @Field(() => Product)
  node: Product;
}

@ObjectType({ simpleResolvers: true })
export class ProductConnection {
  @Field(() => [ProductEdge])
  edges: readonly ProductEdge[];
  @Field(() => PageInfo)
  pageInfo: PageInfo;
}

@ArgsType()
export class ProductArgs extends AfterVersionArgs {
  @Field(() => ID)
  productId: string;
}

@InputType()
export class SaveProductInput extends CommandInput {
  @Field(() => ID)
  productId: string;
  @Field()
  name: string;
  @Field(() => Decimal, { description: 'In US dollars.' })
  unitPrice: string;
  @Field(() => Int, { description: 'On hand, reserved units included.' })
  inStock: number;
}

@ObjectType({ implements: CommandResult, simpleResolvers: true })
export class SaveProductPayload extends CommandResult {}
