import { Arg, Args, Authorized, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { isUuid } from '../domains/notifications/index.js';
import { callerOf, mayActFor } from '../platform/caller.js';
import { readPaging } from '../platform/paging.js';
import {
  ControlNotificationScheduleInput,
  ControlNotificationSchedulePayload,
  CreateNotificationScheduleInput,
  CreateNotificationSchedulePayload,
  NotificationSchedule,
  NotificationScheduleConnection,
} from '../schema/notification-schedules.js';
import { PagingArgs } from '../schema/relay.js';
import { toPayload } from './payload.js';
import { withoutNulls } from './without-nulls.js';

@Resolver()
export class NotificationSchedulesResolver {
  @Authorized('producer', 'admin')
  @Mutation(() => CreateNotificationSchedulePayload, {
    description: 'Producer: has a notification sent again and again, by a recurrence rule.',
  })
  async createNotificationSchedule(
    @Arg('input') input: CreateNotificationScheduleInput,
    @Ctx() context: RequestContext,
  ) {
    const recipients = input.recipients.map((recipient) => withoutNulls(recipient));
    const { schedules } = context.app.notifications;
    const created = await schedules.create(callerOf(context), { ...withoutNulls(input), recipients });
    return toPayload('schedule', created);
  }

  @Authorized('producer', 'admin')
  @Mutation(() => ControlNotificationSchedulePayload, {
    description: 'Producer: pauses, resumes or ends a schedule of theirs.',
  })
  async controlNotificationSchedule(
    @Arg('input') { scheduleId, action }: ControlNotificationScheduleInput,
    @Ctx() context: RequestContext,
  ) {
    const { schedules } = context.app.notifications;
    return toPayload('schedule', await schedules.control(callerOf(context), scheduleId, action));
  }

  @Authorized('producer', 'admin')
  @Query(() => NotificationSchedule, {
    nullable: true,
    description: 'Producer: a schedule of theirs. Null where there is none.',
  })
  notificationSchedule(
    @Arg('scheduleId', () => ID, { description: "The producer's own id of the schedule." })
    scheduleId: string,
    @Ctx() context: RequestContext,
  ) {
    return context.app.notifications.schedules.find(callerOf(context).viewer.userId, scheduleId);
  }

  @Authorized('producer', 'admin')
  @Query(() => NotificationScheduleConnection, {
    nullable: true,
    description: "A producer's own schedules, newest first; for admins all of them.",
  })
  notificationSchedules(@Args(() => PagingArgs) args: PagingArgs, @Ctx() context: RequestContext) {
    return context.app.notifications.schedules.page(callerOf(context), readPaging(args));
  }
}

async function loadSchedule(seriesId: string, context: RequestContext) {
  if (!isUuid(seriesId)) return null;
  const [found] = await context.app.notifications.schedules.byId([seriesId.toLowerCase()]);
  return found && mayActFor(callerOf(context), found.producer) ? found : null;
}

/** Loads schedules for `node`. */
export const scheduleNodes = { NotificationSchedule: loadSchedule };

export const scheduleResolvers = [NotificationSchedulesResolver] as const;
