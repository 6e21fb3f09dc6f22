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
      'Admin: what happened to deliveries in the minutes that begin at or after `from` and before `to`; at most 90 days. Exact for what is two minutes old. Older than 30 days, hours count that begin in it.',
  })
  async notificationAnalytics(
    @Arg('from', () => DateTime, { description: 'Only minutes that begin at this time or after it.' })
    from: Date,
    @Arg('to', () => DateTime, { description: 'Only minutes that begin before this time.' }) to: Date,
    @Arg('channel', () => Channel, { nullable: true, description: 'Only this channel. Absent: all.' })
    channel: words.Channel | null,
    @Arg('priority', () => Priority, { nullable: true, description: 'Only this priority. Absent: all.' })
    priority: words.Priority | null,
    @Arg('notificationType', () => String, {
      nullable: true,
      description: 'Only this kind of notification. Absent: all.',
    })
    notificationType: string | null,
    @Arg('templateId', () => ID, {
      nullable: true,
      description: 'Only requests that named this template, by its raw id or its global id. Absent: all.',
    })
    templateId: string | null,
    @Arg('batchId', () => ID, {
      nullable: true,
      description: 'Only this batch. There are no batches yet: every count is 0. Absent: all.',
    })
    batchId: string | null,
    @Ctx() { app }: RequestContext,
  ) {
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
      'The same counts step by step from `from` on, also for steps in which nothing happened. At most 1,500 steps; over more than two days steps are whole hours, and an hour counts in the step in which it begins.',
  })
  series(
    @Root() { scope }: NotificationAnalytics,
    @Arg('stepSeconds', () => Int, {
      defaultValue: 60,
      description: 'The length of a step in seconds: a multiple of 60; over more than two days, of 3600.',
    })
    stepSeconds: number,
    @Ctx() { app }: RequestContext,
  ) {
    return app.notifications.analytics.series(scope, stepSeconds);
  }

  @Authorized('admin')
  @Query(() => [QueueStats], {
    nullable: true,
    description: 'Admin: every queue of notifications, with how many jobs it holds.',
  })
  queues(@Ctx() { app }: RequestContext) {
    return app.notifications.analytics.queues();
  }
}
