import { Arg, Args, Authorized, Ctx, Directive, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { isUuid } from '../domains/notifications/index.js';
import { callerOf, mayActFor } from '../platform/auth/caller.js';
import { readPaging } from '../platform/paging.js';
import {
  ControlNotificationScheduleInput,
  ControlNotificationSchedulePayload,
  CreateNotificationScheduleInput,
  CreateNotificationSchedulePayload,
  NotificationSchedule,
  NotificationScheduleConnection,
} from '../schema/notification-schedules.js';
import { fromGlobalId, PagingArgs } from '../schema/relay.js';
import { toPayload } from './payload.js';
import { withoutNulls } from './without-nulls.js';

@Resolver()
export class NotificationSchedulesResolver {
  @Authorized('producer', 'admin')
  @Directive('@rateLimit(limit: 120, duration: 60)')
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
    description:
      "Producer: pauses, resumes or ends a schedule of theirs; admin: anybody's, by its global id.",
  })
  async controlNotificationSchedule(
    @Arg('input') { scheduleId, action }: ControlNotificationScheduleInput,
    @Ctx() context: RequestContext,
  ) {
    const { schedules } = context.app.notifications;
    const schedule = await findNamed(scheduleId, context);
    const result = await schedules.control(callerOf(context), schedule?.seriesId ?? null, action);
    return toPayload('schedule', result);
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

/** By the global id of a schedule; any other text is a schedule id: producers make these up. */
async function findNamed(text: string, context: RequestContext) {
  const global = fromGlobalId(text);
  const named = global?.type === 'NotificationSchedule' ? await loadSchedule(global.rawId, context) : null;
  return named ?? context.app.notifications.schedules.find(callerOf(context).viewer.userId, text);
}

async function loadSchedule(seriesId: string, context: RequestContext) {
  if (!isUuid(seriesId)) return null;
  const [found] = await context.app.notifications.schedules.byId([seriesId.toLowerCase()]);
  return found && mayActFor(callerOf(context), found.producer) ? found : null;
}

/** Loads schedules for `node`. */
export const scheduleNodes = { NotificationSchedule: loadSchedule };

export const scheduleResolvers = [NotificationSchedulesResolver] as const;
