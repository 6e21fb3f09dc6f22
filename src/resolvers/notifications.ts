import { Arg, Args, Authorized, Ctx, ID, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type {
  Delivery as DeliveryRecord,
  RequestFilter,
  NotificationRequest as RequestRecord,
  SendRequest,
} from '../domains/notifications/index.js';
import { callerOf } from '../platform/caller.js';
import { readPaging } from '../platform/paging.js';
import {
  CancelNotificationInput,
  NotificationRequestFilter,
  SendNotificationInput,
} from '../schema/notification-inputs.js';
import { CancelNotificationPayload, SendNotificationPayload } from '../schema/notification-payloads.js';
import {
  Delivery,
  DeliveryConnection,
  NotificationRequest,
  NotificationRequestConnection,
  NotificationStatusUpdate,
} from '../schema/notifications.js';
import { PagingArgs } from '../schema/relay.js';
import { alertResolvers } from './notification-alerts.js';
import { NotificationAnalyticsResolver } from './notification-analytics.js';
import { deadLetterResolvers } from './notification-dead-letters.js';
import { NotificationEngagementResolver } from './notification-engagement.js';
import { inboxResolvers } from './notification-inbox.js';
import {
  DeliveryResolver,
  loadDelivery,
  NotificationRequestResolver,
  notificationNodes,
} from './notification-objects.js';
import {
  NotificationPreferencesResolver,
  NotificationSettingsResolver,
  subjectOf,
} from './notification-settings.js';
import { templateResolvers } from './notification-templates.js';

@Resolver()
export class NotificationResolver {
  @Authorized('producer', 'admin')
  @Mutation(() => SendNotificationPayload, {
    description: 'Producer: accept one request. Idempotent on notificationId.',
  })
  async sendNotification(
    @Arg('input') input: SendNotificationInput,
    @Ctx() context: RequestContext,
  ): Promise<SendNotificationPayload> {
    const result = await context.app.notifications.send(callerOf(context), toSendRequest(input));
    return result.ok ? { ...result.value, userErrors: [] } : { suppressed: [], userErrors: result.errors };
  }

  @Authorized('producer', 'admin')
  @Query(() => NotificationRequest, {
    nullable: true,
    description: "Producer and admin: one request with each recipient's deliveries and their whole timeline.",
  })
  notificationRequest(
    @Arg('notificationId', () => ID) notificationId: string,
    @Arg('producer', () => String, { nullable: true }) producer: string | null,
    @Ctx() context: RequestContext,
  ): Promise<RequestRecord | null> {
    return context.app.notifications.request(callerOf(context), notificationId, producer ?? null);
  }

  @Authorized('producer', 'admin')
  @Mutation(() => CancelNotificationPayload, {
    description: 'Producer: takes back what was not yet sent of his newest request under this id.',
  })
  async cancelNotification(
    @Arg('input') { notificationId }: CancelNotificationInput,
    @Ctx() context: RequestContext,
  ): Promise<CancelNotificationPayload> {
    const result = await context.app.notifications.cancel(callerOf(context), notificationId);
    return result.ok
      ? { cancelled: result.value, userErrors: [] }
      : { cancelled: 0, userErrors: result.errors };
  }

  @Authorized('producer', 'admin')
  @Query(() => NotificationRequestConnection, {
    nullable: true,
    description: "A producer's own requests, newest first; admin: everybody's.",
  })
  notificationRequests(
    @Args(() => PagingArgs) args: PagingArgs,
    @Arg('filter', () => NotificationRequestFilter, { nullable: true })
    filter: NotificationRequestFilter | null,
    @Ctx() context: RequestContext,
  ) {
    return context.app.notifications.requests(
      callerOf(context),
      withoutNulls(filter ?? {}),
      readPaging(args),
    );
  }

  @Query(() => Delivery, { nullable: true })
  delivery(
    @Arg('deliveryId', () => ID) deliveryId: string,
    @Ctx() context: RequestContext,
  ): Promise<DeliveryRecord | null> {
    return loadDelivery(deliveryId, context);
  }

  @Query(() => DeliveryConnection, {
    nullable: true,
    description: "A user's own deliveries; admin: anyone's.",
  })
  deliveries(
    @Arg('userId', () => ID, { nullable: true }) userId: string | null,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: RequestContext,
  ) {
    return context.app.notifications.deliveriesOfUser(subjectOf(context, userId), readPaging(args));
  }

  @Subscription(() => NotificationStatusUpdate, {
    description: 'Every lifecycle event of a notification. Resumes: pass the last `cursor` as `after`.',
    subscribe: ({ context, args }: { context: RequestContext; args: StatusArgs }) =>
      context.app.notifications.follow(
        context.hub,
        callerOf(context),
        args.notificationId,
        args.after ?? null,
        context.signal,
      ),
  })
  notificationStatus(
    @Root() update: NotificationStatusUpdate,
    @Arg('notificationId', () => ID) _notificationId: string,
    @Arg('after', () => String, { nullable: true }) _after?: string | null,
  ): NotificationStatusUpdate {
    return update;
  }
}

interface StatusArgs {
  readonly notificationId: string;
  readonly after?: string | null;
}

export { notificationNodes };

export const notificationResolvers = [
  NotificationResolver,
  NotificationEngagementResolver,
  NotificationSettingsResolver,
  NotificationPreferencesResolver,
  ...inboxResolvers,
  ...deadLetterResolvers,
  ...alertResolvers,
  NotificationAnalyticsResolver,
  DeliveryResolver,
  NotificationRequestResolver,
  ...templateResolvers,
] as const;

/** In optional inputs null means absent. */
const withoutNulls = (filter: NotificationRequestFilter): RequestFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null));

const toSendRequest = (input: SendNotificationInput): SendRequest => ({
  ...input,
  priority: input.priority ?? undefined,
  fallbackChannels: input.fallbackChannels ?? undefined,
  scheduleAt: input.scheduleAt ?? undefined,
  expiresAt: input.expiresAt ?? undefined,
  recipients: input.recipients.map(({ userId, channels, variables }) => ({
    userId,
    channels: channels ?? undefined,
    variables: variables ?? undefined,
  })),
});
