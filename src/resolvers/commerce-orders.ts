import { Arg, Args, Ctx, Directive, Extensions, ID, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type * as commerce from '../domains/commerce/index.js';
import { callerOf } from '../platform/auth/caller.js';
import { CancelOrderInput, PlaceOrderInput, ShipOrderInput } from '../schema/commerce-order-commands.js';
import {
  Order,
  OrderArgs,
  OrderConnection,
  OrderFilter,
  OrderUpdate,
  toOrder,
} from '../schema/commerce-orders.js';
import { PagingArgs } from '../schema/relay.js';
import { pointsOfPast, readAsAsked, showPage } from './commerce-command.js';
import { commandOf, objectOf } from './commerce-mutation.js';

@Resolver()
export class OrderResolver {
  @Directive('@rateLimit(limit: 600, duration: 60)')
  @Extensions(pointsOfPast)
  @Query(() => Order, {
    nullable: true,
    description: 'An order, for the user of its customer and admins. Null where there is none.',
  })
  async order(@Args() args: OrderArgs, @Ctx() context: RequestContext): Promise<Order | null> {
    const { order, orderAsOf } = context.app.commerce;
    return readAsAsked(args, context, { id: args.orderId, now: order, past: orderAsOf, show: toOrder });
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

export const order = objectOf('order', Order, (commerce) => commerce.order, toOrder);

export const orderResolvers = [
  OrderResolver,
  ...commandOf({
    name: 'placeOrder',
    input: PlaceOrderInput,
    run: ({ placeOrder }) => placeOrder,
    changes: order,
    description:
      'Places an order: checks customer, prices, stock and credit, and reserves the stock, all in one step.',
  }),
  ...commandOf({
    name: 'shipOrder',
    input: ShipOrderInput,
    run: ({ shipOrder }) => shipOrder,
    changes: order,
    description: 'Admin: marks an order as shipped; its customer is notified.',
  }),
  ...commandOf({
    name: 'cancelOrder',
    input: CancelOrderInput,
    run: ({ cancelOrder }) => cancelOrder,
    changes: order,
    description:
      'Cancels an order, also a shipped one: nothing is owed for it any more, and what was not shipped can be sold again. For the user of its customer and admins.',
  }),
] as const;
