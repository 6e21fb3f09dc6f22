import {
  Arg,
  Args,
  Authorized,
  type ClassType,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import type { RequestContext } from '../context.js';
import { callerOf } from '../platform/auth/caller.js';
import { readPaging } from '../platform/paging.js';
import { RecordEngagementInput, RecordEngagementPayload } from '../schema/notification-engagement.js';
import {
  CancelNotificationInput,
  NotificationRequestFilter,
  SendNotificationInput,
} from '../schema/notification-inputs.js';
import { CancelNotificationPayload, SendNotificationPayload } from '../schema/notification-payloads.js';
import { SendTestNotificationPayload } from '../schema/notification-templates.js';
import {
  Delivery,
  DeliveryConnection,
  NotificationRequest,
  NotificationRequestConnection,
  NotificationStatusUpdate,
} from '../schema/notifications.js';
import { fromGlobalId, PagingArgs } from '../schema/relay.js';
import { alertResolvers } from './notification-alerts.js';
import { NotificationAnalyticsResolver } from './notification-analytics.js';
import { campaignResolvers } from './notification-campaigns.js';
import { deadLetterResolvers } from './notification-dead-letters.js';
import { inboxResolvers } from './notification-inbox.js';
import {
  DeliveryResolver,
  loadDelivery,
  loadRequest,
  NotificationRequestResolver,
  NotificationStatusUpdateResolver,
  notificationNodes,
  readRequestName,
} from './notification-objects.js';
import { scheduleResolvers } from './notification-schedules.js';
import { searchResolvers } from './notification-search.js';
import { SegmentsResolver } from './notification-segments.js';
import { NotificationPreferencesResolver, NotificationSettingsResolver } from './notification-settings.js';
import { SuppressionsResolver } from './notification-suppressions.js';
import { templateResolvers } from './notification-templates.js';
import { webhookResolvers } from './notification-webhooks.js';
import { toPayload } from './payload.js';
import { subjectOf, WHOSE } from './subject.js';
import { withoutNulls } from './without-nulls.js';

@Resolver()
export class NotificationResolver {
  @Authorized('producer', 'admin')
  @Mutation(() => SendNotificationPayload, {
    description:
      'Producer: sends a notification. The same `notificationId` and input again answers the first result.',
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
    description:
      "Producer and admin: one request with each recipient's deliveries and their whole timeline. Null where there is none.",
  })
  async notificationRequest(
    @Arg('notificationId', () => ID, {
      description:
        "The producer's own id of the notification, of which the newest request is read; or the global id of a request.",
    })
    notificationId: string,
    @Arg('producer', () => String, {
      nullable: true,
      description:
        'The id of the user who asked for it; another than the caller: admin. Absent: the caller; for admins anybody.',
    })
    producer: string | null,
    @Ctx() context: RequestContext,
  ) {
    const global = fromGlobalId(notificationId);
    if (global?.type === 'NotificationRequest') {
      const request = await loadRequest(global.rawId, context);
      if (request) return request;
    }
    return context.app.notifications.request(callerOf(context), notificationId, producer ?? null);
  }

  @Authorized('producer', 'admin')
  @Mutation(() => CancelNotificationPayload, {
    description:
      'Cancels what was not sent yet of a request: a producer of one of their own, an admin of anybody by its global id.',
  })
  async cancelNotification(
    @Arg('input') { notificationId }: CancelNotificationInput,
    @Ctx() context: RequestContext,
  ): Promise<CancelNotificationPayload> {
    const name = await readRequestName(notificationId, context);
    const caller = callerOf(context);
    const { notifications } = context.app;
    const result = await notifications.cancel(caller, name);
    if (!result.ok) return { cancelled: 0, request: null, userErrors: result.errors };
    const request =
      typeof name === 'string'
        ? await notifications.request(caller, name, caller.viewer.userId)
        : await context.loaders.notificationRequest.clear(name.requestId).load(name.requestId);
    return { cancelled: result.value, request, userErrors: [] };
  }

  @Authorized('producer', 'admin')
  @Query(() => NotificationRequestConnection, {
    nullable: true,
    description: "A producer's own requests, newest first; for admins all of them.",
  })
  notificationRequests(
    @Args(() => PagingArgs) args: PagingArgs,
    @Arg('filter', () => NotificationRequestFilter, {
      nullable: true,
      description: 'Which requests. Absent: all.',
    })
    filter: NotificationRequestFilter | null,
    @Ctx() context: RequestContext,
  ) {
    return context.app.notifications.requests(
      callerOf(context),
      withoutNulls(filter ?? {}),
      readPaging(args),
    );
  }

  @Query(() => Delivery, {
    nullable: true,
    description: 'A delivery, for its user, its producer and admins. Null where there is none.',
  })
  delivery(@Arg('deliveryId', () => ID) deliveryId: string, @Ctx() context: RequestContext) {
    return loadDelivery(deliveryId, context);
  }

  @Query(() => DeliveryConnection, {
    nullable: true,
    description: 'The deliveries to a user, newest first.',
  })
  deliveries(
    @Arg('userId', () => ID, WHOSE) userId: string | null,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: RequestContext,
  ) {
    return context.app.notifications.deliveriesOfUser(subjectOf(context, userId), readPaging(args));
  }

  @Mutation(() => RecordEngagementPayload, {
    description:
      'Records what the user did with a notification in the app: opened it, tapped an action, or swiped it away.',
  })
  async recordEngagement(@Arg('input') input: RecordEngagementInput, @Ctx() context: RequestContext) {
    const { tracking } = context.app.notifications;
    return toPayload('delivery', await tracking.engage(callerOf(context), withoutNulls(input)));
  }

  @Subscription(() => NotificationStatusUpdate, {
    description:
      'Every step of every delivery of a notification. Its producer and admins see all, a recipient their own.',
    subscribe: async ({ context, args }: { context: RequestContext; args: StatusArgs }) =>
      context.app.notifications.follow(
        context.hub,
        callerOf(context),
        await readRequestName(args.notificationId, context),
        args.after ?? null,
        context.signal,
      ),
  })
  notificationStatus(
    @Root() update: NotificationStatusUpdate,
    @Arg('notificationId', () => ID, {
      description:
        "The producer's own id of the notification, of which the newest request is followed; or the global id of a `NotificationRequest`.",
    })
    _notificationId: string,
    @Arg('after', () => String, { nullable: true }) _after?: string | null,
  ): NotificationStatusUpdate {
    return update;
  }
}

/** Gives the payload of a sent notification its request. */
function showRequest(payload: ClassType<SendNotificationPayload>) {
  @Resolver(() => payload)
  class SentRequestResolver {
    @FieldResolver(() => NotificationRequest, {
      nullable: true,
      description: 'The request as it is after the change. Null where it was refused.',
    })
    async request(@Root() { requestId }: SendNotificationPayload, @Ctx() { app }: RequestContext) {
      if (requestId === undefined) return null;
      const [request] = await app.notifications.requestsById([requestId]);
      return request ?? null;
    }
  }
  return SentRequestResolver;
}

interface StatusArgs {
  readonly notificationId: string;
  readonly after?: string | null;
}

export { notificationNodes };

export const notificationResolvers = [
  NotificationResolver,
  showRequest(SendNotificationPayload),
  showRequest(SendTestNotificationPayload),
  NotificationSettingsResolver,
  NotificationPreferencesResolver,
  ...inboxResolvers,
  ...deadLetterResolvers,
  ...searchResolvers,
  SegmentsResolver,
  SuppressionsResolver,
  ...alertResolvers,
  NotificationAnalyticsResolver,
  DeliveryResolver,
  NotificationRequestResolver,
  NotificationStatusUpdateResolver,
  ...templateResolvers,
  ...campaignResolvers,
  ...webhookResolvers,
  ...scheduleResolvers,
] as const;

const toSendRequest = (input: SendNotificationInput) => ({
  ...withoutNulls(input),
  recipients: input.recipients.map((recipient) => withoutNulls(recipient)),
});
