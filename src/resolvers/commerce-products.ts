import { Args, Ctx, Directive, Extensions, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { callerOf } from '../platform/auth/caller.js';
import {
  Product,
  ProductArgs,
  ProductConnection,
  SaveProductInput,
  toProduct,
} from '../schema/commerce-products.js';
import { PagingArgs } from '../schema/relay.js';
import { pointsOfPast, readAsAsked, showPage } from './commerce-command.js';
import { commandOf, objectOf } from './commerce-mutation.js';

@Resolver()
export class ProductResolver {
  @Directive('@rateLimit(limit: 600, duration: 60)')
  @Extensions(pointsOfPast)
  @Query(() => Product, {
    nullable: true,
    description: 'A product, for everybody who is signed in. Null where there is none.',
  })
  async product(@Args() args: ProductArgs, @Ctx() context: RequestContext): Promise<Product | null> {
    const { product, productAsOf } = context.app.commerce;
    return readAsAsked(args, context, {
      id: args.productId,
      now: product,
      past: productAsOf,
      show: toProduct,
    });
  }

  @Query(() => ProductConnection, { nullable: true, description: 'All products by product id.' })
  async products(@Args() paging: PagingArgs, @Ctx() context: RequestContext) {
    return showPage(await context.app.commerce.products(callerOf(context), paging), toProduct);
  }
}

export const product = objectOf('product', Product, (commerce) => commerce.product, toProduct);

export const productResolvers = [
  ProductResolver,
  ...commandOf({
    name: 'saveProduct',
    input: SaveProductInput,
    run: ({ saveProduct }) => saveProduct,
    changes: product,
    description: 'Admin: adds a product, or changes all of it.',
  }),
] as const;
