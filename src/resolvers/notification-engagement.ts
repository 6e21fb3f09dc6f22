import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { callerOf } from '../platform/caller.js';
import { RecordEngagementInput, RecordEngagementPayload } from '../schema/notification-engagement.js';
import { toPayload } from './payload.js';
import { withoutNulls } from './without-nulls.js';

@Resolver()
export class NotificationEngagementResolver {
  @Mutation(() => RecordEngagementPayload, {
    description:
      'Records what the user did with a notification in the app: opened it, tapped an action, or swiped it away.',
  })
  async recordEngagement(@Arg('input') input: RecordEngagementInput, @Ctx() context: RequestContext) {
    const { tracking } = context.app.notifications;
    return toPayload('delivery', await tracking.engage(callerOf(context), withoutNulls(input)));
  }
}
