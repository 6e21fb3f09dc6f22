import { ArgsType, Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import { Channel, Priority } from './notification-enums.js';
import { DateTime } from './scalars.js';

@ArgsType()
export class AnalyticsArgs {
  @Field(() => DateTime, { description: 'Only minutes that begin at this time or after it.' })
  from: Date;
  @Field(() => DateTime, { description: 'Only minutes that begin before this time.' })
  to: Date;
  @Field(() => Channel, { nullable: true, description: 'Only this channel. Absent: all.' })
  channel?: words.Channel | null;
  @Field(() => Priority, { nullable: true, description: 'Only this priority. Absent: all.' })
  priority?: words.Priority | null;
  @Field(() => String, { nullable: true, description: 'Only this kind of notification. Absent: all.' })
  notificationType?: string | null;
  @Field(() => ID, {
    nullable: true,
    description: 'Only requests that named this template, by its raw id or its global id. Absent: all.',
  })
  templateId?: string | null;
  @Field(() => ID, {
    nullable: true,
    description:
      'Only the campaign that `campaign(batchId:)` answers for it; nothing where there is none. Campaigns are counted by the minute, however long ago. Absent: all.',
  })
  batchId?: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'Milliseconds from acceptance, or from the scheduled time, to delivery; each at most 5 % off. Null where nothing was delivered.',
})
export class LatencyQuantiles implements words.LatencyQuantiles {
  @Field(() => Float, { nullable: true, description: 'Half of all deliveries took at most this long.' })
  p50: number | null;
  @Field(() => Float, { nullable: true, description: '95 of 100 deliveries took at most this long.' })
  p95: number | null;
  @Field(() => Float, { nullable: true, description: '99 of 100 deliveries took at most this long.' })
  p99: number | null;
}

@ObjectType({ simpleResolvers: true })
abstract class DeliveryCounts {
  @Field(() => Float, { description: 'Messages that a provider took.' })
  sent: number;
  @Field(() => Float, { description: 'Messages that arrived.' })
  delivered: number;
  @Field(() => Float, { description: 'Messages that were opened.' })
  opened: number;
}

/** `series` stands in the resolver. */
@ObjectType({
  simpleResolvers: true,
  description: 'What happened to deliveries in a span of time. Counts are whole numbers that may pass 2^31.',
})
export class NotificationAnalytics extends DeliveryCounts {
  @Field(() => Float, {
    description: 'Clicks on links. A message may be clicked several times, on different links.',
  })
  clicked: number;
  @Field(() => Float, { description: 'Messages that were swiped away.' })
  dismissed: number;
  @Field(() => Float, { description: 'Messages by which a user unsubscribed.' })
  unsubscribed: number;
  @Field(() => Float, { description: 'Calls to providers that failed; most of them are tried again.' })
  failed: number;
  @Field(() => Float, { description: 'Messages that were not sent before `expiresAt`.' })
  expired: number;
  @Field(() => Float, { description: 'Messages that were not sent for a reason of `SuppressionReason`.' })
  suppressed: number;
  @Field(() => Float, {
    description: 'Opens and clicks that were probably made by programs; they count nowhere else.',
  })
  suspectedBots: number;
  @Field(() => Float, {
    nullable: true,
    description:
      'Delivered over sent in this span; may pass 1 where something was sent before it. Null where nothing was sent.',
  })
  deliveryRate: number | null;
  @Field(() => Float, {
    nullable: true,
    description: 'Opened over delivered. Null where nothing was delivered.',
  })
  openRate: number | null;
  @Field(() => Float, {
    nullable: true,
    description:
      'Clicked over opened; may pass 1, since a mail can be clicked without its images being loaded. Null where nothing was opened.',
  })
  clickRate: number | null;
  @Field(() => LatencyQuantiles, { description: 'How long deliveries took.' })
  latencyMs: words.LatencyQuantiles;
  scope: words.Scope;
}

@ObjectType({ simpleResolvers: true, description: 'What happened to deliveries in one step of time.' })
export class AnalyticsPoint extends DeliveryCounts {
  @Field(() => DateTime, { description: 'When the step begins.' })
  at: Date;
  @Field(() => Float, { description: 'Clicks on links.' })
  clicked: number;
  @Field(() => Float, { description: 'Calls to providers that failed.' })
  failed: number;
  @Field(() => Float, {
    nullable: true,
    description:
      '99 of 100 deliveries took at most this many milliseconds. Null where nothing was delivered.',
  })
  p99LatencyMs: number | null;
}

@ObjectType({
  simpleResolvers: true,
  description:
    "A queue of notifications. In a channel's queues users are counted, however many deliveries wait for them.",
})
export class QueueStats implements words.QueueStats {
  @Field(() => ID)
  id: string;
  @Field({ description: "The queue's name." })
  name: string;
  @Field(() => Int, { description: 'Jobs that can be started.' })
  waiting: number;
  @Field(() => Int, { description: 'Jobs that are under way.' })
  active: number;
  @Field(() => Int, { description: 'Jobs that wait for a time.' })
  delayed: number;
  @Field(() => Int, { description: 'Jobs that failed and are kept for a look.' })
  failed: number;
  @Field(() => Float, {
    nullable: true,
    description: 'How long the oldest waiting job has waited, in milliseconds. Null where none waits.',
  })
  oldestWaitingMs: number | null;
}
