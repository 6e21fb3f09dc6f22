import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { callerOf } from '../platform/caller.js';
import {
  Product,
  ProductArgs,
  ProductConnection,
  SaveProductInput,
  SaveProductPayload,
  toProduct,
} from '../schema/commerce-products.js';
import { PagingArgs } from '../schema/relay.js';
import { showPage, toCommandPayload, waitFor } from './commerce-command.js';

@Resolver()
export class ProductResolver {
  @Query(() => Product, { nullable: true })
  async product(
    @Args() { productId, afterVersion }: ProductArgs,
    @Ctx() context: RequestContext,
  ): Promise<Product | null> {
    const wait = waitFor(afterVersion, context);
    const product = await context.app.commerce.product(callerOf(context), productId, wait);
    return product && toProduct(product);
  }

  @Query(() => ProductConnection, { nullable: true })
  async products(@Args() paging: PagingArgs, @Ctx() context: RequestContext): Promise<ProductConnection> {
    return showPage(await context.app.commerce.products(callerOf(context), paging), toProduct);
  }

  @Mutation(() => SaveProductPayload, { description: 'Admin: adds a product, or changes all of it.' })
  async saveProduct(
    @Arg('input') input: SaveProductInput,
    @Ctx() context: RequestContext,
  ): Promise<SaveProductPayload> {
    return toCommandPayload(await context.app.commerce.saveProduct(callerOf(context), input));
  }
}
