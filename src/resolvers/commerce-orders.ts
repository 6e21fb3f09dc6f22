import {
  Arg,
  Args,
  Ctx,
  Directive,
  Extensions,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import type { RequestContext } from '../context.js';
import type * as commerce from '../domains/commerce/index.js';
import { type Caller, callerOf } from '../platform/caller.js';
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
import { showChanged } from './changed-object.js';
import { momentOf, pointsOfPast, showPage, toCommandPayload, waitFor } from './commerce-command.js';

@Resolver()
export class OrderResolver {
  @Directive('@rateLimit(limit: 600, duration: 60)')
  @Extensions(pointsOfPast)
  @Query(() => Order, {
    nullable: true,
    description: 'An order, for the user of its customer and admins. Null where there is none.',
  })
  async order(@Args() args: OrderArgs, @Ctx() context: RequestContext): Promise<Order | null> {
    const { orderId, afterVersion } = args;
    const asOf = momentOf(args);
    const caller = callerOf(context);
    const order = asOf
      ? await context.app.commerce.orderAsOf(caller, orderId, asOf)
      : await context.app.commerce.order(caller, orderId, waitFor(afterVersion, context));
    return order && toOrder(order);
  }

  @Query(() => OrderConnection, {
    nullable: true,
    description: "The orders of the caller's customers, newest first; for admins all of them.",
  })
  async orders(
    @Args(() => PagingArgs) paging: PagingArgs,
    @Arg('filter', () => OrderFilter, { nullable: true, description: 'Which orders. Absent: all.' })
    filter: OrderFilter | null,
    @Ctx() context: RequestContext,
  ) {
    return showPage(
      await context.app.commerce.orders(callerOf(context), paging, filter ?? undefined),
      toOrder,
    );
  }

  @Mutation(() => PlaceOrderPayload, {
    description:
      'Places an order: checks customer, prices, stock and credit, and reserves the stock, all in one step.',
  })
  async placeOrder(@Arg('input') input: PlaceOrderInput, @Ctx() context: RequestContext) {
    return toCommandPayload(await context.app.commerce.placeOrder(callerOf(context), input));
  }

  @Mutation(() => ShipOrderPayload, {
    description: 'Admin: marks an order as shipped; its customer is notified.',
  })
  async shipOrder(@Arg('input') input: ShipOrderInput, @Ctx() context: RequestContext) {
    return toCommandPayload(await context.app.commerce.shipOrder(callerOf(context), input));
  }

  @Mutation(() => CancelOrderPayload, {
    description:
      'Cancels an order, also a shipped one: nothing is owed for it any more, and what was not shipped can be sold again. For the user of its customer and admins.',
  })
  async cancelOrder(@Arg('input') input: CancelOrderInput, @Ctx() context: RequestContext) {
    return toCommandPayload(await context.app.commerce.cancelOrder(callerOf(context), input));
  }

  @Subscription(() => OrderUpdate, {
    description: 'An order after each of its events.',
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

const changedOrder = {
  field: 'order',
  type: Order,
  read: ({ app }: RequestContext, caller: Caller, id: string, wait: commerce.Wait | undefined) =>
    app.commerce.order(caller, id, wait),
  show: toOrder,
};

export const orderResolvers = [
  OrderResolver,
  showChanged(PlaceOrderPayload, changedOrder),
  showChanged(ShipOrderPayload, changedOrder),
  showChanged(CancelOrderPayload, changedOrder),
] as const;
