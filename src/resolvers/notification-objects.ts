import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import {
  contentFor,
  type Delivery as DeliveryRecord,
  isUuid,
  maySee,
  type RequestName,
  type NotificationRequest as RequestRecord,
} from '../domains/notifications/index.js';
import { callerOf, isAdmin, mayActFor } from '../platform/auth/caller.js';
import { readPaging } from '../platform/paging.js';
import { DeadLetter } from '../schema/notification-dead-letters.js';
import {
  Delivery,
  DeliveryConnection,
  DeliveryTarget,
  NotificationRequest,
  NotificationStatusUpdate,
  RenderedContent,
  TimelineEntry,
} from '../schema/notifications.js';
import { fromGlobalId, PagingArgs } from '../schema/relay.js';
import { alertNodes } from './notification-alerts.js';
import { campaignNodes } from './notification-campaigns.js';
import { deadLetterNodes } from './notification-dead-letters.js';
import { inboxNodes } from './notification-inbox.js';
import { scheduleNodes } from './notification-schedules.js';
import { settingsNodes } from './notification-settings.js';
import { suppressionNodes } from './notification-suppressions.js';
import { templateNodes } from './notification-templates.js';
import { webhookNodes } from './notification-webhooks.js';

@Resolver(() => Delivery)
export class DeliveryResolver {
  @FieldResolver(() => RenderedContent, {
    nullable: true,
    description:
      'The message itself. Null where it was never made, and for codes that prove an address: those are read at the address alone.',
  })
  renderedContent(@Root() delivery: DeliveryRecord, @Ctx() context: RequestContext) {
    return contentFor(callerOf(context), delivery);
  }

  @FieldResolver(() => [TimelineEntry], {
    description: 'Every step in order, with what was decided and why.',
  })
  timeline(@Root() delivery: DeliveryRecord, @Ctx() context: RequestContext) {
    return context.loaders.timeline.load(delivery.deliveryId);
  }

  @FieldResolver(() => NotificationRequest, {
    nullable: true,
    description: 'The request that it belongs to. Null for recipients, who see no requests.',
  })
  request(@Root() delivery: DeliveryRecord, @Ctx() context: RequestContext) {
    return loadRequest(delivery.requestId, context);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The mail address or number that it goes to, for its recipient and admins. Null where it goes to devices or an inbox, and before it was decided.',
  })
  recipientAddress(@Root() { userId, address }: DeliveryRecord, @Ctx() context: RequestContext) {
    return mayActFor(callerOf(context), userId) ? address : null;
  }

  @FieldResolver(() => [DeliveryTarget], {
    nullable: true,
    description:
      'Admin: what became of it at each of its addresses, as far as that is decided. What a provider answered to each attempt is in `timeline`. Null for others.',
  })
  targets(@Root() { deliveryId }: DeliveryRecord, @Ctx() context: RequestContext) {
    return isAdmin(callerOf(context)) ? context.loaders.deliveryTargets.load(deliveryId) : null;
  }

  @FieldResolver(() => DeadLetter, {
    nullable: true,
    description: 'Admin: its dead letter, open or settled. Null where it was never given up, and for others.',
  })
  deadLetter(@Root() { deliveryId }: DeliveryRecord, @Ctx() context: RequestContext) {
    return isAdmin(callerOf(context)) ? context.loaders.deadLetter.load(deliveryId) : null;
  }
}

@Resolver(() => NotificationRequest)
export class NotificationRequestResolver {
  @FieldResolver(() => DeliveryConnection, {
    description: 'Its deliveries, one for each recipient and channel.',
  })
  deliveries(
    @Root() request: RequestRecord,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: RequestContext,
  ) {
    return context.app.notifications.deliveriesOfRequest(request.requestId, readPaging(args));
  }
}

@Resolver(() => NotificationStatusUpdate)
export class NotificationStatusUpdateResolver {
  @FieldResolver(() => Delivery, {
    nullable: true,
    description:
      'The delivery as it is now, which may be later than this event. Null once it is past its retention.',
  })
  delivery(@Root() update: NotificationStatusUpdate, @Ctx() context: RequestContext) {
    return loadDelivery(update.deliveryId, context);
  }
}

/** Null where there is none, or it is neither the caller's own nor of a request of theirs. */
export async function loadDelivery(deliveryId: string, context: RequestContext) {
  const caller = callerOf(context);
  if (!isUuid(deliveryId)) return null;
  const delivery = await context.loaders.delivery.load(deliveryId.toLowerCase());
  return delivery && maySee(caller, delivery) ? delivery : null;
}

/**
 * What an argument names that takes the producer's own id, or the global id of a request that the caller may act for: that one, though
 * there may be newer ones under its own id, and others' under the same. Any other text is a producer's own id: they make them up, and
 * may use the global id of whatever a notification is about.
 */
export async function readRequestName(text: string, context: RequestContext): Promise<RequestName> {
  const global = fromGlobalId(text);
  if (global?.type !== 'NotificationRequest') return text;
  const request = await loadRequest(global.rawId, context);
  return request ? { requestId: request.requestId } : text;
}

export async function loadRequest(requestId: string, context: RequestContext) {
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
  ...settingsNodes,
  ...campaignNodes,
  ...suppressionNodes,
  ...webhookNodes,
  ...scheduleNodes,
};
