import { Arg, Args, Authorized, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { callerOf, isAdmin } from '../platform/auth/caller.js';
import { PublicError } from '../platform/errors.js';
import {
  AnalyticsArgs,
  AnalyticsPoint,
  NotificationAnalytics,
  QueueStats,
} from '../schema/notification-analytics.js';
import { findNamed } from './notification-campaigns.js';
import { withoutNulls } from './without-nulls.js';

@Resolver(() => NotificationAnalytics)
export class NotificationAnalyticsResolver {
  @Authorized('producer', 'admin')
  @Query(() => NotificationAnalytics, {
    nullable: true,
    description:
      'What happened to deliveries in the minutes that begin at or after `from` and before `to`; at most 90 days. Admin: of everything, or of what the other arguments name. Producer: of one of their campaigns, by `batchId`. Exact for what is two minutes old. Older than 30 days, hours count that begin in it.',
  })
  async notificationAnalytics(@Args() args: AnalyticsArgs, @Ctx() context: RequestContext) {
    const { analytics } = context.app.notifications;
    const { batchId, ...asked } = withoutNulls(args);
    if (batchId === undefined && !isAdmin(callerOf(context)))
      throw new PublicError('FORBIDDEN', 'Without a batchId this needs the role admin');
    const campaign = batchId === undefined ? undefined : await findNamed(batchId, context);
    const scope = analytics.scope({ ...asked, campaignId: campaign === null ? null : campaign?.campaignId });
    return { ...(await analytics.totals(scope)), scope };
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
