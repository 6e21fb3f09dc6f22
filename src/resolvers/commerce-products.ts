import { Arg, Args, Ctx, Directive, Extensions, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { Wait } from '../domains/commerce/index.js';
import { type Caller, callerOf } from '../platform/caller.js';
import {
  Product,
  ProductArgs,
  ProductConnection,
  SaveProductInput,
  SaveProductPayload,
  toProduct,
} from '../schema/commerce-products.js';
import { PagingArgs } from '../schema/relay.js';
import { showChanged } from './changed-object.js';
import { momentOf, pointsOfPast, showPage, toCommandPayload, waitFor } from './commerce-command.js';

@Resolver()
export class ProductResolver {
  @Directive('@rateLimit(limit: 600, duration: 60)')
  @Extensions(pointsOfPast)
  @Query(() => Product, {
    nullable: true,
    description: 'A product, for everybody who is signed in. Null where there is none.',
  })
  async product(@Args() args: ProductArgs, @Ctx() context: RequestContext): Promise<Product | null> {
    const { productId, afterVersion } = args;
    const asOf = momentOf(args);
    const caller = callerOf(context);
    const product = asOf
      ? await context.app.commerce.productAsOf(caller, productId, asOf)
      : await context.app.commerce.product(caller, productId, waitFor(afterVersion, context));
    return product && toProduct(product);
  }

  @Query(() => ProductConnection, { nullable: true, description: 'All products by product id.' })
  async products(@Args() paging: PagingArgs, @Ctx() context: RequestContext) {
    return showPage(await context.app.commerce.products(callerOf(context), paging), toProduct);
  }

  @Mutation(() => SaveProductPayload, { description: 'Admin: adds a product, or changes all of it.' })
  async saveProduct(@Arg('input') input: SaveProductInput, @Ctx() context: RequestContext) {
    return toCommandPayload(await context.app.commerce.saveProduct(callerOf(context), input));
  }
}

const changedProduct = {
  field: 'product',
  type: Product,
  read: ({ app }: RequestContext, caller: Caller, id: string, wait: Wait | undefined) =>
    app.commerce.product(caller, id, wait),
  show: toProduct,
};

export const productResolvers = [ProductResolver, showChanged(SaveProductPayload, changedProduct)] as const;
