import { Arg, Authorized, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type * as words from '../domains/notifications/index.js';
import { AnalyticsPoint, NotificationAnalytics, QueueStats } from '../schema/notification-analytics.js';
import { Channel, Priority } from '../schema/notification-enums.js';
import { DateTime } from '../schema/scalars.js';

@Resolver(() => NotificationAnalytics)
export class NotificationAnalyticsResolver {
  @Authorized('admin')
  @Query(() => NotificationAnalytics, {
    nullable: true,
    description:
      'Admin: what became of deliveries, in the minutes that begin at or after `from` and before `to`; at most 90 days. Soon after it happened; exact once it is two minutes old. `templateId` is the one that requests named. There are no batches yet: of any `batchId` everything is 0.',
  })
  async notificationAnalytics(
    @Arg('from', () => DateTime) from: Date,
    @Arg('to', () => DateTime) to: Date,
    @Arg('channel', () => Channel, { nullable: true }) channel: words.Channel | null,
    @Arg('priority', () => Priority, { nullable: true }) priority: words.Priority | null,
    @Arg('notificationType', () => String, { nullable: true }) notificationType: string | null,
    @Arg('templateId', () => ID, { nullable: true }) templateId: string | null,
    @Arg('batchId', () => ID, { nullable: true }) batchId: string | null,
    @Ctx() { app }: RequestContext,
  ): Promise<NotificationAnalytics> {
    const scope = app.notifications.analytics.scope({
      from,
      to,
      channel: channel ?? undefined,
      priority: priority ?? undefined,
      notificationType: notificationType ?? undefined,
      templateId: templateId ?? undefined,
      batchId: batchId ?? undefined,
    });
    return { ...(await app.notifications.analytics.totals(scope)), scope };
  }

  @FieldResolver(() => [AnalyticsPoint], {
    description:
      'The same step by step from `from` on, also where nothing happened. A step is a multiple of 60 seconds; at most 1,500 steps.',
  })
  series(
    @Root() { scope }: NotificationAnalytics,
    @Arg('stepSeconds', () => Int, { defaultValue: 60 }) stepSeconds: number,
    @Ctx() { app }: RequestContext,
  ): Promise<readonly AnalyticsPoint[]> {
    return app.notifications.analytics.series(scope, stepSeconds);
  }

  @Authorized('admin')
  @Query(() => [QueueStats], {
    nullable: true,
    description: 'Admin: how every queue of notifications stands.',
  })
  queues(@Ctx() { app }: RequestContext): Promise<readonly QueueStats[]> {
    return app.notifications.analytics.queues();
  }
}
