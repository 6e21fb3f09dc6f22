import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import { connectionOf } from './connections.js';
import { enumOf } from './enums.js';
import { Channel, Priority } from './notification-enums.js';
import { RecipientInput } from './notification-inputs.js';
import { payloadOf } from './payload.js';
import { Node } from './relay.js';
import { DateTime } from './scalars.js';

const ScheduleStatus = enumOf<words.ScheduleStatus>('NotificationScheduleStatus', 'How far a schedule is.', {
  ACTIVE: 'It goes on.',
  PAUSED: 'Nothing is sent until it is resumed; what would have been sent meanwhile is left out.',
  COMPLETED: 'The rule has ended.',
  CANCELLED: 'Its producer has ended it.',
});

const ScheduleAction = enumOf<words.ScheduleAction>(
  'NotificationScheduleAction',
  'What becomes of a schedule.',
  {
    PAUSE: 'Nothing is sent until it is resumed.',
    RESUME: 'It goes on with the next occurrence from now on.',
    CANCEL: 'It ends. Requests that were made of it already stay.',
  },
);

@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A notification that is sent again and again. Each occurrence is a request of its own.',
})
export class NotificationSchedule extends Node {
  readonly seriesId: string;
  @Field(() => ID, { description: "The producer's own id of the schedule." })
  scheduleId: string;
  @Field({ description: 'The id of the user who asked for it.' })
  producer: string;
  @Field({ description: 'The recurrence rule (RFC 5545).' })
  rrule: string;
  @Field(() => String, {
    nullable: true,
    description: 'The zone of its clock. Null: each recipient’s own.',
  })
  timezone: string | null;
  @Field(() => DateTime, { description: 'When it begins: date and time in UTC, on its clock.' })
  startsAt: Date;
  @Field(() => ScheduleStatus, { description: 'Whether it goes on.' })
  status: words.ScheduleStatus;
  @Field(() => DateTime, {
    nullable: true,
    description:
      'The next occurrence: date and time in UTC, on its clock; of a paused one the first that was not sent. Null where it is over.',
  })
  nextAt: Date | null;
  @Field(() => Int, {
    description: 'How many occurrences have passed, without those of pauses.',
  })
  occurrences: number;
  @Field(() => ID, {
    nullable: true,
    description: 'The `notificationId` of the last occurrence that was sent. Null before the first.',
  })
  lastNotificationId: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Why the last occurrence was refused: a code of `UserError`. Null where it was accepted.',
  })
  lastError: string | null;
  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt: Date;
}

export const NotificationScheduleConnection = connectionOf(
  'NotificationSchedule',
  NotificationSchedule,
  'A page of schedules, newest first. There is no `totalCount`: counting would read all of them.',
);

@InputType()
export class CreateNotificationScheduleInput {
  @Field(() => ID, {
    description:
      "The producer's own id of the schedule, 1 to 40 characters. The same id and input again answers the schedule that there is. An occurrence has the `notificationId` `<scheduleId>.20261231T090000`.",
  })
  scheduleId: string;
  @Field({
    description:
      'A recurrence rule (RFC 5545), like `FREQ=WEEKLY;BYDAY=MO`, which recurs once an hour at most. COUNT and UNTIL end it; UNTIL is a time of its clock.',
  })
  rrule: string;
  @Field(() => DateTime, {
    description:
      'When it begins: the date and time in UTC are meant, on its clock. At most a year ahead. The first occurrence is at this time or after it.',
  })
  startsAt: Date;
  @Field(() => String, {
    nullable: true,
    description:
      'The IANA zone of its clock, like `Europe/Berlin`. Absent: each recipient gets it by their own clock.',
  })
  timezone?: string | null;
  @Field({ description: 'The kind of notification, as in `SendNotificationInput`.' })
  type: string;
  @Field(() => Priority, { nullable: true, description: 'How urgent it is. Absent: as the type is.' })
  priority?: words.Priority | null;
  @Field(() => [RecipientInput], { description: '1 to 1,000 of them, and 1 MB at most.' })
  recipients: RecipientInput[];
  @Field(() => ID)
  templateId: string;
  @Field(() => [Channel], {
    nullable: true,
    description: 'Channels to try, in this order, where a delivery fails for good.',
  })
  fallbackChannels?: words.Channel[] | null;
}

@InputType()
export class ControlNotificationScheduleInput {
  @Field(() => ID, {
    description: "The producer's own id of the schedule, or the global id of its `NotificationSchedule`.",
  })
  scheduleId: string;
  @Field(() => ScheduleAction, { description: 'What becomes of it.' })
  action: words.ScheduleAction;
}

export const CreateNotificationSchedulePayload = payloadOf('CreateNotificationSchedule', {
  schedule: NotificationSchedule,
});
export const ControlNotificationSchedulePayload = payloadOf('ControlNotificationSchedule', {
  schedule: NotificationSchedule,
});
