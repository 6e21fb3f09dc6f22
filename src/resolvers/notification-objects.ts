import { Args, Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import {
  assertMaySee,
  contentFor,
  type Delivery as DeliveryRecord,
  isUuid,
  type NotificationRequest as RequestRecord,
} from '../domains/notifications/index.js';
import { callerOf, mayActFor } from '../platform/caller.js';
import { readPaging } from '../platform/paging.js';
import {
  Delivery,
  DeliveryConnection,
  NotificationRequest,
  RenderedContent,
  TimelineEntry,
} from '../schema/notifications.js';
import { PagingArgs, toGlobalId } from '../schema/relay.js';
import { alertNodes } from './notification-alerts.js';
import { deadLetterNodes } from './notification-dead-letters.js';
import { inboxNodes } from './notification-inbox.js';
import { templateNodes } from './notification-templates.js';

@Resolver(() => Delivery)
export class DeliveryResolver {
  @FieldResolver(() => ID)
  id(@Root() delivery: DeliveryRecord): string {
    return toGlobalId('Delivery', delivery.deliveryId);
  }

  @FieldResolver(() => RenderedContent, { nullable: true })
  renderedContent(
    @Root() delivery: DeliveryRecord,
    @Ctx() context: RequestContext,
  ): DeliveryRecord['content'] {
    return contentFor(callerOf(context), delivery);
  }

  @FieldResolver(() => [TimelineEntry], {
    description: 'Every step in order, with what was decided and why.',
  })
  timeline(@Root() delivery: DeliveryRecord, @Ctx() context: RequestContext) {
    return context.loaders.timeline.load(delivery.deliveryId);
  }
}

@Resolver(() => NotificationRequest)
export class NotificationRequestResolver {
  @FieldResolver(() => ID)
  id(@Root() request: RequestRecord): string {
    return toGlobalId('NotificationRequest', request.requestId);
  }

  @FieldResolver(() => DeliveryConnection)
  deliveries(
    @Root() request: RequestRecord,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: RequestContext,
  ) {
    return context.app.notifications.deliveriesOfRequest(request.requestId, readPaging(args));
  }
}

/** @throws PublicError FORBIDDEN where it is neither the caller's own nor of his request */
export async function loadDelivery(
  deliveryId: string,
  context: RequestContext,
): Promise<DeliveryRecord | null> {
  const caller = callerOf(context);
  if (!isUuid(deliveryId)) return null;
  const delivery = await context.loaders.delivery.load(deliveryId.toLowerCase());
  if (delivery) assertMaySee(caller, delivery);
  return delivery;
}

async function loadRequest(requestId: string, context: RequestContext): Promise<RequestRecord | null> {
  const caller = callerOf(context);
  if (!isUuid(requestId)) return null;
  const request = await context.loaders.notificationRequest.load(requestId.toLowerCase());
  return request && mayActFor(caller, request.producer) ? request : null;
}

/** Loads notifications' objects for `node`, by type and raw id. */
export const notificationNodes = {
  Delivery: loadDelivery,
  NotificationRequest: loadRequest,
  ...templateNodes,
  ...inboxNodes,
  ...deadLetterNodes,
  ...alertNodes,
};
