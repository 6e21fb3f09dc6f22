import { Arg, Args, Ctx, ID, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type * as commerce from '../domains/commerce/index.js';
import { callerOf } from '../platform/caller.js';
import {
  CancelOrderInput,
  CancelOrderPayload,
  PlaceOrderInput,
  PlaceOrderPayload,
  ShipOrderInput,
  ShipOrderPayload,
} from '../schema/commerce-order-commands.js';
import {
  Order,
  OrderArgs,
  OrderConnection,
  OrderFilter,
  OrderUpdate,
  toOrder,
} from '../schema/commerce-orders.js';
import { PagingArgs } from '../schema/relay.js';
import { showPage, toCommandPayload, waitFor } from './commerce-command.js';

@Resolver()
export class OrderResolver {
  @Query(() => Order, { nullable: true })
  async order(
    @Args() { orderId, afterVersion }: OrderArgs,
    @Ctx() context: RequestContext,
  ): Promise<Order | null> {
    const wait = waitFor(afterVersion, context);
    const order = await context.app.commerce.order(callerOf(context), orderId, wait);
    return order && toOrder(order);
  }

  @Query(() => OrderConnection, { nullable: true, description: "The caller's own; admin: everybody's." })
  async orders(
    @Args(() => PagingArgs) paging: PagingArgs,
    @Arg('filter', () => OrderFilter, { nullable: true }) filter: OrderFilter | null,
    @Ctx() context: RequestContext,
  ): Promise<OrderConnection> {
    return showPage(
      await context.app.commerce.orders(callerOf(context), paging, filter ?? undefined),
      toOrder,
    );
  }

  @Mutation(() => PlaceOrderPayload)
  async placeOrder(
    @Arg('input') input: PlaceOrderInput,
    @Ctx() context: RequestContext,
  ): Promise<PlaceOrderPayload> {
    return toCommandPayload(await context.app.commerce.placeOrder(callerOf(context), input));
  }

  @Mutation(() => ShipOrderPayload, { description: 'Admin.' })
  async shipOrder(
    @Arg('input') input: ShipOrderInput,
    @Ctx() context: RequestContext,
  ): Promise<ShipOrderPayload> {
    return toCommandPayload(await context.app.commerce.shipOrder(callerOf(context), input));
  }

  @Mutation(() => CancelOrderPayload)
  async cancelOrder(
    @Arg('input') input: CancelOrderInput,
    @Ctx() context: RequestContext,
  ): Promise<CancelOrderPayload> {
    return toCommandPayload(await context.app.commerce.cancelOrder(callerOf(context), input));
  }

  @Subscription(() => OrderUpdate, {
    description: 'An order after each of its events. Resumes: pass the last `cursor` as `after`.',
    subscribe: ({ context, args }: { context: RequestContext; args: FollowArgs }) =>
      context.app.commerce.followOrder(
        context.hub,
        callerOf(context),
        args.orderId,
        args.after ?? null,
        context.signal,
      ),
  })
  orderUpdated(
    @Root() { cursor, order }: commerce.OrderUpdate,
    @Arg('orderId', () => ID) _orderId: string,
    @Arg('after', () => String, { nullable: true }) _after?: string | null,
  ): OrderUpdate {
    return { cursor, order: toOrder(order) };
  }
}

interface FollowArgs {
  readonly orderId: string;
  readonly after?: string | null;
}
